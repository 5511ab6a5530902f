/* statistics.h: files that say how often contracts were checked. */
#ifndef OBJECT_STATISTICS_H
#define OBJECT_STATISTICS_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/*
 * Adds a section to a file: a line for each method whose contract was checked, and before them a
 * comment of `prefix` and `title`, unless title is NULL: then there are no comments at all. Other
 * files begin with what their columns mean. False with *_ex set.
 */
bool statistics_append(const char* filename, const char* prefix, const char* title,
                       struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
