/* memory_space.h: copies between spaces, as array_copy needs them. */
#ifndef ARRAY_MEMORY_SPACE_H
#define ARRAY_MEMORY_SPACE_H

#include <stdbool.h>

#include "array/array_core.h"
#include "sidl_memory_space.h"

#pragma GCC visibility push(hidden)

/* Memory of a space; NULL if it is exhausted or the space has no functions. */
void* space_allocate(const struct sidl_memory_space* space, size_t bytes);
void space_release(const struct sidl_memory_space* space, void* first, size_t bytes);

/*
 * Copies `count` elements of `size` bytes, `from_step` and `to_step` bytes apart, of which one or
 * both are elsewhere.
 */
bool space_copy(const struct sidl_memory_space* from_space, const char* from, ptrdiff_t from_step,
                const struct sidl_memory_space* to_space, char* to, ptrdiff_t to_step, size_t size,
                size_t count);

/* Whether a space may hold such elements. */
bool space_takes(struct element_type of);

/* Logs that a function without an exception was asked for elements that are elsewhere. */
void space_refuse(const struct sidl__array* array);

#pragma GCC visibility pop
#endif
