/**
 * sidl_fortran.h: the C part of the Fortran binding: everything that uses C descriptors.
 *
 * Called only by the modules sidl_fortran and sidl_fortran_arrays. Descriptors are
 * compiler-specific: this part is compiled with the ISO_Fortran_binding.h of the calling Fortran
 * compiler, and no descriptor is passed to libsidl.
 */
#ifndef SIDL_FORTRAN_H
#define SIDL_FORTRAN_H

#include <ISO_Fortran_binding.h>
#include <stddef.h>
#include <stdint.h>

#include "sidlArray.h"
#include "sidl_ior.h"
#include "sidl_raw_array.h"
#include "sidl_struct_array.h"

/* ---- arrays.c: numbers, characters, logicals, addresses; no element is converted --------------
 */

/** Whether it is an unassociated pointer or unallocated array, which is a null array in SIDL. */
int sidl_fortran_is_none(const CFI_cdesc_t* array);

/**
 * A loan of a Fortran array for the duration of a call, with lower bounds `lower`. NULL for a null
 * array, or with *_ex set.
 */
struct sidl__array* sidl_fortran_lend(const CFI_cdesc_t* array, int32_t type, int32_t lower,
                                      const char* what, struct sidl_BaseInterface__object** _ex);

/**
 * A loan of the memory of a raw array, with lower bounds 0. NULL with *_ex set; a null array is
 * refused, unless there are no elements. `what` is the argument of the method `where`.
 */
struct sidl__array* sidl_fortran_lend_raw(const CFI_cdesc_t* array, int32_t type, const char* what,
                                          const char* where,
                                          struct sidl_BaseInterface__object** _ex);

/** The length in a dimension, counted from 1. */
int64_t sidl_fortran_length(const CFI_cdesc_t* array, int32_t dimension);

/**
 * An index argument that is an int, and was left out. Sets *_ex, unless it is set, if `value` does
 * not fit; `what` says whose and what it is: "tour.Kit.dot: n = size(x, 1)".
 */
int32_t sidl_fortran_int_index(int64_t value, const char* what,
                               struct sidl_BaseInterface__object** _ex);

/**
 * Sets *_ex, unless it is set, if the raw array `what` has other lengths than its extents, which
 * are what index arguments make of them that were left out: `by`, "n = size(x, 1)".
 */
void sidl_fortran_check_shape(const CFI_cdesc_t* array, const int64_t extents[], const char* what,
                              const char* by, struct sidl_BaseInterface__object** _ex);

/** Ends a loan, or NULL; *_ex is set if there is no memory for those who have kept it. */
void sidl_fortran_end_loan(struct sidl__array* lent, struct sidl_BaseInterface__object** _ex);

/**
 * The same for an inout argument: `array` is what was returned, with a reference. Elements of
 * another array are copied to the caller's; *_ex is set if it has another shape, or if nothing was
 * lent.
 */
void sidl_fortran_take_back(struct sidl__array* lent, struct sidl__array* array, const char* what,
                            struct sidl_BaseInterface__object** _ex);

/**
 * Makes the pointer `view` point at the elements of `array`, which remains the owner. Ends the
 * program, with a message, if `view` is of another type or rank, as there is no exception argument.
 */
void sidl_fortran_view(CFI_cdesc_t* view, struct sidl__array* array);

/** The address of the first element; never NULL, as a dummy argument must be associated. */
void* sidl_fortran_first(const struct sidl__array* array);

/**
 * As view; the reference to `array` is kept until the pointer is passed to sidl_fortran_free. If
 * the elements are of another type or rank, or memory is exhausted, the pointer is not associated,
 * the reference is dropped, and *_ex is set unless it is already; `what` is the array's name.
 */
void sidl_fortran_take_array(CFI_cdesc_t* view, struct sidl__array* array, const char* what,
                             struct sidl_BaseInterface__object** _ex);

