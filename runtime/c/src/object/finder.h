/*
 * finder.h: a search path and what the catalogues on it say: the state of a sidl.DFinder.
 *
 * The path begins as SIDL_DLL_PATH; the folder libsidl is in is always its last part, unsaid. May
 * be used from several threads.
 */
#ifndef OBJECT_FINDER_H
#define OBJECT_FINDER_H

#include <stdbool.h>
#include <stddef.h>

#include "object/library.h"

#pragma GCC visibility push(hidden)

struct finder;

/* The one that sidl.Loader has until it is given another; never destroyed. */
struct finder* finder_default(void);

/* NULL: no memory. The default finder may be "destroyed" too: nothing happens. */
struct finder* finder_create(void);
void finder_destroy(struct finder* finder);

/* The search path; free. False or NULL: no memory. */
char* finder_get_path(struct finder* finder);
bool finder_set_path(struct finder* finder, const char* path);
bool finder_add_path(struct finder* finder, const char* fragment);

/* Copies the number-th entry for a class, from 0; false if there is none or no memory. */
bool finder_lookup(struct finder* finder, const char* class_name, const char* description,
                   size_t number, struct library_entry* entry);

/* Calls `visit` with the name of each class that the catalogues name; it must not call us. */
void finder_each_class(struct finder* finder, void (*visit)(const char* class_name, void* data),
                       void* data);

/* Copies the name of the i-th library named on the path itself, or NULL; free. */
char* finder_library(struct finder* finder, size_t i);

/* What was searched and what was wrong with it, for messages; free. */
char* finder_report(struct finder* finder);

#pragma GCC visibility pop
#endif
