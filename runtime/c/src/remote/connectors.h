/*
 * connectors.h: functions by class name: the state of sidl.rmi.ConnectRegistry.
 */
#ifndef REMOTE_CONNECTORS_H
#define REMOTE_CONNECTORS_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Sets or replaces a function. False if memory is exhausted. */
bool connectors_set(const char* name, void* function);

/* The function, or NULL. */
void* connectors_get(const char* name);

/* Removes and returns the function; NULL if there is none. */
void* connectors_remove(const char* name);

#pragma GCC visibility pop
#endif
