/*
 * search_path.h: parsing search paths.
 *
 * Elements are separated by ';', or in a text without ';' by ':', as in other path variables. So an
 * element that contains ':' can be given with a ';' after it. The ':' of "file:" at the beginning
 * of an element is part of a URI. Within the runtime the separator is always ';'.
 */
#ifndef OBJECT_SEARCH_PATH_H
#define OBJECT_SEARCH_PATH_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* A copy with ';' as separator; NULL if memory is exhausted. To be freed. */
char* search_path_copy(const char* text);

/*
 * Concatenates two paths, either of which may be empty. NULL if memory is exhausted. To be freed.
 */
char* search_path_join(const char* path, const char* fragment);

/*
 * Calls `visit` with every element of a copy, including empty ones; false if memory is exhausted.
 */
bool search_path_visit(const char* path, void (*visit)(void* context, const char* element),
                       void* context);

#pragma GCC visibility pop
#endif
