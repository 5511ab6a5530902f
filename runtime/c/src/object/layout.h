/*
 * layout.h: whether code that was compiled for one description of a type may use objects that were
 * made by another.
 *
 * The libraries of a process bring the descriptions they were generated with (struct
 * sidl_type_info), which may be of different versions of the same type. Descriptions of equal
 * `layout` are interchangeable, and nothing more is asked. For two others it is worked out, once,
 * whether the one's code may use the other's objects: its methods stand in the same places with the
 * same signatures, so do those of all types whose objects it can get hold of through them, and of
 * those that it hands over in its turn. What has grown at its end fits.
 *
 * All functions may be called from any thread. They call nobody else's code.
 */
#ifndef OBJECT_LAYOUT_H
#define OBJECT_LAYOUT_H

#include <stdbool.h>

#include "sidl_ior.h"

#pragma GCC visibility push(hidden)

/* True if callers made for `user` may call objects described by `provider`. */
bool layout_fits(const struct sidl_type_info* user, const struct sidl_type_info* provider);

/* As layout_fits; if not, an exception of type `thrown` names types, members and libraries. */
bool layout_check(const struct sidl_type_info* user, const struct sidl_type_info* provider,
                  const struct sidl_type_info* thrown, struct sidl_BaseInterface__object** _ex);

/* As layout_check, for a class whose parent `used` describes: nothing may have grown. */
bool layout_check_parent(const struct sidl_type_info* used, const struct sidl_type_info* parent,
                         struct sidl_BaseInterface__object** _ex);

/*
 * Called before the first object of a class or the first proxy is made: there are objects of these
 * descriptions now. False with *_ex set if somebody relies on there being none.
 */
bool layout_admit(const struct sidl_type_info* info, struct sidl_BaseInterface__object** _ex);

/* How `type` describes what it is called `id` as: itself, a parent or an interface; NULL: it is
 * none. */
const struct sidl_type_info* layout_part(const struct sidl_type_info* type, uint64_t id);

#pragma GCC visibility pop
#endif
