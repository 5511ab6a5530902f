/*
 * inspect.h: how this process describes itself as a server: the state of sidl.rmi.Inspection.
 *
 * The texts are JSON (free); NULL with *_ex set.
 */
#ifndef REMOTE_INSPECT_H
#define REMOTE_INSPECT_H

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/* The name under which it is published. */
#define INSPECTION_NAME "sidl.server"

char* inspect_server(struct sidl_BaseInterface__object** _ex);
char* inspect_type(const char* name, struct sidl_BaseInterface__object** _ex);
char* inspect_counters(struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
