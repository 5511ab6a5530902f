#include "object/library.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fork.h"
#include "base/reference.h"
#include "base/text.h"
#include "object/finder.h"
#include "object/libtool.h"
#include "sidl_Finder.h"
#include "sidl_Resolve.h"
#include "sidl_Scope.h"
#include "sidl_String.h"
#include "sidl_process.h"

struct handles {
  void** items;
  size_t count;
};

/*
 * The lock is never held while a library is opened: its constructors may call us, and the dynamic
 * linker has locks of its own.
 */
TABLE_LOCK(lock);
static struct handles remembered;               /* of libraries passed to sidl.Loader */
static struct handles opened;                   /* of all opened libraries, each once */
static struct sidl_Finder__object* replacement; /* of the default finder; holds a reference */

void library_trace(const char* format, ...) {
  if (getenv("SIDL_DEBUG_DLOPEN") == NULL && getenv("sidl_DEBUG_DLOPEN") == NULL) return;
  va_list arguments;
  va_start(arguments, format);
  char* const message = text_vformat(format, arguments);
  va_end(arguments);
  if (message != NULL) fprintf(stderr, "sidl: %s\n", message);
  free(message);
}

char* library_holding(const void* address) {
  Dl_info info;
  return dladdr(address, &info) == 0 ? NULL : sidl_String_strdup(info.dli_fname);
}

char* library_class_symbol(const char* class_name) {
  char* const symbol = text_format("%s__class", class_name);
  if (symbol != NULL) sidl_String_replace(symbol, '.', '_');
  return symbol;
}

/* ---- finding them ---------------------------------------------------------------------------- */

struct sidl_Finder__object* library_finder(void) {
  pthread_mutex_lock(&lock);
  struct sidl_Finder__object* const finder =
      replacement == NULL ? NULL : reference_take(replacement);
  pthread_mutex_unlock(&lock);
  return finder;
}

void library_set_finder(struct sidl_Finder__object* finder) {
  if (finder != NULL) reference_take(finder);
  pthread_mutex_lock(&lock);
  struct sidl_Finder__object* const old = replacement;
  replacement = finder;
  pthread_mutex_unlock(&lock);
  if (old != NULL) reference_drop(old);
}

/* ---- libraries ----------------------------------------------------------------------------- */

/* `reason` of a failure is valid until this thread's next call. */
static void* open_library(const char* uri, bool global, bool lazy, const char** reason) {
  const int flags = (global ? RTLD_GLOBAL : RTLD_LOCAL) | (lazy ? RTLD_LAZY : RTLD_NOW);
  const char* file = uri;
  if (strncmp(uri, "file://", 7) == 0) {
    file = uri + 7;
  } else if (strncmp(uri, "file:", 5) == 0) {
    file = uri + 5;
  } else if (strncmp(uri, "main:", 5) == 0) {
    file = NULL;
  }
  char* real = NULL;
  if (file != NULL && sidl_String_endsWith(file, ".la")) {
    real = libtool_library(file);
    *reason = "no memory";
    if (real == NULL) return NULL;
    file = real;
  }
  sidl_begin_loading();
  void* const handle = dlopen(file, flags);
  *reason = handle == NULL ? dlerror() : "loaded";
  sidl_end_loading();
  free(real);
  return handle;
}

static bool add_locked(struct handles* handles, void* handle) {
  void** const items = realloc(handles->items, (handles->count + 1) * sizeof *items);
  if (items == NULL) return false;
  handles->items = items;
  items[handles->count++] = handle;
  return true;
}

/*
 * If memory is exhausted, values of its classes cannot be unpacked until an object of them was
 * made.
 */
static void note_opened(void* handle) {
  pthread_mutex_lock(&lock);
  size_t i = 0;
  while (i < opened.count && opened.items[i] != handle) ++i;
  if (i == opened.count) add_locked(&opened, handle);
  pthread_mutex_unlock(&lock);
}

void* library_open(const char* uri, bool global, bool lazy) {
  const char* reason;
  void* const handle = open_library(uri, global, lazy, &reason);
  if (handle != NULL) note_opened(handle);
  library_trace("dlopen %s (%s, %s): %s", uri, global ? "global" : "local", lazy ? "lazy" : "now",
                reason);
  return handle;
}

void* library_symbol(void* handle, const char* symbol) {
  void* const address = dlsym(handle, symbol);
  library_trace("dlsym %s: %s", symbol, address == NULL ? "not found" : "found");
  return address;
}

bool library_remember(void* handle) {
  pthread_mutex_lock(&lock);
  const bool ok = add_locked(&remembered, handle);
  pthread_mutex_unlock(&lock);
  return ok;
}

void library_forget_all(void) {
  pthread_mutex_lock(&lock);
  free(remembered.items);
  remembered = (struct handles){NULL, 0};
  pthread_mutex_unlock(&lock);
}

/* The symbol in the most recent of these libraries that has it. */
static void* in_handles(const struct handles* handles, const char* symbol) {
  void* address = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = handles->count; i-- > 0 && address == NULL;) {
    address = dlsym(handles->items[i], symbol);
  }
  pthread_mutex_unlock(&lock);
  return address;
}

/* The symbol in the library that contains `near` and those it is linked with. */
static void* in_neighbours(const char* symbol, const void* near) {
  Dl_info info;
  if (near == NULL || dladdr(near, &info) == 0 || info.dli_fname == NULL) return NULL;
  void* const handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == NULL) return NULL;
  void* const address = dlsym(handle, symbol);
  dlclose(handle); /* only undoes the count of RTLD_NOLOAD */
  return address;
}

