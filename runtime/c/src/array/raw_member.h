/*
 * raw_member.h: raw arrays in structs.
 *
 * Such a member is a pointer to memory that its user provides and frees. Next to it is an array,
 * usually NULL, through which a struct from another process owns its memory.
 */
#ifndef ARRAY_RAW_MEMBER_H
#define ARRAY_RAW_MEMBER_H

#include <stdbool.h>

#include "sidlArray.h"
#include "sidl_ior.h"
#include "sidl_raw_array.h"

#pragma GCC visibility push(hidden)

/* The member in the C struct. */
struct raw_member {
  void* first;
  struct sidl__array* owner; /* counted; keeps the memory alive, or NULL */
};

/* The type of the array that represents an array that lies in a struct. */
struct sidl_type_ref inline_type(const struct sidl_type_ref* type);

/* A copy of such an array, whose elements begin at `first`; NULL if memory is exhausted. */
struct sidl__array* inline_array(const struct sidl_type_ref* type, const void* first);

/*
 * Copies the elements of `array`, or zeros if it is NULL, to where they lie in the struct. False
 * with *_ex set if it has other lengths.
 */
bool inline_assign(const struct sidl_type_ref* type, struct sidl__array* array, void* first,
                   const char* what, struct sidl_BaseInterface__object** _ex);

/* Whether `array` has the type's extents; if not, *_ex is set. */
bool raw_array_check(const struct sidl_type_ref* type, const void* values,
                     const struct sidl__array* array, const char* what,
                     struct sidl_BaseInterface__object** _ex);

/*
 * Makes `raw` an array over `memory` with the type's extents; if they are not possible, *_ex is
 * set.
 */
bool raw_memory_open(const struct sidl_type_ref* type, const void* values, void* memory,
                     const char* what, struct sidl_raw_array* raw,
                     struct sidl_BaseInterface__object** _ex);

/* The type of the array that represents a member. */
struct sidl_type_ref raw_member_type(const struct sidl_member_info* member);

/* An array over the member's memory, with a reference for the caller. NULL: *_ex is set. */
struct sidl__array* raw_member_array(const struct sidl_member_info* member, const void* data,
                                     struct sidl_BaseInterface__object** _ex);

/* Makes the member point to the elements of `array`, whose reference it takes over. */
void raw_member_own(struct raw_member* member, struct sidl__array* array);

/*
 * Gives the raw members of a struct, including nested ones, copies of their memory. False with *_ex
 * set if extents and memory disagree; the struct must still be destroyed.
 */
bool raw_members_detach(const struct sidl_struct_info* info, void* data,
                        struct sidl_BaseInterface__object** _ex);

/* Whether all raw members of `from`, including nested ones, fit into those of `to`. */
bool raw_members_fit(const struct sidl_struct_info* info, const void* from, const void* to,
                     struct sidl_BaseInterface__object** _ex);

/*
 * Copies the elements of the raw members of `from` to the memory of those of `to`, which must fit,
 * and moves that memory to `from`.
 */
void raw_members_return(const struct sidl_struct_info* info, void* from, void* to);

#pragma GCC visibility pop
#endif
