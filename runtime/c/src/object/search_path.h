/*
 * search_path.h: the text of a search path.
 *
 * Elements are separated by ';', or by ':' in a text without any ';', as other variables of this
 * kind are: so an element with a ':' of its own can be written, with a ';' behind it. The ':' of
 * "file:" at the beginning of an element belongs to a URI. Inside the runtime ';' separates always.
 */
#ifndef OBJECT_SEARCH_PATH_H
#define OBJECT_SEARCH_PATH_H

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* A copy in which ';' separates, if anything does; NULL: no memory. free. */
char* search_path_copy(const char* text);

/* Both, the first one first; either may be empty. NULL: no memory. free. */
char* search_path_join(const char* path, const char* fragment);

/* Calls `visit` with every element of a copy, empty ones too; false: no memory. */
bool search_path_visit(const char* path, void (*visit)(void* context, const char* element),
                       void* context);

#pragma GCC visibility pop
#endif
