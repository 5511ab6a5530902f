/**
 * sidl_raw_array.h: raw arrays (rarray), the memory of numbers itself, on their way into a call.
 *
 * In the IOR a raw array is a column-major SIDL array, and the arguments its extents are formed
 * from stay arguments. Generated stubs lend the caller's memory for the length of a call:
 *
 *     struct sidl_raw_array _raw_a;
 *     const int64_t _extents_a[] = {m, sidl_extent_add(n, 1)};
 *     if (!sidl_raw_array_open(&_raw_a, a, sidl_double_array, 2, _extents_a, "a", _ex)) …
 *
 * Nothing is copied unless the callee had to make an array of its own (a remote one has).
 */
#ifndef SIDL_RAW_ARRAY_H
#define SIDL_RAW_ARRAY_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sidl_BaseInterface__object;

/**
 * An array on the stack over memory of the caller's. Begins like every typed array: a pointer to it
 * may be cast to one of the element type it was opened with.
 */
struct sidl_raw_array {
  struct sidl__array d_metadata;
  void* d_firstElement;
  int32_t d_bounds[3 * SIDL_MAX_ARRAY_DIMENSION];
};

/**
 * Makes `raw` an array over `first`, column-major from index 0. FALSE, and *_ex is set, if an
 * extent is negative or too large, or if there is no memory although there are to be elements.
 * `what` is the argument's name. Nothing is to be freed.
 */
sidl_bool sidl_raw_array_open(struct sidl_raw_array* raw, void* first, enum sidl_array_type type,
                              int32_t dimen, const int64_t extents[], const char* what,
                              struct sidl_BaseInterface__object** _ex);

/**
 * Ends an inout argument: `array` is what came back for `raw`, and its reference is given back. If
 * it is another one, its elements are copied to the caller's memory; *_ex is set, unless it is set
 * already, if it has another shape.
 */
void sidl_raw_array_close(struct sidl_raw_array* raw, struct sidl__array* array, const char* what,
                          struct sidl_BaseInterface__object** _ex);

/**
 * An array over memory that is lent for the length of a call, with a reference for the lender.
 * NULL: memory is exhausted, or the bounds make no sense.
 */
struct sidl__array* sidl_loan_begin(enum sidl_array_type type, void* first, int32_t dimen,
                                    const int32_t lower[], const int32_t upper[],
                                    const int32_t stride[]);

/**
 * The memory is lent no more: gives the lender's reference back. Whoever has kept another one, or a
 * slice, has an array of its own from now on, with a copy of the elements; FALSE if memory is
 * exhausted: it has none then. `loan` may be NULL.
 */
sidl_bool sidl_loan_end(struct sidl__array* loan);

/**
 * The same, of a loan in whose place `array` has come back, whose reference is taken over: its
 * elements are written into the memory that was lent. Those who have kept the loan or a part of it
 * have copied the elements that were there before; so may `array` be a slice of the loan, and two
 * loans come back in each other's place. *_ex is set if the lengths differ or memory is exhausted.
 */
void sidl_loan_replace(struct sidl__array* loan, struct sidl__array* array, const char* what,
                       struct sidl_BaseInterface__object** _ex);

/**
 * For the callee: `array` as raw memory, with a new reference: column-major, with just these
 * lengths. It is a copy if the order is another. NULL if `array` is NULL and no extent calls for
 * more; else NULL says that *_ex is set.
 */
struct sidl__array* sidl_raw_array_accept(struct sidl__array* array, int32_t dimen,
                                          const int64_t extents[], const char* what,
                                          struct sidl_BaseInterface__object** _ex);

/**
 * `array` with the order demanded (enum sidl_array_ordering), with a new reference: itself if it
 * fits, else a copy. NULL for NULL; else NULL says that *_ex is set: `array` has another number of
 * dimensions, or memory is exhausted.
 */
struct sidl__array* sidl_array_demand(struct sidl__array* array, int32_t dimen, int32_t ordering,
                                      const char* what, struct sidl_BaseInterface__object** _ex);

/** `array`, of any element type, which may be NULL, has so many dimensions. */
static inline sidl_bool sidl_array_has_dimen(const void* array, int32_t dimen) {
  return array == NULL || sidlArrayDim(array) == dimen;
}

/** The same; FALSE says that *_ex is set, and nothing else sets it. */
static inline sidl_bool sidl_array_fits(void* array, int32_t dimen, const char* what,
                                        struct sidl_BaseInterface__object** _ex) {
  if (sidl_array_has_dimen(array, dimen)) return TRUE;
  sidl_array_demand((struct sidl__array*)array, dimen, sidl_general_order, what, _ex);
  return FALSE;
}

/**
 * For callers who have arrays and no index argument: *_ex is set if `value`, what the lengths of
 * the arrays make of the argument `what`, is SIDL_NO_EXTENT or its absolute value larger than
 * `limit`.
 */
void sidl_extent_check(int64_t value, int64_t limit, const char* what,
                       struct sidl_BaseInterface__object** _ex);

/* ---- computing with extents: what cannot be computed is SIDL_NO_EXTENT, which no array has ----
 */

#define SIDL_NO_EXTENT INT64_MIN

static inline int64_t sidl_extent_add(int64_t a, int64_t b) {
  int64_t result;
  if (a == SIDL_NO_EXTENT || b == SIDL_NO_EXTENT) return SIDL_NO_EXTENT;
  return __builtin_add_overflow(a, b, &result) ? SIDL_NO_EXTENT : result;
}

static inline int64_t sidl_extent_sub(int64_t a, int64_t b) {
  int64_t result;
  if (a == SIDL_NO_EXTENT || b == SIDL_NO_EXTENT) return SIDL_NO_EXTENT;
  return __builtin_sub_overflow(a, b, &result) ? SIDL_NO_EXTENT : result;
}

static inline int64_t sidl_extent_mul(int64_t a, int64_t b) {
  int64_t result;
  if (a == SIDL_NO_EXTENT || b == SIDL_NO_EXTENT) return SIDL_NO_EXTENT;
  return __builtin_mul_overflow(a, b, &result) ? SIDL_NO_EXTENT : result;
}

/** Rounds towards zero, as C does. */
static inline int64_t sidl_extent_div(int64_t a, int64_t b) {
  return a == SIDL_NO_EXTENT || b == SIDL_NO_EXTENT || b == 0 ? SIDL_NO_EXTENT : a / b;
}

/** a / b if it leaves no remainder. */
static inline int64_t sidl_extent_exact(int64_t a, int64_t b) {
  const sidl_bool is_known = a != SIDL_NO_EXTENT && b != SIDL_NO_EXTENT && b != 0;
  return is_known && a % b == 0 ? a / b : SIDL_NO_EXTENT;
}

#ifdef __cplusplus
}
#endif
#endif
