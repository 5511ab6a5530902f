/**
 * sidl_fortran77.h: the C part of the Fortran 77 interface.
 *
 * Old codes have only Fortran's basic types: an object, an array or a struct is a handle, an
 * integer*8 with its address, 0 for null. Handles are not checked at compile time, so these
 * functions check them as far as possible.
 *
 * Included only by generated code, <package>_f77.c.
 */
#ifndef SIDL_FORTRAN77_H
#define SIDL_FORTRAN77_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sidlArray.h"
#include "sidl_String.h"
#include "sidl_ior.h"
#include "sidl_raw_array.h"
#include "sidl_struct_array.h"

/** For functions called by the subroutines in the corresponding Fortran file. */
#define SIDL_F77_GLUE __attribute__((visibility("hidden")))

struct sidl_f77_kept;

/** A call from an old code. */
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

/** Ends a call: drops what it kept, and sets *exception to what it threw, or 0. */
void sidl_f77_end(struct sidl_f77_call* call, int64_t* exception);

/*
 * ---- objects -----------------------------------------------------------------------------------
 * Accept any handle of an object, of any of its types, and cast it. They do nothing and return NULL
 * if the call has an exception already, and set one on failure.
 */

/** The object of a method call; must not be null. No reference is added. */
void* sidl_f77_self(struct sidl_f77_call* call, const int64_t* self,
                    const struct sidl_type_info* type);

/** An `in` argument, which may be null. No reference is added for the caller. */
void* sidl_f77_seen(struct sidl_f77_call* call, const int64_t* value,
                    const struct sidl_type_info* type, const char* what);

/**
 * Before a call with an `inout` argument, whose reference the callee may drop: moves the reference
 * of *value to the result of sidl_f77_seen.
 */
void sidl_f77_hand_over(const int64_t* value, void* seen);

/** Adds a reference to an object, which may be NULL, and returns it. */
void* sidl_f77_share(void* object);

/** Drops a reference. */
void sidl_f77_drop(void* object);

/* ---- arrays ------------------------------------------------------------------------------------
 */

/** An array argument of this element type and number of dimensions (0: any); may be null. */
void* sidl_f77_array(struct sidl_f77_call* call, const int64_t* value, int32_t type, int32_t dimen,
                     const char* what);

/** The same for an array of structs. */
void* sidl_f77_struct_array(struct sidl_f77_call* call, const int64_t* value,
                            const struct sidl_struct_info* type, int32_t dimen, const char* what);

/** A new array of structs, `ordering` as for ensure; 0 if there cannot be such an array. */
int64_t sidl_f77_create_structs(const struct sidl_struct_info* type, int32_t ordering,
                                int32_t dimen, const int32_t lower[], const int32_t upper[]);
int64_t sidl_f77_create_structs64(const struct sidl_struct_info* type, int32_t ordering,
                                  int32_t dimen, const int64_t lower[], const int64_t upper[]);

/** As slice; 0 if there cannot be such a section. */
int64_t sidl_f77_slice_structs(void* array, int32_t dimen, const int32_t count[],
                               const int32_t start[], const int32_t stride[],
                               const int32_t lower[]);
int64_t sidl_f77_slice_structs64(void* array, int32_t dimen, const int64_t count[],
                                 const int64_t start[], const int64_t stride[],
                                 const int64_t lower[]);

/** Makes *to a copy of the element with these indices, `count` of them; zero if there is none. */
void sidl_f77_get_element(struct sidl_f77_call* call, const struct sidl_struct_info* type,
                          const void* array, int32_t count, const int64_t indices[], void* to);

/** Makes that element a copy of *from, if there is one. */
void sidl_f77_set_element(struct sidl_f77_call* call, const struct sidl_struct_info* type,
                          void* array, int32_t count, const int64_t indices[], const void* from);

/** `count` indices of 32 bits as of 64; the rest is zero. */
struct sidl_f77_indices {
  int64_t values[SIDL_MAX_ARRAY_DIMENSION];
};
struct sidl_f77_indices sidl_f77_widen(const int32_t indices[], int32_t count);

/* ---- structs: a handle is the address of one that lies in memory of its own --------------------
 */

/** The struct of a handle, which must be of this type. */
void* sidl_f77_struct(struct sidl_f77_call* call, const int64_t* value,
                      const struct sidl_struct_info* type, const char* what);

/** A handle of a struct that takes over what *data owns; 0 if the call has an exception. */
int64_t sidl_f77_new_struct(struct sidl_f77_call* call, const struct sidl_struct_info* type,
                            void* data);

/** Destroys a struct. */
void sidl_f77_delete_struct(int64_t handle);

/** As sidl_struct_copy, but also copies the memory of raw arrays. */
void sidl_f77_copy_struct(struct sidl_f77_call* call, const struct sidl_struct_info* type,
                          const void* from, void* to);

/** Copies a raw member's elements to the caller's memory; `owner` is the array next to it. */
void sidl_f77_get_raw(struct sidl_f77_call* call, void* member, const void* owner, int32_t type,
                      int32_t dimen, const int64_t extents[], void* to, const char* what);

/** An array with a copy of the elements that lie at `from`. */
void* sidl_f77_keep_raw(struct sidl_f77_call* call, void* from, int32_t type, int32_t dimen,
                        const int64_t extents[], const char* what);

#endif
