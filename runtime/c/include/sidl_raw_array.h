/**
 * sidl_raw_array.h: passing raw arrays (rarray), plain memory of numbers, to a call.
 *
 * In the IOR a raw array is a column-major SIDL array, and the arguments that define its extents
 * remain arguments. Generated stubs lend the caller's memory for the duration of a call:
 *
 *     struct sidl_raw_array _raw_a;
 *     const int64_t _extents_a[] = {m, sidl_extent_add(n, 1)};
 *     if (!sidl_raw_array_open(&_raw_a, a, sidl_double_array, 2, _extents_a, "a", _ex)) …
 *
 * Nothing is copied unless the callee had to make an array of its own, as a remote one must.
 */
#ifndef SIDL_RAW_ARRAY_H
#define SIDL_RAW_ARRAY_H

#include "sidlArray.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sidl_BaseInterface__object;

/**
 * An array on the stack over the caller's memory. Begins like every typed array: a pointer to it
 * may be cast to that of the element type it was opened with.
 */
struct sidl_raw_array {
  struct sidl__array d_metadata;
  void* d_firstElement;
  int64_t d_bounds[3 * SIDL_MAX_ARRAY_DIMENSION];
};

/**
 * Makes `raw` an array over `first`, column-major from index 0. FALSE with *_ex set if an extent is
 * negative or too large, or if `first` is NULL and there are elements. `what` is the argument's
 * name. Need not be freed.
 */
sidl_bool sidl_raw_array_open(struct sidl_raw_array* raw, void* first, enum sidl_array_type type,
                              int32_t dimen, const int64_t extents[], const char* what,
                              struct sidl_BaseInterface__object** _ex);

/**
 * Ends an inout argument: `array` is what was returned for `raw`; its reference is dropped. If it
 * is another array, its elements are copied to the caller's memory; if it has another shape *_ex is
 * set, unless it is already.
 */
void sidl_raw_array_close(struct sidl_raw_array* raw, struct sidl__array* array, const char* what,
                          struct sidl_BaseInterface__object** _ex);

/**
 * An array over memory lent for the duration of a call, with a reference for the lender. NULL if
 * memory is exhausted or the bounds are invalid.
 */
struct sidl__array* sidl_loan_begin(enum sidl_array_type type, void* first, int32_t dimen,
                                    const int64_t lower[], const int64_t upper[],
                                    const int64_t stride[]);

/**
 * Ends a loan: drops the lender's reference. Where other references to it or to slices remain,
 * these get a copy of the elements; FALSE if memory is exhausted, they are empty then. `loan` may
 * be NULL.
 */
sidl_bool sidl_loan_end(struct sidl__array* loan);

/**
 * The same for a loan for which `array` was returned, whose reference is taken over: its elements
 * are written to the lent memory. Remaining references to the loan get copies of the previous
 * elements, so `array` may be a slice of the loan, and two loans may be exchanged. *_ex is set if
 * the lengths differ or memory is exhausted.
 */
void sidl_loan_replace(struct sidl__array* loan, struct sidl__array* array, const char* what,
                       struct sidl_BaseInterface__object** _ex);

/**
 * For the callee: `array` as raw memory, with a new reference: column-major, of exactly these
 * lengths; a copy if it has another order. NULL if `array` is NULL and the extents allow that; else
 * NULL with *_ex set.
 */
struct sidl__array* sidl_raw_array_accept(struct sidl__array* array, int32_t dimen,
                                          const int64_t extents[], const char* what,
                                          struct sidl_BaseInterface__object** _ex);

/**
 * `array` in the declared order (enum sidl_array_ordering), with a new reference: itself if it
 * fits, else a copy. NULL for NULL; else NULL with *_ex set if it has another number of dimensions
 * or memory is exhausted.
 */
struct sidl__array* sidl_array_demand(struct sidl__array* array, int32_t dimen, int32_t ordering,
                                      const char* what, struct sidl_BaseInterface__object** _ex);

/** True if `array`, of any element type, is NULL or has that many dimensions. */
static inline sidl_bool sidl_array_has_dimen(const void* array, int32_t dimen) {
  return array == NULL || sidlArrayDim(array) == dimen;
}

/** The same; FALSE with *_ex set. */
static inline sidl_bool sidl_array_fits(void* array, int32_t dimen, const char* what,
                                        struct sidl_BaseInterface__object** _ex) {
  if (sidl_array_has_dimen(array, dimen)) return TRUE;
  sidl_array_demand((struct sidl__array*)array, dimen, sidl_general_order, what, _ex);
  return FALSE;
}

/**
 * For callers that pass arrays without index arguments: sets *_ex if `value`, which was computed
 * for the argument `what` from the arrays' lengths, is SIDL_NO_EXTENT or its absolute value exceeds
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
