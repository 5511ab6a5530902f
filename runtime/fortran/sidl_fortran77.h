/**
 * sidl_fortran77.h: what the Fortran 77 face does in C.
 *
 * Old codes know no types but Fortran's own: an object, an array or a struct is a handle, an
 * integer*8 that is its address, 0 for none. What a handle is, nobody checked before the program
 * ran; so these functions do, as far as it can be told.
 *
 * Included by generated code alone, <package>_f77.c.
 */
#ifndef SIDL_FORTRAN77_H
#define SIDL_FORTRAN77_H

#include <stddef.h>
#include <stdint.h>

#include "sidlArray.h"
#include "sidl_String.h"
#include "sidl_ior.h"
#include "sidl_raw_array.h"

/** Before each function that a subroutine of the same file's name in Fortran calls. */
#define SIDL_F77_GLUE __attribute__((visibility("hidden")))

struct sidl_f77_kept;

/** One call on its way from an old code. */
struct sidl_f77_call {
  struct sidl_BaseInterface__object* ex;
  const char* where;          /**< "tour.Kit.sum" */
  struct sidl_f77_kept* kept; /**< references that end with the call */
};

static inline void* sidl_f77_address(int64_t handle) {
  return (void*)(intptr_t)handle;
}

static inline int64_t sidl_f77_handle(const void* address) {
  return (intptr_t)address;
}

/**
 * Ends a call: gives back what it kept, and makes *exception what it threw, or 0.
 */
void sidl_f77_end(struct sidl_f77_call* call, int64_t* exception);

/* ---- objects -----------------------------------------------------------------------------------
 * Any handle of an object will do, as whatever type it was made: it is cast here. These do nothing,
 * and give NULL, when the call has an exception already, and set one if they cannot do.
 */

/** What a method is called on; not none. No reference is taken. */
void* sidl_f77_self(struct sidl_f77_call* call, const int64_t* self,
                    const struct sidl_type_info* type);

/** An `in` argument, NULL for none. No reference is taken for the caller. */
void* sidl_f77_seen(struct sidl_f77_call* call, const int64_t* value,
                    const struct sidl_type_info* type, const char* what);

/**
 * Before a call with an `inout` argument, of which the callee may give the reference back: what
 * sidl_f77_seen gave for *value gets the one that *value had.
 */
void sidl_f77_hand_over(const int64_t* value, void* seen);

/** Takes a reference to an object; gives it. NULL is none. */
void* sidl_f77_share(void* object);

/** Gives a reference back. */
void sidl_f77_drop(void* object);

/* ---- arrays ------------------------------------------------------------------------------------
 */

/** An argument that is an array of such elements and dimensions (0: any), or NULL for none. */
void* sidl_f77_array(struct sidl_f77_call* call, const int64_t* value, int32_t type, int32_t dimen,
                     const char* what);

/* ---- structs: a handle is the address of one that lies in memory of its own --------------------
 */

/** The struct of a handle, which must be of this type. */
void* sidl_f77_struct(struct sidl_f77_call* call, const int64_t* value,
                      const struct sidl_struct_info* type, const char* what);

/** A handle of a struct that takes over what *data owns; 0 if the call has an exception. */
int64_t sidl_f77_new_struct(struct sidl_f77_call* call, const struct sidl_struct_info* type,
                            void* data);

/** Ends a struct. */
void sidl_f77_delete_struct(int64_t handle);

/** As sidl_struct_copy, with memory of its own for raw arrays, which there share theirs. */
void sidl_f77_copy_struct(struct sidl_f77_call* call, const struct sidl_struct_info* type,
                          const void* from, void* to);

/** Copies a raw member's elements to the caller's memory; `owner` is the array beside it. */
void sidl_f77_get_raw(struct sidl_f77_call* call, void* member, const void* owner, int32_t type,
                      int32_t dimen, const int64_t extents[], void* to, const char* what);

/** An array with a copy of the elements that lie at `from`. */
void* sidl_f77_keep_raw(struct sidl_f77_call* call, void* from, int32_t type, int32_t dimen,
                        const int64_t extents[], const char* what);

#endif
