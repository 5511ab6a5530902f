/*
 * alive.h: reports objects that are alive when the process ends, with SIDL_REPORT_LEAKS=1.
 *
 * Such objects are parts of reference cycles, or have references that were never dropped. Costs
 * nothing if not enabled: a class is watched by wrapping its constructor and destructor.
 */
#ifndef OBJECT_ALIVE_H
#define OBJECT_ALIVE_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

extern bool alive_is_counted; /* set before any object is made, then constant */

/* Counts the objects of the class, which is about to be made ready, if enabled. */
void alive_watch(struct sidl_class* class);

/*
 * An object has reached the class in its construction (+1), or is leaving it in its destruction
 * (-1).
 */
void alive_level(const struct sidl_class* class, int change);

/* A proxy is made (+1), or about to be freed (-1). */
void alive_proxy(const struct sidl_class* class, int change);

#pragma GCC visibility pop
#endif
