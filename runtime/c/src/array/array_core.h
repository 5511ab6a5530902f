/*
 * array_core.h: arrays without regard to their element type.
 *
 * A counted array is one block of memory: the public struct, where its data comes from, the bounds
 * and, if it owns its data, the data. The typed functions (typed_array.inc) wrap these.
 */
#ifndef ARRAY_ARRAY_CORE_H
#define ARRAY_ARRAY_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sidlArray.h"

struct sidl_BaseInterface__object;

#pragma GCC visibility push(hidden)

/* What is common to all struct sidl_<t>__array. */
struct any_array {
  struct sidl__array meta;
  void* first;
};

/* What the elements of an array are. */
struct element_type {
  enum sidl_array_type type;
  const struct sidl_struct_info* structure; /* NULL unless they are structs */
};

struct array_source {
  void (*release)(void* owner);
  void* owner;
};

/* A counted array. Its data follow if it owns any. */
struct array_block {
  struct any_array array;
  /* Owner of the data, or of texts that elements in the block's own data refer to; release is NULL
   * if there is none. */
  struct array_source source;
  size_t owned;     /* elements in the block's own data */
  int64_t bounds[]; /* lower, upper, stride: dimen entries each */
};

/* NULL, as in the public interface, for bad bounds and exhausted memory. */
struct any_array* array_create(struct element_type of, bool row_order, int32_t dimen,
                               const int64_t* lower, const int64_t* upper);
struct any_array* array_borrow(struct element_type of, void* first, int32_t dimen,
                               const int64_t* lower, const int64_t* upper, const int64_t* stride);
struct any_array* array_borrow_owned(struct element_type of, void* first, int32_t dimen,
                                     const int64_t* lower, const int64_t* upper,
                                     const int64_t* stride, struct array_source source);
void array_init(struct element_type of, void* first, struct any_array* result, int32_t dimen,
                const int64_t* lower, const int64_t* upper, const int64_t* stride);
struct any_array* array_slice(struct any_array* src, int32_t dimen, const int64_t* count,
                              const int64_t* start, const int64_t* stride,
                              const int64_t* new_lower);
/* Like array_create and array_borrow_owned, in a memory space, NULL being the host's. With another
 * one elements are not set to zero; there must be functions for it to create an array. */
struct any_array* array_create_in(const struct sidl_memory_space* space, struct element_type of,
                                  bool row_order, int32_t dimen, const int64_t* lower,
                                  const int64_t* upper);
struct any_array* array_borrow_in(const struct sidl_memory_space* space, struct element_type of,
                                  void* first, int32_t dimen, const int64_t* lower,
                                  const int64_t* upper, const int64_t* stride,
                                  struct array_source source);
struct any_array* array_ensure(struct any_array* src, int32_t dimen, int ordering);
/* As sidl__array_isShared. */
bool array_is_shared(const struct any_array* array);

/*
 * A dense copy that owns its data; in row order if src has it, else in column order. In the same
 * space, or in another one.
 */
struct any_array* array_duplicate(const struct any_array* src);
struct any_array* array_duplicate_in(const struct sidl_memory_space* space,
                                     const struct any_array* src);

/*
 * Copies the elements whose indices both have; same element type. The arrays may share memory: all
 * elements are read as they were before. False if elements are elsewhere and cannot be copied, or
 * if there is no memory for those of arrays that overlap; some may have been copied then.
 * (array_copy.c)
 */
bool array_copy(const struct any_array* src, struct any_array* dest);

/* ---- bounds of 32 bits, as programs written for Babel have them: narrow.c -----------------------
 */

/* As array_create, array_borrow and array_slice. */
struct any_array* array_create32(struct element_type of, bool row_order, int32_t dimen,
                                 const int32_t* lower, const int32_t* upper);
struct any_array* array_borrow32(struct element_type of, void* first, int32_t dimen,
                                 const int32_t* lower, const int32_t* upper, const int32_t* stride);
struct any_array* array_slice32(struct any_array* src, int32_t dimen, const int32_t* count,
                                const int32_t* start, const int32_t* stride,
                                const int32_t* new_lower);

/* Copies `count` numbers; returns `wide`. */
static inline int64_t* array_widen(int64_t* wide, const int32_t* narrow, int32_t count) {
  for (int32_t i = 0; i < count; ++i) wide[i] = narrow[i];
  return wide;
}

/* `value`; if it does not fit, logs that `what` was asked for in 32 bits, and is `otherwise`. */
int32_t array_in_32_bits(int64_t value, int32_t otherwise, const char* what);

/* ------------------------------------------------------------------------------------------------
 */

/* False, and *_ex is set, if `array`, which may be NULL, has another number of dimensions. */
bool array_has_dimension(const struct sidl__array* array, int32_t dimen, const char* what,
                         struct sidl_BaseInterface__object** _ex);

/* Whether bounds and strides of borrowed memory are valid, and no address overflows. */
bool array_is_addressable(struct element_type of, int32_t dimen, const int64_t* lower,
                          const int64_t* upper, const int64_t* stride);

/* Like array_borrow, with the caller's vtable, which handles `source`. */
struct any_array* array_view(const struct sidl__array_vtable* vtable,
                             const struct sidl_struct_info* structure, void* first, int32_t dimen,
                             const int64_t* lower, const int64_t* upper, const int64_t* stride,
                             struct array_source source);
const struct sidl__array_vtable* array_counted_vtable(enum sidl_array_type type);

/* The vtables of loans (loan.c). */
extern const struct sidl__array_vtable loan_vtables[];
/* A slice of a loan; NULL if memory is exhausted. */
struct any_array* loan_slice(struct any_array* of, void* first, int32_t dimen, const int64_t* lower,
                             const int64_t* upper, const int64_t* stride);

/* smartCopy for arrays that do not own their elements; NULL if memory is exhausted. */
struct sidl__array* array_smart_duplicate(struct sidl__array* array);

static inline struct element_type array_elements(const struct any_array* array) {
  const struct element_type of = {(enum sidl_array_type)array->meta.d_vtable->d_arraytype(),
                                  array->meta.d_struct};
  return of;
}

/* Elements that are no structs. */
static inline struct element_type array_elements_of(enum sidl_array_type type) {
  const struct element_type of = {type, NULL};
  return of;
}

/* Whether it is one of enum sidl_array_type that arrays have, and not that of structs. */
bool array_is_type(int32_t type);

/* Bytes of one element. */
size_t array_element_size(struct element_type of);

/* Frees or releases what the `count` elements at `first` own, and the other way round. */
void array_elements_destroy(struct element_type of, void* first, size_t count);

#pragma GCC visibility pop
#endif
