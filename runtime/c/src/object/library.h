/*
 * library.h: dynamic libraries and the catalogues (.scl) that list their classes.
 *
 * The state of sidl.Loader. Libraries are never unmapped: objects, classes and registered types may
 * live in them.
 */
#ifndef OBJECT_LIBRARY_H
#define OBJECT_LIBRARY_H

#include <stdbool.h>

#include "sidl_ior.h"

struct sidl_DLL__object;
struct sidl_Finder__object;

#pragma GCC visibility push(hidden)

/*
 * The function <Type>__class of the class called `name`, or NULL. `near` is an address in the
 * library of the class's stubs, or NULL.
 */
sidl_class_function library_find_class(const char* name, const void* near);

/*
 * The same, but only where the search begins: in the program and its libraries, in the library that
 * contains `near` and those it is linked with, in those passed to sidl.Loader, and in those that
 * come with libsidl.
 */
sidl_class_function library_find_linked_class(const char* name, const void* near);

/*
 * The same, but only in loaded libraries: all that were opened here, whatever their scope, and
 * those that come with libsidl.
 */
sidl_class_function library_find_loaded_class(const char* name, const void* near);

/* The file of the library or program that `address` is in, or NULL; free. */
char* library_holding(const void* address);

/* "pkg.Type" > "pkg_Type__class"; free. */
char* library_class_symbol(const char* class_name);

/*
 * Where the class was searched, and problems with the catalogues and the libraries they list for
 * it; for messages; free.
 */
char* library_search_report(const char* class_name);

/* Where and how to load a library. */
struct library_entry {
  char* class_name;
  char* description; /* "ior/impl" */
  char* uri;         /* as dlopen takes it; "main:" for the program */
  bool global;
  bool lazy;
};

void library_entry_free(struct library_entry* entry);

/* dlopen with tracing; NULL on failure. `uri` is a file, "file:…" or "main:". */
void* library_open(const char* uri, bool global, bool lazy);
void* library_symbol(void* handle, const char* symbol);

/* The function <Type>__class in one library, or NULL. */
sidl_class_function library_class_in(void* handle, const char* class_name);

/* The dlopen handle behind a sidl.DLL, or NULL. (impl/sidl_DLL_Impl.c) */
void* library_dll_handle(struct sidl_DLL__object* dll);

/* Adds a library to those searched for classes; removes all of them. */
bool library_remember(void* handle);
void library_forget_all(void);

/*
 * The finder that replaces the default one, with a reference for the caller, or NULL; and sets it.
 * If there is one, only it is used to find class libraries that are not loaded yet.
 */
struct sidl_Finder__object* library_finder(void);
void library_set_finder(struct sidl_Finder__object* finder);

/* A line on standard error if SIDL_DEBUG_DLOPEN is set. */
void library_trace(const char* format, ...) __attribute__((format(printf, 1, 2)));

#pragma GCC visibility pop
#endif
