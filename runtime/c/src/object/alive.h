/*
 * alive.h: which objects are alive when the process ends, for those who ask: SIDL_REPORT_LEAKS=1.
 *
 * Reference counting leaves objects behind that refer to each other in a circle, and those whose
 * reference was never given back. Nobody is slowed down who has not asked: a class is watched by
 * other constructors and destructors than its own, which call them.
 */
#ifndef OBJECT_ALIVE_H
#define OBJECT_ALIVE_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

extern bool alive_is_counted; /* set before any object is made, then constant */

/* Counts the objects of the class, which is about to be made ready, if that is wanted. */
void alive_watch(struct sidl_class* class);

/* An object has become one of the class (+1), or is about to be one of its parent's again (-1). */
void alive_level(const struct sidl_class* class, int change);

/* What stands for an object of another process is made (+1), or is about to be freed (-1). */
void alive_proxy(const struct sidl_class* class, int change);

#pragma GCC visibility pop
#endif