/** Allocates `copy` and copies the elements; drops the reference to `array`. Otherwise as take. */
void sidl_fortran_copy_array(CFI_cdesc_t* copy, struct sidl__array* array, const char* what,
                             struct sidl_BaseInterface__object** _ex);

/** Copies the elements to `copy`, which has the same shape. */
void sidl_fortran_fill(const CFI_cdesc_t* copy, const struct sidl__array* array);

/** Releases the array that sidl_fortran_take_array or _allocate made; nullifies the pointer. */
void sidl_fortran_free(CFI_cdesc_t* view);

/** Whether the hooks of the object are switched on. */
int sidl_fortran_has_hooks(const void* object);

/**
 * Enclose a method of a Fortran Impl that returns arrays: the result of begin_call is passed to
 * end_call, after which this thread returns the arrays. Arrays allocated or taken in between belong
 * to the method, which may return them; those of its callers do not, though it may point at their
 * elements.
 */
int64_t sidl_fortran_begin_call(void);
void sidl_fortran_end_call(int64_t begin);

/** Releases the array that the method made and `view` points at, if any. */
void sidl_fortran_discard(const CFI_cdesc_t* view);

/**
 * The array that a method of a Fortran Impl returns, with a reference for the caller: the array the
 * method made if `view` is all of it, a slice of it if `view` is a part, else a copy. NULL for a
 * pointer that is not associated.
 */
struct sidl__array* sidl_fortran_give(const CFI_cdesc_t* view, int32_t type,
                                      struct sidl_BaseInterface__object** _ex);

/**
 * As give for an inout argument: `array` itself if `view` still is all of it. Otherwise the caller
 * drops `array` once it has settled all arguments, as others may point at its elements.
 */
struct sidl__array* sidl_fortran_settle_array(const CFI_cdesc_t* view, int32_t type,
                                              struct sidl__array* array,
                                              struct sidl_BaseInterface__object** _ex);

/**
 * A new array with a copy of the elements and lower bounds `lower`, or 1 if that is NULL. NULL for
 * a null array, or with *_ex set on failure; does nothing if *_ex is set before.
 */
struct sidl__array* sidl_fortran_make(const CFI_cdesc_t* array, int32_t type, const int64_t lower[],
                                      struct sidl_BaseInterface__object** _ex);

/** A new array of this type, and of the shape of `array`, with lower bounds `lower`, or 1 if that
 * is NULL. NULL on failure. */
struct sidl__array* sidl_fortran_create_like(const CFI_cdesc_t* array, int32_t type,
                                             const int64_t lower[]);

/** The type of the elements of a Fortran array. */
enum sidl_array_type sidl_fortran_type_of(const CFI_cdesc_t* array);

/* ---- arrays of structs that own nothing, which are the same in C: as without _structs -----------
 */

struct sidl__array* sidl_fortran_lend_structs(const CFI_cdesc_t* array,
                                              const struct sidl_struct_info* structure,
                                              int32_t lower, const char* what,
                                              struct sidl_BaseInterface__object** _ex);
struct sidl__array* sidl_fortran_make_structs(const CFI_cdesc_t* array,
                                              const struct sidl_struct_info* structure,
                                              const int64_t lower[],
                                              struct sidl_BaseInterface__object** _ex);

/** The lower bounds are those of the pointer whose target `view` is. */
struct sidl__array* sidl_fortran_give_structs(const CFI_cdesc_t* view,
                                              const struct sidl_struct_info* structure,
                                              const int64_t lower[],
                                              struct sidl_BaseInterface__object** _ex);

/**
 * As settle_array, where the pointer was made for `dense`: `array`, or a copy with what it has in
 * column order, which goes back to it.
 */
struct sidl__array* sidl_fortran_settle_structs(const CFI_cdesc_t* view,
                                                const struct sidl_struct_info* structure,
                                                const int64_t lower[], struct sidl__array* array,
                                                struct sidl__array* dense,
                                                struct sidl_BaseInterface__object** _ex);

