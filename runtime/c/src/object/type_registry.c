/*
 * type_registry.c: the types this process knows by name.
 *
 * A hash table of lists that only grow: entries are static tables of libraries that stay mapped,
 * linked through their own caches. Registration and lookup need no locks or memory, and work in any
 * constructor and on any thread.
 */
#include "object/type_registry.h"

#include <dlfcn.h>
#include <string.h>

#include "base/atomic.h"
#include "base/hash.h"

enum { BUCKETS = 1024 };

static const struct sidl_type_info* buckets[BUCKETS];

static const struct sidl_type_info* find(const struct sidl_type_info* type, uint64_t id,
                                         const char* name) {
  while (type != NULL && (type->id != id || strcmp(type->name, name) != 0)) {
    type = atomic_load_acquire(&type->cache->next);
  }
  return type;
}

/*
 * Pins the library with these tables, as others may hold addresses in it from now on. (The cache's
 * address is used, as the program may have a copy of the table.) Types of a library are registered
 * one after another, so usually one dlopen per library is made.
 */
static void pin_library(const struct sidl_type_info* type) {
  static const void* last;
  Dl_info info;
  if (dladdr(type->cache, &info) == 0 || info.dli_fname == NULL) return;
  if (atomic_load_acquire(&last) == info.dli_fbase) return;
  /* Fails for the program itself, which is never unloaded. */
  dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  atomic_store_release(&last, info.dli_fbase);
}

void sidl_type_register(const struct sidl_type_info* type) {
  pin_library(type);
  const struct sidl_type_info** const bucket = &buckets[type->id % BUCKETS];
  const struct sidl_type_info* head = atomic_load_acquire(bucket);
  do {
    /* A type may be compiled into several libraries; the first one stands for all. */
    if (find(head, type->id, type->name) != NULL) return;
    atomic_store_release(&type->cache->next, head);
  } while (
      !__atomic_compare_exchange_n(bucket, &head, type, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
}

const struct sidl_type_info* sidl_type_find(const char* name) {
  if (name == NULL) return NULL;
  const uint64_t id = fnv1a(name);
  return find(atomic_load_acquire(&buckets[id % BUCKETS]), id, name);
}

void type_registry_each(void (*visit)(const struct sidl_type_info* type, void* data), void* data) {
  for (size_t b = 0; b < BUCKETS; ++b) {
    const struct sidl_type_info* type = atomic_load_acquire(&buckets[b]);
    for (; type != NULL; type = atomic_load_acquire(&type->cache->next)) visit(type, data);
  }
}
