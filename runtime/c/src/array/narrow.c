/* narrow.c: arrays for programs written for Babel, whose bounds and strides have 32 bits. */
#include <stdio.h>

#include "array/array_core.h"
#include "sidl_log.h"

static bool is_dimension(int32_t dimen) {
  return dimen >= 1 && dimen <= SIDL_MAX_ARRAY_DIMENSION;
}

/* NULL for NULL. */
static int64_t* widen_some(int64_t* wide, const int32_t* narrow, int32_t count) {
  return narrow == NULL ? NULL : array_widen(wide, narrow, count);
}

struct any_array* array_create32(struct element_type of, bool row_order, int32_t dimen,
                                 const int32_t* lower, const int32_t* upper) {
  int64_t wide[2][SIDL_MAX_ARRAY_DIMENSION];
  if (!is_dimension(dimen)) return NULL;
  return array_create(of, row_order, dimen, widen_some(wide[0], lower, dimen),
                      widen_some(wide[1], upper, dimen));
}

struct any_array* array_borrow32(struct element_type of, void* first, int32_t dimen,
                                 const int32_t* lower, const int32_t* upper,
                                 const int32_t* stride) {
  int64_t wide[3][SIDL_MAX_ARRAY_DIMENSION];
  if (!is_dimension(dimen)) return NULL;
  return array_borrow(of, first, dimen, widen_some(wide[0], lower, dimen),
                      widen_some(wide[1], upper, dimen), widen_some(wide[2], stride, dimen));
}

struct any_array* array_slice32(struct any_array* src, int32_t dimen, const int32_t* count,
                                const int32_t* start, const int32_t* stride,
                                const int32_t* new_lower) {
  int64_t wide[4][SIDL_MAX_ARRAY_DIMENSION];
  if (src == NULL || !is_dimension(dimen)) return NULL;
  const int32_t n = src->meta.d_dimen;
  return array_slice(src, dimen, widen_some(wide[0], count, n), widen_some(wide[1], start, n),
                     widen_some(wide[2], stride, n), widen_some(wide[3], new_lower, dimen));
}

int32_t array_in_32_bits(int64_t value, int32_t otherwise, const char* what) {
  if (value >= INT32_MIN && value <= INT32_MAX) return (int32_t)value;
  char text[128];
  snprintf(text, sizeof text,
           "an array's %s, %lld, was asked for in 32 bits: ask with %s64 instead", what,
           (long long)value, what);
  sidl_log(sidl_log_warning, "array", text);
  return otherwise;
}
