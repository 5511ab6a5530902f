/* connectors.h: functions by the names of classes: the state of sidl.rmi.ConnectRegistry. */
#ifndef REMOTE_CONNECTORS_H
#define REMOTE_CONNECTORS_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Enters a function, in place of the one before. False: no memory. */
bool connectors_set(const char* name, void* function);

/* The function, or NULL. */
void* connectors_get(const char* name);

/* Takes the function out; NULL if there is none. */
void* connectors_remove(const char* name);

#pragma GCC visibility pop
#endif