/*
 * The symbol in the first existing library that the catalogues list for the class and that has it.
 */
static void* in_catalogues(const char* class_name, const char* symbol) {
  struct library_entry entry;
  void* address = NULL;
  for (size_t i = 0; address == NULL; ++i) {
    if (!finder_lookup(finder_default(), class_name, "ior/impl", i, &entry)) return NULL;
    void* const handle = library_open(entry.uri, entry.global, entry.lazy);
    library_entry_free(&entry);
    if (handle != NULL) address = library_symbol(handle, symbol);
  }
  return address;
}

/* Opens the library again to get the reason, for a message. */
static char* failure_of(const struct library_entry* entry, const char* class_name) {
  const char* reason;
  void* const handle = open_library(entry->uri, entry->global, entry->lazy, &reason);
  return handle == NULL ? sidl_explain_unloadable(reason)
                        : text_format("%s lacks class %s", entry->uri, class_name);
}

char* library_search_report(const char* class_name) {
  char* report = finder_report(finder_default());
  struct library_entry entry;
  for (size_t i = 0; finder_lookup(finder_default(), class_name, "ior/impl", i, &entry); ++i) {
    char* const failure = failure_of(&entry, class_name);
    char* const longer =
        text_format("%s; %s", report == NULL ? "?" : report, failure == NULL ? entry.uri : failure);
    library_entry_free(&entry);
    free(failure);
    free(report);
    report = longer;
  }
  return report;
}

static void* in_path_libraries(const char* symbol) {
  void* address = NULL;
  for (size_t i = 0; address == NULL; ++i) {
    char* const name = finder_library(finder_default(), i);
    if (name == NULL) return NULL;
    void* const handle = library_open(name, false, true);
    if (handle != NULL) address = library_symbol(handle, symbol);
    free(name);
  }
  return address;
}

/* POSIX: an address from dlsym may be a function's, though ISO C has no conversion. */
static sidl_class_function as_function(void* address) {
  sidl_class_function function = NULL;
  memcpy(&function, &address, sizeof function);
  return function;
}

sidl_class_function library_class_in(void* handle, const char* class_name) {
  char* const symbol = library_class_symbol(class_name);
  void* const address = symbol == NULL ? NULL : library_symbol(handle, symbol);
  free(symbol);
  return as_function(address);
}

static void* in_loaded(const char* symbol, const void* near) {
  void* address = dlsym(RTLD_DEFAULT, symbol);
  if (address == NULL) address = in_neighbours(symbol, near);
  return address != NULL ? address : in_handles(&remembered, symbol);
}

/* Searches with a finder supplied by the user; its exceptions are only traced. */
static void* by_replacement(struct sidl_Finder__object* finder, const char* name,
                            const char* symbol) {
  struct sidl_BaseInterface__object* ex = NULL;
  struct sidl_DLL__object* const dll = sidl_Finder_findLibrary(
      finder, name, "ior/impl", sidl_Scope_SCLSCOPE, sidl_Resolve_SCLRESOLVE, &ex);
  if (ex != NULL) library_trace("the finder failed for class %s", name);
  reference_drop(ex);
  void* const handle = library_dll_handle(dll);
  void* const address = handle == NULL ? NULL : library_symbol(handle, symbol);
  if (dll != NULL) reference_drop(dll);
  return address;
}

static void* in_unloaded(const char* name, const char* symbol) {
  struct sidl_Finder__object* const finder = library_finder();
  if (finder != NULL) {
    void* const found = by_replacement(finder, name, symbol);
    reference_drop(finder);
    return found;
  }
  void* const address = in_catalogues(name, symbol);
  return address != NULL ? address : in_path_libraries(symbol);
}

/*
 * The symbol in the library of a part of the standard library: libsidl_par.so, beside this one, has
 * the classes of sidl.par.
 */
static void* in_companion(const char* name, const char* symbol) {
  static const char standard[] = "sidl.";
  if (strncmp(name, standard, sizeof standard - 1) != 0) return NULL;
  const char* const package = name + sizeof standard - 1;
  const char* const end = strchr(package, '.');
  char* const own = end == NULL ? NULL : library_holding(&opened);
  const char* const slash = own == NULL ? NULL : strrchr(own, '/');
  char* const file = slash == NULL ? NULL
                                   : text_format("%.*s/libsidl_%.*s.so", (int)(slash - own), own,
                                                 (int)(end - package), package);
  void* const handle = file == NULL ? NULL : library_open(file, false, true);
  free(own);
  free(file);
  return handle == NULL ? NULL : library_symbol(handle, symbol);
}

static void* in_linked(const char* name, const char* symbol, const void* near) {
  void* const address = in_loaded(symbol, near);
  return address != NULL ? address : in_companion(name, symbol);
}

sidl_class_function library_find_linked_class(const char* name, const void* near) {
  char* const symbol = library_class_symbol(name);
  void* const address = symbol == NULL ? NULL : in_linked(name, symbol, near);
  free(symbol);
  return as_function(address);
}

static sidl_class_function find_class(const char* name, const void* near, bool may_load) {
  char* const symbol = library_class_symbol(name);
  if (symbol == NULL) return NULL;
  void* address = in_linked(name, symbol, near);
  if (address == NULL) {
    address = may_load ? in_unloaded(name, symbol) : in_handles(&opened, symbol);
  }
  library_trace("class %s: %s", name, address == NULL ? "not found" : "found");
  free(symbol);
  return as_function(address);
}

sidl_class_function library_find_class(const char* name, const void* near) {
  return find_class(name, near, true);
}

sidl_class_function library_find_loaded_class(const char* name, const void* near) {
  return find_class(name, near, false);
}
