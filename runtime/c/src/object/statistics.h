/* statistics.h: files that say how often contracts were checked. */
#ifndef OBJECT_STATISTICS_H
#define OBJECT_STATISTICS_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/*
 * Adds a section about `subject`, a class or a word for several, to a file: a line for each method
 * whose contract was checked. A file begins with what its columns mean. False with *_ex set.
 */
bool statistics_append(const char* filename, const char* prefix, const char* subject,
                       struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
