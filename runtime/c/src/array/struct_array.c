#include "sidl_struct_array.h"

#include <string.h>

#include "array/array_core.h"
#include "array/memory_space.h"
#include "array/value.h"

static struct element_type elements(const struct sidl_struct_info* structure) {
  const struct element_type of = {sidl_struct_array, structure};
  return of;
}

static struct sidl__array* generic(struct any_array* array) {
  return (struct sidl__array*)array;
}

struct sidl__array* sidl_struct__array_create(const struct sidl_struct_info* structure,
                                              int32_t ordering, int32_t dimen,
                                              const int64_t lower[], const int64_t upper[]) {
  return generic(
      array_create(elements(structure), ordering == sidl_row_major_order, dimen, lower, upper));
}

struct sidl__array* sidl_struct__array_borrow(const struct sidl_struct_info* structure,
                                              void* firstElement, int32_t dimen,
                                              const int64_t lower[], const int64_t upper[],
                                              const int64_t stride[]) {
  return generic(array_borrow(elements(structure), firstElement, dimen, lower, upper, stride));
}

struct sidl__array* sidl_struct__array_borrow_owned(const struct sidl_struct_info* structure,
                                                    void* firstElement, int32_t dimen,
                                                    const int64_t lower[], const int64_t upper[],
                                                    const int64_t stride[],
                                                    void (*release)(void* owner), void* owner) {
  const struct array_source source = {release, owner};
  return generic(
      array_borrow_owned(elements(structure), firstElement, dimen, lower, upper, stride, source));
}

void sidl_struct__array_init64(const struct sidl_struct_info* structure, void* firstElement,
                               struct sidl_struct__array* result, int32_t dimen,
                               const int64_t lower[], const int64_t upper[],
                               const int64_t stride[]) {
  array_init(elements(structure), firstElement, (struct any_array*)(void*)result, dimen, lower,
             upper, stride);
}

struct sidl__array* sidl_struct__array_cast(const struct sidl_struct_info* structure,
                                            struct sidl__array* array) {
  const struct sidl_struct_info* const actual = sidl__array_struct(array);
  return actual != NULL && struct_is_same(actual, structure) ? array : NULL;
}

void* sidl_struct__array_at(const struct sidl__array* array, int32_t count,
                            const int64_t indices[]) {
  if (array == NULL || array->d_dimen != count || array->d_struct == NULL) return NULL;
  if (array->d_space != NULL) {
    space_refuse(array);
    return NULL;
  }
  int64_t offset = 0;
  for (int32_t d = 0; d < count; ++d) {
    if (indices[d] < array->d_lower[d] || indices[d] > array->d_upper[d]) return NULL;
    offset += array->d_stride[d] * (indices[d] - array->d_lower[d]);
  }
  return (char*)sidl__array_first(array) + offset * (ptrdiff_t)array->d_struct->size;
}

void sidl_struct__array_get(const struct sidl_struct_info* structure,
                            const struct sidl__array* array, int32_t count, const int64_t indices[],
                            void* to) {
  const void* const element = sidl_struct__array_at(array, count, indices);
  sidl_struct_init(structure, to);
  if (element != NULL) struct_assign(structure, element, to);
}

void sidl_struct__array_set(struct sidl__array* array, int32_t count, const int64_t indices[],
                            const void* from) {
  void* const element = sidl_struct__array_at(array, count, indices);
  if (element != NULL && element != from) struct_assign(array->d_struct, from, element);
}

sidl_bool sidl_struct_is_plain(const struct sidl_struct_info* structure) {
  return struct_is_plain(structure);
}