/**
 * Makes *array, a result, one that a pointer can show: in column order, and kept until
 * sidl_fortran_free_structs. One without elements is the caller's to drop, when it has been shown.
 */
void sidl_fortran_keep_structs(struct sidl__array** array, struct sidl_BaseInterface__object** _ex);
void sidl_fortran_free_structs(const CFI_cdesc_t* view);

/* ---- structs.c: arrays of structs -------------------------------------------------------------
 */

/** `array` in column order, with a reference: itself or a copy. NULL for NULL, or without memory.
 */
struct sidl__array* sidl_fortran_dense(struct sidl__array* array);

/** The same in place, for an array of the caller's; *_ex is set without memory. */
void sidl_fortran_make_dense(struct sidl__array** array, struct sidl_BaseInterface__object** _ex);

void sidl_fortran_drop_empty(struct sidl__array* array);

/** As sidl_fortran_check and _expect. */
void sidl_fortran_check_structs(struct sidl__array* array, const struct sidl_struct_info* structure,
                                int32_t rank, const char* what,
                                struct sidl_BaseInterface__object** _ex);
void sidl_fortran_expect_structs(struct sidl__array** array,
                                 const struct sidl_struct_info* structure, int32_t rank,
                                 const char* what, struct sidl_BaseInterface__object** _ex);

/**
 * A new array in column order for copies of the elements of a Fortran array, the first of which is
 * at `first`. NULL for a null array, or if *_ex is or has been set.
 */
struct sidl__array* sidl_fortran_new_structs(const struct sidl_struct_info* structure,
                                             const void* first, int32_t rank,
                                             const int64_t lengths[], const int64_t lower[],
                                             struct sidl_BaseInterface__object** _ex);

/** Gives a struct whose raw arrays are lent memory of its own for them. */
void sidl_fortran_own_raws(const struct sidl_struct_info* structure, void* data,
                           struct sidl_BaseInterface__object** _ex);

/** *_ex becomes `other`, unless it is set: the first one counts. */
void sidl_fortran_take_exception(struct sidl_BaseInterface__object** _ex,
                                 struct sidl_BaseInterface__object* other);

/** For sidl_allocate: an array as sidl_fortran_keep_structs leaves one. */
struct sidl__array* sidl_fortran_allocate_structs(const struct sidl_struct_info* structure,
                                                  int32_t rank, const int64_t upper[],
                                                  const int64_t lower[], int32_t* status);

/** For sidl_view_array: ends the program unless a pointer can show the array. */
void sidl_fortran_must_be(struct sidl__array* array, const struct sidl_struct_info* structure,
                          int32_t rank);

/** What a pointer to the elements needs; NULL and ones for NULL. */
void sidl_fortran_read_shape(struct sidl__array* array, void** first, int64_t lengths[],
                             int64_t lower[]);

/** The element with these indices; NULL with *_ex set. */
void* sidl_fortran_element(struct sidl__array* array, const struct sidl_struct_info* structure,
                           int32_t rank, const int64_t indices[],
                           struct sidl_BaseInterface__object** _ex);

/** As sidl_fortran_replace64. */
void sidl_fortran_replace_structs(struct sidl__array** array, const CFI_cdesc_t* elements_of,
                                  const struct sidl_struct_info* structure, const int64_t lower[]);

/* ---- strings.c: arrays of strings, which are character(len=n) in Fortran ------------------------
 */

struct sidl__array* sidl_fortran_make_strings(const CFI_cdesc_t* array, const int64_t lower[],
                                              struct sidl_BaseInterface__object** _ex);

/** The length of the longest string; 0 for NULL. */
int64_t sidl_fortran_longest(const struct sidl__array* array);

/** Copies the strings to `copy`, which has the same shape and is long enough. */
void sidl_fortran_fill_strings(const CFI_cdesc_t* copy, const struct sidl__array* array);

