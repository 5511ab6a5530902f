/* f77_arrays.c: arrays of old codes. All goes by address; a handle is an array's address. */
#include <string.h>

#include "sidl_BaseInterface_IOR.h"
#include "sidl_fortran77.h"
#include "sidl_header.h"
#include "sidl_memory_space.h"

/* What an element is to Fortran, from what it is in C, and back: `to` and `from` of ELEMENT. */
#define SAME(x) (x)
#define HANDLE(x) sidl_f77_handle(x)
#define ADDRESS(x) sidl_f77_address(x)

/* An array of this type, or NULL: elements of another type would be taken for these. */
#define TYPED(name, handle) sidl_##name##__array_cast((struct sidl__array*)sidl_f77_address(handle))

/* What has bounds of 32 bits, and again, with `bits` 64, of 64. */
#define WITH_BOUNDS(name, bits, bound)                                                             \
  void sidl_f77_create##bits##_##name(int32_t is_row, const int32_t* dimen, const bound lower[],   \
                                      const bound upper[], int64_t* result) {                      \
    *result =                                                                                      \
        sidl_f77_handle(is_row ? sidl_##name##__array_createRow##bits(*dimen, lower, upper)        \
                               : sidl_##name##__array_createCol##bits(*dimen, lower, upper));      \
  }                                                                                                \
  void sidl_f77_slice##bits##_##name(const int64_t* array, const int32_t* dimen,                   \
                                     const bound count[], const bound start[],                     \
                                     const bound stride[], const bound lower[], int64_t* result) { \
    *result = sidl_f77_handle(sidl_##name##__array_slice##bits(TYPED(name, *array), *dimen, count, \
                                                               start, stride, lower));             \
  }

#define MAKERS(name)                                                                               \
  WITH_BOUNDS(name, , int32_t)                                                                     \
  WITH_BOUNDS(name, 64, int64_t)                                                                   \
  void sidl_f77_ensure_##name(const int64_t* array, const int32_t* dimen, const int32_t* ordering, \
                              int64_t* result) {                                                   \
    *result =                                                                                      \
        sidl_f77_handle(sidl_##name##__array_ensure(TYPED(name, *array), *dimen, *ordering));      \
  }                                                                                                \
  void sidl_f77_copy_##name(const int64_t* from_array, const int64_t* to_array) {                  \
    sidl_##name##__array_copy(TYPED(name, *from_array), TYPED(name, *to_array));                   \
  }

#define ELEMENT(name, ctype, ftype, to, from)                                                      \
  void sidl_f77_get_##name(const int64_t* array, int32_t dimen, const int64_t indices[],           \
                           ftype* value) {                                                         \
    static ctype const nothing;                                                                    \
    const struct sidl_##name##__array* const typed = TYPED(name, *array);                          \
    *value =                                                                                       \
        to(sidl_##name##__array_dimen(typed) == dimen ? sidl_##name##__array_get64(typed, indices) \
                                                      : nothing);                                  \
  }                                                                                                \
  void sidl_f77_set_##name(const int64_t* array, int32_t dimen, const int64_t indices[],           \
                           const ftype* value) {                                                   \
    struct sidl_##name##__array* const typed = TYPED(name, *array);                                \
    if (sidl_##name##__array_dimen(typed) != dimen) return;                                        \
    sidl_##name##__array_set64(typed, indices, from(*value));                                      \
  }

/* Memory that the caller has, and the caller's view of memory that an array has. */
#define MEMORY_WITH_BOUNDS(name, ctype, bits, bound)                                              \
  void sidl_f77_borrow##bits##_##name(void* first, const int32_t* dimen, const bound lower[],     \
                                      const bound upper[], const bound stride[],                  \
                                      int64_t* result) {                                          \
    *result =                                                                                     \
        sidl_f77_handle(sidl_##name##__array_borrow##bits(first, *dimen, lower, upper, stride));  \
  }                                                                                               \
  void sidl_f77_access##bits##_##name(const int64_t* array, const void* reference, bound lower[], \
                                      bound upper[], bound stride[], int64_t* index) {            \
    const struct sidl_##name##__array* const typed = TYPED(name, *array);                         \
    const int is_readable = typed != NULL && sidl__array_space(&typed->d_metadata) == NULL &&     \
                            read_bounds##bits(&typed->d_metadata, lower, upper, stride);          \
    *index = is_readable ? index_of(typed->d_firstElement, reference, sizeof(ctype)) : 0;         \
  }
#define MEMORY(name, ctype)                  \
  MEMORY_WITH_BOUNDS(name, ctype, , int32_t) \
  MEMORY_WITH_BOUNDS(name, ctype, 64, int64_t)

/* Reads lower bounds, upper bounds and strides; false if some do not fit. */
static int read_bounds(const struct sidl__array* array, int32_t lower[], int32_t upper[],
                       int32_t stride[]) {
  int fit = TRUE;
  for (int32_t d = 0; d < array->d_dimen; ++d) {
    lower[d] = sidl__array_lower(array, d);
    upper[d] = sidl__array_upper(array, d);
    stride[d] = sidl__array_stride(array, d);
    fit = fit && lower[d] == sidlLower(array, d) && upper[d] == sidlUpper(array, d) &&
          stride[d] == sidlStride(array, d);
  }
  return fit;
}

static int read_bounds64(const struct sidl__array* array, int64_t lower[], int64_t upper[],
                         int64_t stride[]) {
  for (int32_t d = 0; d < array->d_dimen; ++d) {
    lower[d] = sidlLower(array, d);
    upper[d] = sidlUpper(array, d);
    stride[d] = sidlStride(array, d);
  }
  return TRUE;
}

/* Where the first element is in the caller's array `reference`, counted from 1; 0: not at all. */
static int64_t index_of(const void* first, const void* reference, size_t size) {
  const int64_t distance = (int64_t)((intptr_t)first - (intptr_t)reference);
  return distance % (int64_t)size == 0 ? distance / (int64_t)size + 1 : 0;
}

#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) \
  MAKERS(name)                                            \
  ELEMENT(name, ctype, ctype, SAME, SAME)                 \
  MEMORY(name, ctype)
#define SIDL_LOCAL(name, kind, array, ctype, Name, numpy) \
  MAKERS(name)                                            \
  ELEMENT(name, ctype, int64_t, HANDLE, ADDRESS)          \
  MEMORY(name, ctype)
#define SIDL_STRING(name, kind, array, ctype, Name, numpy) MAKERS(name)
#include "sidl_kinds.def"
MAKERS(interface)
ELEMENT(interface, struct sidl_BaseInterface__object*, int64_t, HANDLE, ADDRESS)

/* A copy of an element; NULL if there is none. */
char* sidl_f77_get_string(const int64_t* array, int32_t dimen, const int64_t indices[]) {
  const struct sidl_string__array* const typed = TYPED(string, *array);
  return sidl_string__array_dimen(typed) == dimen ? sidl_string__array_get64(typed, indices) : NULL;
}

void sidl_f77_set_string(const int64_t* array, int32_t dimen, const int64_t indices[],
                         const char* value) {
  struct sidl_string__array* const typed = TYPED(string, *array);
  if (sidl_string__array_dimen(typed) == dimen) sidl_string__array_set64(typed, indices, value);
}
