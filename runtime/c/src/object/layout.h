/*
 * layout.h: whether code compiled for one description of a type may use objects made with another
 * one.
 *
 * The libraries of a process contain the descriptions they were generated with (struct
 * sidl_type_info), which may be of different versions of the same type. Descriptions of equal
 * `layout` are interchangeable. For others it is determined, once, whether the one's code may use
 * the other's objects: methods must have the same slots and signatures, also those of all types
 * whose objects it can get through them, and of those it passes. Types that were only extended at
 * the end are compatible.
 *
 * All functions may be called from any thread. They call no users' code.
 */
#ifndef OBJECT_LAYOUT_H
#define OBJECT_LAYOUT_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/* True if callers compiled for `user` may call objects described by `provider`. */
bool layout_fits(const struct sidl_type_info* user, const struct sidl_type_info* provider);

/*
 * As layout_fits; if not, throws an exception of type `thrown` that names types, members and
 * libraries.
 */
bool layout_check(const struct sidl_type_info* user, const struct sidl_type_info* provider,
                  const struct sidl_type_info* thrown, struct sidl_BaseInterface__object** _ex);

/* As layout_check, for a class whose parent is described by `used`: extensions are not allowed. */
bool layout_check_parent(const struct sidl_type_info* used, const struct sidl_type_info* parent,
                         struct sidl_BaseInterface__object** _ex);

/*
 * To be called before the first object or proxy of a description is made. False with *_ex set if an
 * earlier decision relied on there being none.
 */
bool layout_admit(const struct sidl_type_info* info, struct sidl_BaseInterface__object** _ex);

/*
 * The description of type `id` within `type`: itself, a parent or an interface; NULL if it is none
 * of these.
 */
const struct sidl_type_info* layout_part(const struct sidl_type_info* type, uint64_t id);

#pragma GCC visibility pop
#endif
