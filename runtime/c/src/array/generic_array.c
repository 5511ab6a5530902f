/* generic_array.c: the public functions that do not need the element type. */
#include "array/array_core.h"
#include "base/atomic.h"

void sidl__array_addRef(struct sidl__array* array) {
  if (array != NULL) refcount_take(&array->d_refcount);
}

void sidl__array_deleteRef(struct sidl__array* array) {
  if (array != NULL && refcount_drop(&array->d_refcount)) array->d_vtable->d_destroy(array);
}

struct sidl__array* sidl__array_smartCopy(struct sidl__array* array) {
  return array == NULL ? NULL : array->d_vtable->d_smartcopy(array);
}

int32_t sidl__array_dimen(const struct sidl__array* array) {
  return array == NULL ? 0 : array->d_dimen;
}

static bool has_dimension(const struct sidl__array* array, int32_t ind) {
  return array != NULL && ind >= 0 && ind < array->d_dimen;
}

int32_t sidl__array_lower(const struct sidl__array* array, int32_t ind) {
  return has_dimension(array, ind) ? array->d_lower[ind] : 0;
}

int32_t sidl__array_upper(const struct sidl__array* array, int32_t ind) {
  return has_dimension(array, ind) ? array->d_upper[ind] : -1;
}

int32_t sidl__array_length(const struct sidl__array* array, int32_t ind) {
  return has_dimension(array, ind) ? array->d_upper[ind] - array->d_lower[ind] + 1 : 0;
}

int32_t sidl__array_stride(const struct sidl__array* array, int32_t ind) {
  return has_dimension(array, ind) ? array->d_stride[ind] : 0;
}

static sidl_bool is_dense(const struct sidl__array* array, int32_t first, int32_t step) {
  int64_t expected = 1;
  if (array == NULL) return FALSE;
  for (int32_t i = 0, d = first; i < array->d_dimen; ++i, d += step) {
    if (array->d_stride[d] != expected) return FALSE;
    /* strides have 32 bits, so they cannot equal a larger product */
    expected *= (int64_t)array->d_upper[d] - array->d_lower[d] + 1;
    if (expected > INT32_MAX && i + 1 < array->d_dimen) return FALSE;
  }
  return TRUE;
}

sidl_bool sidl__array_isColumnOrder(const struct sidl__array* array) {
  return is_dense(array, 0, 1);
}

sidl_bool sidl__array_isRowOrder(const struct sidl__array* array) {
  return array == NULL ? FALSE : is_dense(array, array->d_dimen - 1, -1);
}

int32_t sidl__array_type(const struct sidl__array* array) {
  return array == NULL ? sidl_undefined_array : array->d_vtable->d_arraytype();
}

size_t sidl__array_element_count(const struct sidl__array* array) {
  if (array == NULL) return 0;
  size_t count = 1;
  for (int32_t d = 0; d < array->d_dimen; ++d) {
    count *= (size_t)(array->d_upper[d] - array->d_lower[d] + 1);
  }
  return count;
}

void sidl__array_add(struct sidl__array* array) {
  (void)array;
}

void sidl__array_remove(struct sidl__array* array) {
  (void)array;
}
