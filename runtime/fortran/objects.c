/* objects.c: arrays of handles, whose only component is the address of an object. */
#include "sidl_BaseInterface.h"
#include "sidl_fortran.h"
#include "sidl_interface_IOR.h"

/* The handle at indices that count from the array's lower bounds. */
static void** handle_at(const CFI_cdesc_t* handles, const struct sidl__array* array,
                        const int64_t* indices) {
  char* at = handles->base_addr;
  for (int d = 0; d < handles->rank; ++d) {
    at += (indices[d] - array->d_lower[d]) * handles->dim[d].sm;
  }
  return (void**)(void*)at;
}

/* Calls one(handle, array, indices, data) for every element. */
static void for_each(const CFI_cdesc_t* handles, struct sidl__array* array,
                     void (*one)(void** handle, struct sidl_interface__array* objects,
                                 const int64_t* indices, const void* data),
                     const void* data) {
  int64_t indices[SIDL_MAX_ARRAY_DIMENSION];
  if (sidl__array_element_count(array) == 0) return;
  for (int32_t d = 0; d < array->d_dimen; ++d) indices[d] = array->d_lower[d];
  for (int32_t d = 0;;) {
    one(handle_at(handles, array, indices), (struct sidl_interface__array*)(void*)array, indices,
        data);
    for (d = 0; d < array->d_dimen && indices[d] == array->d_upper[d]; ++d) {
      indices[d] = array->d_lower[d];
    }
    if (d == array->d_dimen) break;
    ++indices[d];
  }
}

static void store(void** handle, struct sidl_interface__array* objects, const int64_t* indices,
                  const void* data) {
  (void)data;
  sidl_interface__array_set64(objects, indices, *handle);
}

struct sidl__array* sidl_fortran_make_objects(const CFI_cdesc_t* handles, const int64_t lower[],
                                              struct sidl_BaseInterface__object** _ex) {
  if (*_ex != NULL || sidl_fortran_is_none(handles)) return NULL;
  struct sidl__array* const made = sidl_fortran_create_like(handles, sidl_interface_array, lower);
  if (made == NULL) {
    sidl_fortran_no_memory(_ex);
    return NULL;
  }
  for_each(handles, made, store, NULL);
  return made;
}

static void fetch(void** handle, struct sidl_interface__array* objects, const int64_t* indices,
                  const void* data) {
  *handle = sidl_cast_over(sidl_interface__array_get64(objects, indices), data);
}

void sidl_fortran_copy_objects(const CFI_cdesc_t* handles, struct sidl__array* array,
                               const struct sidl_type_info* type) {
  for_each(handles, array, fetch, type);
}
