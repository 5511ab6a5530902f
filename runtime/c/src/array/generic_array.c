/* generic_array.c: the public functions that take the element type, if any, at run time. */
#include "array/array_core.h"
#include "array/memory_space.h"
#include "array/value.h"
#include "base/atomic.h"
#include "sidl_ior.h"
#include "sidl_log.h"

void sidl__array_addRef(struct sidl__array* array) {
  if (array != NULL) refcount_take(&array->d_refcount);
}

void sidl__array_deleteRef(struct sidl__array* array) {
  if (array != NULL && refcount_drop(&array->d_refcount)) array->d_vtable->d_destroy(array);
}

struct sidl__array* sidl__array_smartCopy(struct sidl__array* array) {
  return array == NULL ? NULL : array->d_vtable->d_smartcopy(array);
}

sidl_bool sidl__array_isBorrowed(const struct sidl__array* array) {
  return array != NULL && array->d_vtable->d_smartcopy == &array_smart_duplicate;
}

sidl_bool sidl__array_isShared(const struct sidl__array* array) {
  return array != NULL && array_is_shared((const struct any_array*)(const void*)array);
}

int32_t sidl__array_dimen(const struct sidl__array* array) {
  return array == NULL ? 0 : array->d_dimen;
}

static bool has_dimension(const struct sidl__array* array, int32_t ind) {
  return array != NULL && ind >= 0 && ind < array->d_dimen;
}

int64_t sidl__array_lower64(const struct sidl__array* array, int32_t ind) {
  return has_dimension(array, ind) ? array->d_lower[ind] : 0;
}

int64_t sidl__array_upper64(const struct sidl__array* array, int32_t ind) {
  return has_dimension(array, ind) ? array->d_upper[ind] : -1;
}

int64_t sidl__array_length64(const struct sidl__array* array, int32_t ind) {
  return has_dimension(array, ind) ? array->d_upper[ind] - array->d_lower[ind] + 1 : 0;
}

int64_t sidl__array_stride64(const struct sidl__array* array, int32_t ind) {
  return has_dimension(array, ind) ? array->d_stride[ind] : 0;
}

int32_t sidl__array_lower(const struct sidl__array* array, int32_t ind) {
  return array_in_32_bits(sidl__array_lower64(array, ind), 0, "lower");
}

int32_t sidl__array_upper(const struct sidl__array* array, int32_t ind) {
  return array_in_32_bits(sidl__array_upper64(array, ind), -1, "upper");
}

int32_t sidl__array_length(const struct sidl__array* array, int32_t ind) {
  return array_in_32_bits(sidl__array_length64(array, ind), 0, "length");
}

int32_t sidl__array_stride(const struct sidl__array* array, int32_t ind) {
  return array_in_32_bits(sidl__array_stride64(array, ind), 0, "stride");
}