/* ---- objects.c: arrays of handles; `handles` has the handles' addresses of objects -------------
 */

struct sidl__array* sidl_fortran_make_objects(const CFI_cdesc_t* handles, const int64_t lower[],
                                              struct sidl_BaseInterface__object** _ex);

/** Fills null handles with the objects as `type`, each with a reference. */
void sidl_fortran_copy_objects(const CFI_cdesc_t* handles, struct sidl__array* array,
                               const struct sidl_type_info* type);

/* ---- making.c: what users make; of each function one with bounds of 32 bits, one of 64 ----------
 */

/**
 * Makes `view` point at a new array; `lower` NULL: from 1. A lower upper bound makes an array
 * without elements. *status is 0, or 1 on failure, with `view` not associated; if `status` is NULL
 * the program then ends with a message.
 */
void sidl_fortran_allocate(CFI_cdesc_t* view, const int32_t upper[], const int32_t lower[],
                           int32_t* status);
void sidl_fortran_allocate64(CFI_cdesc_t* view, const int64_t upper[], const int64_t lower[],
                             int32_t* status);

/** Makes *array a new array with the elements, whose type is given by the descriptor. */
void sidl_fortran_replace(struct sidl__array** array, const CFI_cdesc_t* elements_of,
                          const int32_t lower[]);
void sidl_fortran_replace64(struct sidl__array** array, const CFI_cdesc_t* elements_of,
                            const int64_t lower[]);

/** Makes *array a new array of strings. */
void sidl_fortran_replace_strings(struct sidl__array** array, const CFI_cdesc_t* elements_of,
                                  const int32_t lower[]);
void sidl_fortran_replace_strings64(struct sidl__array** array, const CFI_cdesc_t* elements_of,
                                    const int64_t lower[]);

/** Makes *array a new array of objects, as sidl_fortran_make_objects does. */
void sidl_fortran_replace_objects(struct sidl__array** array, const CFI_cdesc_t* handles,
                                  const int32_t lower[]);
void sidl_fortran_replace_objects64(struct sidl__array** array, const CFI_cdesc_t* handles,
                                    const int64_t lower[]);

/* ---- any_array.c: arrays of any kind and rank; *_ex is set on failure ------------- */

/**
 * Sets *_ex unless `array` is NULL or of this type and rank, 0: any; `what` is its name. Where its
 * elements are makes no difference: it is passed on as it is.
 */
void sidl_fortran_check(const struct sidl__array* array, int32_t type, int32_t rank,
                        const char* what, struct sidl_BaseInterface__object** _ex);

/** As check, and for elements in host memory; an array that does not fit is dropped, and *array
 * becomes NULL. */
void sidl_fortran_expect(struct sidl__array** array, int32_t type, int32_t rank, const char* what,
                         struct sidl_BaseInterface__object** _ex);

/** "array<double,2>"; enums are longs, and objects of all types interfaces. */
void sidl_fortran_describe(char text[40], int32_t type, int32_t rank);

/** A new array with undefined elements; `lower` NULL: from 1. */
struct sidl__array* sidl_fortran_create(int32_t type, int32_t rank, const int64_t upper[],
                                        const int64_t lower[], int row_major,
                                        struct sidl_BaseInterface__object** _ex);

/**
 * An array over a part of the elements of `of`, which has `rank` dimensions: counts[d] in each, or
 * one, without that dimension, if it is 0. `step` may be NULL: 1.
 */
struct sidl__array* sidl_fortran_slice(struct sidl__array* of, int32_t rank, const int64_t counts[],
                                       const int64_t first[], const int64_t step[],
                                       struct sidl_BaseInterface__object** _ex);

/**
 * An array over a variable of numbers, from 1, as long as that stays where it is. NULL, with *_ex
 * set, if they are not of a SIDL type; NULL if it is not allocated or not associated.
 */
