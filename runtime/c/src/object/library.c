#include "object/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "object/catalogue.h"
#include "sidl_String.h"

/*
 * The lock is never held while a library is opened: its constructors may call us, and the dynamic
 * linker has locks of its own.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char* search_path;          /* NULL: not read from the environment yet */
static struct catalogue catalogue; /* of search_path */
static bool catalogue_is_read;
static void** remembered; /* handles of libraries given to sidl.Loader */
static size_t remembered_count;

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

/* ---- search path ------------------------------------------------------------------------- */

/* The folder libsidl itself is in: always the last part of the path. */
static char* own_folder(void) {
  Dl_info info;
  static const char here;
  if (dladdr(&here, &info) == 0 || info.dli_fname == NULL) return NULL;
  const char* const slash = strrchr(info.dli_fname, '/');
  return slash == NULL ? NULL
                       : sidl_String_strndup(info.dli_fname, (size_t)(slash - info.dli_fname));
}

/* With the lock held, as all functions called *_locked. */
static bool path_locked(void) {
  if (search_path == NULL) {
    const char* const path = getenv("SIDL_DLL_PATH");
    search_path = sidl_String_strdup(path == NULL ? "" : path);
  }
  return search_path != NULL;
}

static void catalogue_locked(void) {
  if (catalogue_is_read || !path_locked()) return;
  char* const folder = own_folder();
  catalogue_free(&catalogue);
  catalogue_read(&catalogue, search_path);
  if (folder != NULL) catalogue_read(&catalogue, folder);
  catalogue_is_read = true;
  free(folder);
}

char* library_get_path(void) {
  pthread_mutex_lock(&lock);
  char* const path = path_locked() ? sidl_String_strdup(search_path) : NULL;
  pthread_mutex_unlock(&lock);
  return path;
}

bool library_set_path(const char* path) {
  char* const copy = sidl_String_strdup(path == NULL ? "" : path);
  if (copy == NULL) return false;
  pthread_mutex_lock(&lock);
  free(search_path);
  search_path = copy;
  catalogue_is_read = false;
  pthread_mutex_unlock(&lock);
  return true;
}

bool library_add_path(const char* fragment) {
  if (fragment == NULL || *fragment == '\0') return true;
  pthread_mutex_lock(&lock);
  char* const path = !path_locked()         ? NULL
                     : *search_path == '\0' ? sidl_String_strdup(fragment)
                                            : text_format("%s;%s", search_path, fragment);
  if (path != NULL) {
    free(search_path);
    search_path = path;
    catalogue_is_read = false;
  }
  pthread_mutex_unlock(&lock);
  return path != NULL;
}

char* library_search_report(void) {
  pthread_mutex_lock(&lock);
  char* const folder = own_folder();
  const bool known = path_locked();
  char* const report =
      text_format("%s%s%s%s%s%s", known && *search_path != '\0' ? search_path : "",
                  known && *search_path != '\0' ? ";" : "", folder == NULL ? "" : folder,
                  catalogue.problems.length > 0 ? " (problems: " : "",
                  catalogue.problems.length > 0 ? catalogue.problems.chars : "",
                  catalogue.problems.length > 0 ? ")" : "");
  pthread_mutex_unlock(&lock);
  free(folder);
  return report;
}

bool library_lookup(const char* class_name, const char* description, struct library_entry* entry) {
  bool found = false;
  pthread_mutex_lock(&lock);
  catalogue_locked();
  for (size_t i = 0; i < catalogue.count && !found; ++i) {
    const struct library_entry* const e = &catalogue.entries[i];
    if (strcmp(e->class_name, class_name) != 0) continue;
    if (description != NULL && strcmp(e->description, description) != 0) continue;
    *entry = (struct library_entry){
        .class_name = sidl_String_strdup(e->class_name),
        .description = sidl_String_strdup(e->description),
        .uri = sidl_String_strdup(e->uri),
        .global = e->global,
        .lazy = e->lazy,
    };
    found = entry->class_name != NULL && entry->description != NULL && entry->uri != NULL;
    if (!found) {
      library_entry_free(entry);
      break;
    }
  }
  pthread_mutex_unlock(&lock);
  return found;
}