static sidl_bool is_dense(const struct sidl__array* array, int32_t first, int32_t step) {
  int64_t expected = 1;
  if (array == NULL) return FALSE;
  for (int32_t i = 0, d = first; i < array->d_dimen; ++i, d += step) {
    if (array->d_stride[d] != expected) return FALSE;
    expected *= array->d_upper[d] - array->d_lower[d] + 1;
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

void* sidl__array_address(const struct sidl__array* array) {
  return array == NULL ? NULL : ((const struct any_array*)(const void*)array)->first;
}

void* sidl__array_first(const struct sidl__array* array) {
  return array == NULL || array->d_space != NULL ? NULL : sidl__array_address(array);
}

static struct any_array* any(const struct sidl__array* array) {
  return (struct any_array*)(void*)array;
}

static struct sidl__array* generic(struct any_array* array) {
  return (struct sidl__array*)array;
}

size_t sidl__array_element_size(int32_t type) {
  return array_is_type(type) ? array_element_size(array_elements_of((enum sidl_array_type)type))
                             : 0;
}

size_t sidl__array_element_bytes(const struct sidl__array* array) {
  return array == NULL ? 0 : array_element_size(array_elements(any(array)));
}

const struct sidl_struct_info* sidl__array_struct(const struct sidl__array* array) {
  return array == NULL ? NULL : array->d_struct;
}

struct sidl__array* sidl__array_create(int32_t type, int32_t ordering, int32_t dimen,
                                       const int64_t lower[], const int64_t upper[]) {
  if (!array_is_type(type)) return NULL;
  return generic(array_create(array_elements_of((enum sidl_array_type)type),
                              ordering == sidl_row_major_order, dimen, lower, upper));
}

struct sidl__array* sidl__array_borrow(int32_t type, void* firstElement, int32_t dimen,
                                       const int64_t lower[], const int64_t upper[],
                                       const int64_t stride[]) {
  if (!array_is_type(type)) return NULL;
  return generic(array_borrow(array_elements_of((enum sidl_array_type)type), firstElement, dimen,
                              lower, upper, stride));
}

struct sidl__array* sidl__array_borrow_owned(int32_t type, void* firstElement, int32_t dimen,
                                             const int64_t lower[], const int64_t upper[],
                                             const int64_t stride[], void (*release)(void* owner),
                                             void* owner) {
  const struct array_source source = {release, owner};
  if (!array_is_type(type) || type == sidl_interface_array) return NULL;
  return generic(array_borrow_owned(array_elements_of((enum sidl_array_type)type), firstElement,
                                    dimen, lower, upper, stride, source));
}

struct sidl__array* sidl__array_slice(struct sidl__array* src, int32_t dimen,
                                      const int64_t numElem[], const int64_t* srcStart,
                                      const int64_t* srcStride, const int64_t* newStart) {
  return generic(array_slice(any(src), dimen, numElem, srcStart, srcStride, newStart));
}

struct sidl__array* sidl__array_ensure(struct sidl__array* src, int32_t dimen, int32_t ordering) {
  return generic(array_ensure(any(src), dimen, ordering));
}

void sidl__array_copy(const struct sidl__array* src, struct sidl__array* dest) {
  if (sidl__array_type(src) != sidl__array_type(dest)) return;
  const struct sidl_struct_info* const structure = sidl__array_struct(src);
  if (structure != NULL && !struct_is_same(structure, sidl__array_struct(dest))) return;
  if (array_copy(any(src), any(dest))) return;
  if (src->d_space == dest->d_space) {
    sidl_log(sidl_log_error, "array",
             "elements were not copied within the memory that two arrays share: there is no memory "
             "to keep them meanwhile");
  } else {
    space_refuse(src->d_space != NULL ? src : dest);
  }
}

enum sidl_array_type sidl_array_type_of(int32_t element_kind) {
  static const uint8_t types[] = {
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) [kind] = array,
#include "sidl_kinds.def"
      [sidl_kind_enum] = sidl_long_array,
      [sidl_kind_interface] = sidl_interface_array,
      [sidl_kind_class] = sidl_interface_array,
      [sidl_kind_struct] = sidl_struct_array,
  };
  const int32_t count = (int32_t)(sizeof types / sizeof types[0]);
  if (element_kind < 0 || element_kind >= count) return sidl_undefined_array;
  return (enum sidl_array_type)types[element_kind];
}

enum sidl_kind sidl_element_kind_of(int32_t array_type) {
  static const uint8_t kinds[] = {
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) [array] = kind,
#include "sidl_kinds.def"
      [sidl_interface_array] = sidl_kind_interface,
      [sidl_struct_array] = sidl_kind_struct,
  };
  const bool is_known = array_is_type(array_type) || array_type == sidl_struct_array;
  return is_known ? (enum sidl_kind)kinds[array_type] : sidl_kind_void;
}

void sidl__array_add(struct sidl__array* array) {
  (void)array;
}

void sidl__array_remove(struct sidl__array* array) {
  (void)array;
}