struct sidl__array* sidl_fortran_borrow(const CFI_cdesc_t* array,
                                        struct sidl_BaseInterface__object** _ex);

/** A reference to `of` if it is in host memory, else to a copy there. */
struct sidl__array* sidl_fortran_to_host(struct sidl__array* of,
                                         struct sidl_BaseInterface__object** _ex);

/** The same in the memory of a device, which DLPack calls so. */
struct sidl__array* sidl_fortran_to_device(struct sidl__array* of, int32_t device_type,
                                           int32_t device_id,
                                           struct sidl_BaseInterface__object** _ex);

/** Where the elements are, as DLPack calls it; of no array: in host memory. */
void sidl_fortran_get_device(const struct sidl__array* array, int32_t* device_type,
                             int32_t* device_id);

/**
 * Elements of arrays of strings and of characters; the caller frees a returned one. A character may
 * be NUL: get then returns an empty text and sets `is_nul`, set gets a text of length 1.
 */
char* sidl_fortran_get_text(const struct sidl__array* array, int32_t rank, const int64_t indices[],
                            sidl_bool* is_nul, struct sidl_BaseInterface__object** _ex);
void sidl_fortran_set_text(struct sidl__array* array, int32_t rank, const int64_t indices[],
                           const char* text, int32_t length,
                           struct sidl_BaseInterface__object** _ex);

/**
 * Elements of arrays of objects; get returns the object cast to `type`, with a reference, or NULL.
 */
void* sidl_fortran_get_object(const struct sidl__array* array, int32_t rank,
                              const int64_t indices[], const struct sidl_type_info* type,
                              struct sidl_BaseInterface__object** _ex);
void sidl_fortran_set_object(struct sidl__array* array, int32_t rank, const int64_t indices[],
                             void* object, struct sidl_BaseInterface__object** _ex);

/** Whether the array, which has `rank` dimensions, has these indices; if not, *_ex says which. */
int sidl_fortran_has_indices(const struct sidl__array* array, int32_t rank, const int64_t indices[],
                             struct sidl_BaseInterface__object** _ex);

/* ---- calls.c: what uses libsidl's tables --------------------------------------------------------
 */

/** Sets *_ex to a new sidl.CastException whose note is formatted as by printf. */
void sidl_fortran_refuse(struct sidl_BaseInterface__object** _ex, const char* format, ...);

/** Sets *_ex, unless it is set, to a sidl.MemAllocException. */
void sidl_fortran_no_memory(struct sidl_BaseInterface__object** _ex);

/** Sets *_ex: the method `where` was called with a null handle. */
void sidl_fortran_no_object(const char* where, struct sidl_BaseInterface__object** _ex);

/**
 * Sets *_ex, unless it is set: the raw array `what` of a struct has `has` elements, -1 if it is not
 * allocated, and the struct's other members call for another shape, of `needs`.
 */
void sidl_fortran_refuse_raw(const char* what, int64_t has, int64_t needs,
                             struct sidl_BaseInterface__object** _ex);

const struct sidl_type_info* sidl_fortran_base_interface(void);
const struct sidl_type_info* sidl_fortran_base_exception(void);

/** Casts `object` to `type`, with a reference; a sidl.CastException if it is not of it. */
void* sidl_fortran_seen(void* object, const struct sidl_type_info* type,
                        struct sidl_BaseInterface__object** _ex);

/** sidl_rmi_send and _receive of the method in `slot` of `type`; a static one is number -1-slot. */
struct sidl_rmi_Ticket__object* sidl_fortran_send(void* self, const struct sidl_type_info* type,
                                                  int slot, void* const* args,
                                                  struct sidl_BaseInterface__object** _ex);
void sidl_fortran_receive(void* self, const struct sidl_type_info* type, int slot,
                          struct sidl_rmi_Ticket__object* ticket, void* const* args, void* result,
                          struct sidl_BaseInterface__object** _ex);

#endif