/* ---- libraries ----------------------------------------------------------------------------- */

void* library_open(const char* uri, bool global, bool lazy) {
  const int flags = (global ? RTLD_GLOBAL : RTLD_LOCAL) | (lazy ? RTLD_LAZY : RTLD_NOW);
  const char* file = uri;
  if (strncmp(uri, "file://", 7) == 0) {
    file = uri + 7;
  } else if (strncmp(uri, "file:", 5) == 0) {
    file = uri + 5;
  } else if (strncmp(uri, "main:", 5) == 0) {
    file = NULL;
  }
  /* a libtool library is a text beside the real one */
  char* real = NULL;
  if (file != NULL && sidl_String_endsWith(file, ".la")) {
    real = text_format("%.*s.so", (int)(strlen(file) - 3), file);
    if (real == NULL) return NULL;
    file = real;
  }
  void* const handle = dlopen(file, flags);
  library_trace("dlopen %s (%s, %s): %s", uri, global ? "global" : "local", lazy ? "lazy" : "now",
                handle == NULL ? dlerror() : "loaded");
  free(real);
  return handle;
}

void* library_symbol(void* handle, const char* symbol) {
  void* const address = dlsym(handle, symbol);
  library_trace("dlsym %s: %s", symbol, address == NULL ? "not found" : "found");
  return address;
}

bool library_remember(void* handle) {
  pthread_mutex_lock(&lock);
  void** const handles = realloc(remembered, (remembered_count + 1) * sizeof *handles);
  if (handles != NULL) {
    remembered = handles;
    remembered[remembered_count++] = handle;
  }
  pthread_mutex_unlock(&lock);
  return handles != NULL;
}

void library_forget_all(void) {
  pthread_mutex_lock(&lock);
  free(remembered);
  remembered = NULL;
  remembered_count = 0;
  pthread_mutex_unlock(&lock);
}

static void* in_remembered(const char* symbol) {
  void* address = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = remembered_count; i-- > 0 && address == NULL;) {
    address = dlsym(remembered[i], symbol);
  }
  pthread_mutex_unlock(&lock);
  return address;
}

/* In the library that contains `near` and those it is linked with. */
static void* in_neighbours(const char* symbol, const void* near) {
  Dl_info info;
  if (near == NULL || dladdr(near, &info) == 0 || info.dli_fname == NULL) return NULL;
  void* const handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == NULL) return NULL;
  void* const address = dlsym(handle, symbol);
  dlclose(handle); /* only the count that RTLD_NOLOAD took */
  return address;
}

static void* in_catalogues(const char* class_name, const char* symbol) {
  struct library_entry entry;
  if (!library_lookup(class_name, "ior/impl", &entry)) return NULL;
  void* const handle = library_open(entry.uri, entry.global, entry.lazy);
  library_entry_free(&entry);
  return handle == NULL ? NULL : library_symbol(handle, symbol);
}

/* Copies the name of the i-th library named on the path itself; free. */
static char* path_library(size_t i) {
  pthread_mutex_lock(&lock);
  catalogue_locked();
  char* const name =
      i < catalogue.library_count ? sidl_String_strdup(catalogue.libraries[i]) : NULL;
  pthread_mutex_unlock(&lock);
  return name;
}

static void* in_path_libraries(const char* symbol) {
  void* address = NULL;
  for (size_t i = 0; address == NULL; ++i) {
    char* const name = path_library(i);
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
  return address != NULL ? address : in_remembered(symbol);
}

static void* in_unloaded(const char* name, const char* symbol) {
  void* const address = in_catalogues(name, symbol);
  return address != NULL ? address : in_path_libraries(symbol);
}

static sidl_class_function find_class(const char* name, const void* near, bool may_load) {
  char* const symbol = library_class_symbol(name);
  if (symbol == NULL) return NULL;
  void* address = in_loaded(symbol, near);
  if (address == NULL && may_load) address = in_unloaded(name, symbol);
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
