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

struct array_source {
  void (*release)(void* owner);
  void* owner;
};

/* A counted array. The data follows when there is no source. */
struct array_block {
  struct any_array array;
  struct array_source source; /* owner of the data; release is NULL if there is none */
  size_t owned;               /* elements in the block's own data */
  int64_t bounds[];           /* lower, upper, stride: dimen entries each */
};

/* NULL, as in the public interface, for bad bounds and exhausted memory. */
struct any_array* array_create(enum sidl_array_type type, bool row_order, int32_t dimen,
                               const int64_t* lower, const int64_t* upper);
struct any_array* array_borrow(enum sidl_array_type type, void* first, int32_t dimen,
                               const int64_t* lower, const int64_t* upper, const int64_t* stride);
struct any_array* array_borrow_owned(enum sidl_array_type type, void* first, int32_t dimen,
                                     const int64_t* lower, const int64_t* upper,
                                     const int64_t* stride, struct array_source source);
void array_init(enum sidl_array_type type, void* first, struct any_array* result, int32_t dimen,
                const int64_t* lower, const int64_t* upper, const int64_t* stride);
struct any_array* array_slice(struct any_array* src, int32_t dimen, const int64_t* count,
                              const int64_t* start, const int64_t* stride,
                              const int64_t* new_lower);
struct any_array* array_ensure(struct any_array* src, int32_t dimen, int ordering);

/* A dense copy that owns its data; in row order if src has it, else in column order. */
struct any_array* array_duplicate(const struct any_array* src);

/* Copies the elements whose indices both have; same element type. (array_copy.c) */
void array_copy(const struct any_array* src, struct any_array* dest);

/* ---- bounds of 32 bits, as programs written for Babel have them: narrow.c -----------------------
 */

/* As array_create, array_borrow and array_slice. */
struct any_array* array_create32(enum sidl_array_type type, bool row_order, int32_t dimen,
                                 const int32_t* lower, const int32_t* upper);
struct any_array* array_borrow32(enum sidl_array_type type, void* first, int32_t dimen,
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

/* Like array_borrow, with the caller's vtable, which handles `source`. */
struct any_array* array_view(const struct sidl__array_vtable* vtable, void* first, int32_t dimen,
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

/* Whether it is one of enum sidl_array_type that arrays have. */
bool array_is_type(int32_t type);

/* Bytes of one element. */
size_t array_element_size(enum sidl_array_type type);

/* Frees or releases what the `count` elements at `first` own, and the other way round. */
void array_elements_destroy(enum sidl_array_type type, void* first, size_t count);

#pragma GCC visibility pop
#endif
