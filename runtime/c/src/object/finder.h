/*
 * finder.h: a search path and the contents of its catalogues: the state of a sidl.DFinder.
 *
 * The path is initially SIDL_DLL_PATH; libsidl's own folder is always an implicit last part. May be
 * used from several threads.
 */
#ifndef OBJECT_FINDER_H
#define OBJECT_FINDER_H

#include <stdbool.h>
#include <stddef.h>

#include "object/library.h"

#pragma GCC visibility push(hidden)

struct finder;

/* sidl.Loader's finder until it is replaced; never destroyed. */
struct finder* finder_default(void);

/* NULL if memory is exhausted. Destroying the default finder does nothing. */
struct finder* finder_create(void);
void finder_destroy(struct finder* finder);

/* The search path, to be freed. False or NULL if memory is exhausted. */
char* finder_get_path(struct finder* finder);
bool finder_set_path(struct finder* finder, const char* path);
bool finder_add_path(struct finder* finder, const char* fragment);

/* Copies the number-th entry for a class, from 0; false if there is none or memory is exhausted. */
bool finder_lookup(struct finder* finder, const char* class_name, const char* description,
                   size_t number, struct library_entry* entry);

/* Calls `visit` with the name of each class in the catalogues; it must not call the finder. */
void finder_each_class(struct finder* finder, void (*visit)(const char* class_name, void* data),
                       void* data);

/* Copies the name of the i-th library named on the path itself, or NULL; free. */
char* finder_library(struct finder* finder, size_t i);

/* What was searched, and problems found, for messages; free. */
char* finder_report(struct finder* finder);

#pragma GCC visibility pop
#endif
