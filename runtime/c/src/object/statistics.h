/*
 * statistics.h: files with statistics of contract checks.
 */
#ifndef OBJECT_STATISTICS_H
#define OBJECT_STATISTICS_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/*
 * Appends a section to a file: a comment with `prefix` and `title`, then a line for each method and
 * clause of the class, NULL: of all classes, that was checked. If title is NULL there are no
 * comments; otherwise a new file begins with a header that explains the columns. False with *_ex
 * set.
 */
bool statistics_append(const char* filename, const char* prefix, const char* title,
                       const struct sidl_type_info* type, struct sidl_BaseInterface__object** _ex);

struct sidl_contract;
/* Calls `visit` for each method, and the invariants, of each class that was checked. */
void statistics_visit(void (*visit)(const struct sidl_contract* contract, void* data), void* data);

/* Sets what was counted of the class to zero, NULL: of all classes. */
void statistics_clear(const struct sidl_type_info* type);

#pragma GCC visibility pop
#endif
