/*
 * object.h: internals of objects for the layers above.
 */
#ifndef OBJECT_OBJECT_H
#define OBJECT_OBJECT_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/* The object behind any class or interface pointer. */
static inline struct sidl_object* object_of(const void* any) {
  return ((const struct sidl_facet_object*)any)->d_object;
}

/*
 * Memory for an object of a ready class, with head and facets set up. d_data pointers point to the
 * memory of Impls stored in the object, not constructed yet; the others are NULL.
 */
void* object_allocate(const struct sidl_class* class);

/* Runs the destructors, derived class first, and frees the object. Its count is zero. */
void object_destroy(struct sidl_object* object);

/* An object of a ready class; NULL with *_ex set. */
void* object_create(const struct sidl_class* class, struct sidl_BaseInterface__object** _ex);

/* Offset of the part of an object of `type` that represents the type `id`; -1 if it is not one. */
ptrdiff_t type_view_offset(const struct sidl_type_info* type, uint64_t id);

/*
 * False with *_ex set if the object is of the type, but in an incompatible version, which code
 * compiled for this one must not use.
 */
bool cast_fits(const void* obj, const struct sidl_type_info* type,
               struct sidl_BaseInterface__object** _ex);

/* True if objects of `type` can be cast to `as`. */
bool type_is_a(const struct sidl_type_info* type, const struct sidl_type_info* as);
bool type_id_is_a(const struct sidl_type_info* type, uint64_t id);

#pragma GCC visibility pop
#endif
