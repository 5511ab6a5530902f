/* array_space.c: the public functions of arrays in memory spaces. */
#include "array/array_core.h"
#include "array/memory_space.h"
#include "base/atomic.h"
#include "object/throw.h"
#include "sidl_MemorySpaceException_IOR.h"

static struct sidl__array* generic(struct any_array* array) {
  return (struct sidl__array*)array;
}

/* Whether there are such elements; fills *of. */
static bool find_elements(int32_t type, const struct sidl_struct_info* structure,
                          struct element_type* of) {
  *of = (struct element_type){(enum sidl_array_type)type, structure};
  return type == sidl_struct_array ? structure != NULL : structure == NULL && array_is_type(type);
}

const struct sidl_memory_space* sidl__array_space(const struct sidl__array* array) {
  return array == NULL ? NULL : array->d_space;
}

struct sidl__array* sidl__array_create_in(const struct sidl_memory_space* space, int32_t type,
                                          const struct sidl_struct_info* structure,
                                          int32_t ordering, int32_t dimen, const int64_t lower[],
                                          const int64_t upper[]) {
  struct element_type of;
  if (!find_elements(type, structure, &of)) return NULL;
  return generic(array_create_in(space, of, ordering == sidl_row_major_order, dimen, lower, upper));
}

struct sidl__array* sidl__array_borrow_in(const struct sidl_memory_space* space, int32_t type,
                                          const struct sidl_struct_info* structure, void* first,
                                          int32_t dimen, const int64_t lower[],
                                          const int64_t upper[], const int64_t stride[],
                                          void (*release)(void* owner), void* owner) {
  const struct array_source source = {release, owner};
  struct element_type of;
  if (!find_elements(type, structure, &of)) return NULL;
  if (type == sidl_interface_array && release != NULL) return NULL;
  return generic(array_borrow_in(space, of, first, dimen, lower, upper, stride, source));
}

struct sidl__array* sidl__array_in(const struct sidl_memory_space* space,
                                   struct sidl__array* array) {
  if (array == NULL) return NULL;
  if (array->d_space != space) {
    return generic(array_duplicate_in(space, (const struct any_array*)(const void*)array));
  }
  refcount_take(&array->d_refcount);
  return array;
}

sidl_bool sidl__array_require_host(const struct sidl__array* array, const char* what,
                                   struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (array == NULL || array->d_space == NULL) return TRUE;
  THROW(_ex, sidl_MemorySpaceException,
        "%s: the array's elements are in %s, but are needed in host memory", what,
        sidl_memory_space_name(array->d_space));
  return FALSE;
}
