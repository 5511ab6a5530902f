/*
 * class.h: implementations of classes: finding them and making them ready.
 *
 * A class is ready once its empty EPV slots have its parent's functions, its facets have EPVs and
 * its load function has run. Only ready classes are in a type's cache, so looking one up costs a
 * single atomic read.
 */
#ifndef OBJECT_CLASS_H
#define OBJECT_CLASS_H

#include <stdbool.h>

#include "base/atomic.h"
#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/* Finds the implementation of `type` and makes it ready; NULL with *_ex set. */
struct sidl_class* class_load(const struct sidl_type_info* type,
                              struct sidl_BaseInterface__object** _ex);

/*
 * As class_load, but loads no library: finds implementations that this process has made ready, or
 * in any library that libsidl has opened. A class without methods of its own is synthesised from
 * its parent's even if a catalogue lists an implementation. NULL without an exception if there is
 * none.
 */
struct sidl_class* class_load_linked(const struct sidl_type_info* type,
                                     struct sidl_BaseInterface__object** _ex);

/* As class_load, for a class whose type may not be registered yet. */
struct sidl_class* class_load_by_name(const char* name, struct sidl_BaseInterface__object** _ex);

/* The ready implementation of `type`; NULL with *_ex set. */
static inline struct sidl_class* class_of_type(const struct sidl_type_info* type,
                                               struct sidl_BaseInterface__object** _ex) {
  struct sidl_class* const known = atomic_load_acquire(&type->cache->implementation);
  return known != NULL ? known : class_load(type, _ex);
}

/* Makes a class ready, once. False with *_ex set. */
bool class_prepare(struct sidl_class* class, struct sidl_BaseInterface__object** _ex);

/* False only while the class's load function runs. */
bool class_is_ready(const struct sidl_class* class);

/*
 * Makes a class ready whose parent and EPV are complete, and which was not found by a search. False
 * if memory is exhausted.
 */
bool class_finish(struct sidl_class* class);

/*
 * A class without anything of its own, which uses its parent's functions. NULL if memory is
 * exhausted.
 */
struct sidl_class* class_synthesise(const struct sidl_type_info* type);

/* The class of all proxies of `type`; NULL with *_ex set. */
struct sidl_class* class_proxy(const struct sidl_type_info* type,
                               struct sidl_BaseInterface__object** _ex);

/*
 * The class of objects of `type` after sidl_end: calling a method of one throws. NULL with *_ex
 * set.
 */
struct sidl_class* class_ended(const struct sidl_type_info* type,
                               struct sidl_BaseInterface__object** _ex);

/* True for the classes of package sidl. */
bool class_is_of_libsidl(const struct sidl_class* class);

/* An implementation of `type` that has been made ready, in any library; NULL if there is none. */
struct sidl_class* class_made_ready(const struct sidl_type_info* type);

/* Calls `visit` for each implementation that has been made ready, without a lock. */
void class_each(void (*visit)(const struct sidl_class* class, void* data), void* data);

/* The implementation of one of libsidl's own classes, or NULL. (builtin_classes.c) */
sidl_class_function class_builtin(const struct sidl_type_info* type);

/* Held while classes change state; recursive. */
void class_lock(void);
void class_unlock(void);

#pragma GCC visibility pop
#endif
