/*
 * A STOP in a Fortran implementation, or exit() in any language, ends the whole program without an
 * error, possibly with status 0. When exit handlers run, the frames of the caller of exit() are
 * still on the stack; if one of them begins at an address in an EPV slot, it is a method. So calls
 * need not be recorded.
 */
#include "object/ended_inside.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unwind.h>

#include "object/class.h"
#include "object/library.h"

/* The method that begins at an address. */
struct search {
  void* begin;
  const struct sidl_class* class;
  const struct sidl_method_info* method;
};

/* Inherited functions are found with the parent. */
static bool is_inherited(const struct sidl_class* class, uint16_t slot) {
  if (class->parent == NULL || slot >= class->parent->info->slot_count) return false;
  return ((void**)class->parent->epv)[slot] == ((void**)class->epv)[slot];
}

static void look_in(const struct sidl_class* class, void* data) {
  struct search* const search = data;
  const struct sidl_type_info* const info = class->info;
  if (search->method != NULL) return;
  if (class_is_of_libsidl(class)) return; /* it never ends a process */
  void* const* const slots = class->epv;
  void* const* const statics = class->static_epv;
  for (uint16_t s = 0; s < info->slot_count; ++s) {
    if (slots[s] != search->begin || is_inherited(class, s)) continue;
    search->class = class;
    search->method = info->slots[s];
  }
  for (uint16_t s = 0; statics != NULL && s < info->static_count; ++s) {
    if (statics[s] != search->begin) continue;
    search->class = class;
    search->method = &info->statics[s];
  }
}

/* Loaded on demand, as the C library does: libsidl is not linked with the compiler's unwinder. */
static struct {
  _Unwind_Reason_Code (*backtrace)(_Unwind_Trace_Fn, void*);
  uintptr_t (*region_start)(struct _Unwind_Context*);
} unwinder;

static bool find_unwinder(void) {
  void* const library = dlopen("libgcc_s.so.1", RTLD_LAZY);
  if (library == NULL) return false;
  *(void**)&unwinder.backtrace = dlsym(library, "_Unwind_Backtrace");
  *(void**)&unwinder.region_start = dlsym(library, "_Unwind_GetRegionStart");
  return unwinder.backtrace != NULL && unwinder.region_start != NULL;
}

static _Unwind_Reason_Code look_at(struct _Unwind_Context* frame, void* data) {
  struct search* const search = data;
  search->begin = (void*)unwinder.region_start(frame);
  if (search->begin != NULL) class_each(look_in, search);
  return search->method == NULL ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

static void report(void) {
  struct search search = {0};
  if (!find_unwinder()) return;
  unwinder.backtrace(look_at, &search);
  if (search.method == NULL) return;
  char* const file = library_holding(search.class);
  fprintf(
      stderr,
      "sidl: the process exits in the middle of a call: method %s.%s (in %s) has called exit(), "
      "as STOP does in Fortran. An implementation that cannot continue should throw an exception "
      "instead, which informs the caller and keeps the process alive\n",
      search.class->info->name, search.method->name, file == NULL ? "the program" : file);
  free(file);
}

static void register_report(void) {
  /* Not reported if memory is exhausted. */
  if (atexit(report) == 0) (void)at_quick_exit(report);
}

void ended_inside_watch(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_report);
}
