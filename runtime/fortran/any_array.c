/* any_array.c: arrays as such, of any kind and rank, and elements of those that Fortran has no
 * pointers to. */
#include <stdio.h>
#include <string.h>

#include "sidl_Exception.h"
#include "sidl_MemorySpaceException.h"
#include "sidl_String.h"
#include "sidl_char_IOR.h"
#include "sidl_fortran.h"
#include "sidl_interface_IOR.h"
#include "sidl_memory_space.h"
#include "sidl_string_IOR.h"
#include "sidl_struct_array.h"

void sidl_fortran_describe(char text[40], int32_t type, int32_t rank) {
  const char* const name =
      type == sidl_interface_array ? "object" : sidl_kind_name(sidl_element_kind_of(type));
  if (rank == 1) {
    snprintf(text, 40, "array<%s>", name);
  } else {
    snprintf(text, 40, "array<%s,%d>", name, (int)rank);
  }
}

void sidl_fortran_expect(struct sidl__array** array, int32_t type, int32_t rank, const char* what,
                         struct sidl_BaseInterface__object** _ex) {
  if (*array == NULL) return;
  if (sidl__array_type(*array) == type && (*array)->d_dimen == rank &&
      sidl__array_space(*array) == NULL) {
    return;
  }
  sidl_fortran_check(*array, type, rank, what, _ex);
  if (*_ex == NULL) sidl__array_require_host(*array, what, _ex);
  sidl__array_deleteRef(*array);
  *array = NULL;
}

void sidl_fortran_check(const struct sidl__array* array, int32_t type, int32_t rank,
                        const char* what, struct sidl_BaseInterface__object** _ex) {
  char is[40];
  char wanted[40];
  if (array == NULL || *_ex != NULL) return;
  if (rank == 0) rank = array->d_dimen;
  if (sidl__array_type(array) == type && array->d_dimen == rank) return;
  sidl_fortran_describe(is, sidl__array_type(array), array->d_dimen);
  sidl_fortran_describe(wanted, type, rank);
  sidl_fortran_refuse(_ex, "%s is an %s, and has to be an %s", what, is, wanted);
}

static void refuse_array(int32_t type, int32_t rank, const int64_t lower[], const int64_t upper[],
                         struct sidl_BaseInterface__object** _ex) {
  for (int32_t d = 0; d < rank && rank <= SIDL_MAX_ARRAY_DIMENSION; ++d) {
    if (sidl_array_extent(lower[d], upper[d]) >= 0) continue;
    sidl_fortran_refuse(_ex, "no array can be made: dimension %d cannot be from %lld to %lld",
                        (int)d + 1, (long long)lower[d], (long long)upper[d]);
    return;
  }
  sidl_fortran_refuse(_ex,
                      "no array can be made of %d dimensions, elements of kind %d and these bounds",
                      (int)rank, (int)type);
}

struct sidl__array* sidl_fortran_create(int32_t type, int32_t rank, const int64_t upper[],
                                        const int64_t lower[], int row_major,
                                        struct sidl_BaseInterface__object** _ex) {
  static const int64_t ones[SIDL_MAX_ARRAY_DIMENSION] = {1, 1, 1, 1, 1, 1, 1};
  const int32_t order = row_major ? sidl_row_major_order : sidl_column_major_order;
  const int64_t* const from = lower ? lower : ones;
  struct sidl__array* const made = sidl__array_create(type, order, rank, from, upper);
  *_ex = NULL;
  if (made == NULL) refuse_array(type, rank, from, upper, _ex);
  return made;
}

struct sidl__array* sidl_fortran_slice(struct sidl__array* of, int32_t rank, const int64_t counts[],
                                       const int64_t first[], const int64_t step[],
                                       struct sidl_BaseInterface__object** _ex) {
  struct sidl__array* made = NULL;
  int32_t dimen = 0;
  *_ex = NULL;
  for (int32_t d = 0; d < rank; ++d) dimen += counts[d] != 0;
  if (of != NULL && of->d_dimen == rank) {
    made = sidl__array_slice(of, dimen, counts, first, step, NULL);
  }
  if (made == NULL) sidl_fortran_refuse(_ex, "this part is not within the array");
  return made;
}

struct sidl__array* sidl_fortran_to_host(struct sidl__array* of,
                                         struct sidl_BaseInterface__object** _ex) {
  struct sidl__array* const made = sidl__array_in(NULL, of);
  *_ex = NULL;
  if (made == NULL && of != NULL && sidl__array_require_host(of, "to_host", _ex)) {
    sidl_fortran_no_memory(_ex);
  }
  return made;
}

static int owns_elements(const struct sidl__array* array) {
  const struct sidl_struct_info* const structure = sidl__array_struct(array);
  const int32_t type = sidl__array_type(array);
  return type == sidl_string_array || type == sidl_interface_array ||
         (structure != NULL && !sidl_struct_is_plain(structure));
}

struct sidl__array* sidl_fortran_to_device(struct sidl__array* of, int32_t device_type,
                                           int32_t device_id,
                                           struct sidl_BaseInterface__object** _ex) {
  const struct sidl_memory_space* const space = sidl_memory_space_find(device_type, device_id);
  struct sidl__array* const made = sidl__array_in(space, of);
  *_ex = NULL;
  if (made != NULL || of == NULL) return made;
  if (space != NULL && owns_elements(of)) {
    sidl_fortran_refuse(_ex,
                        "the elements own something, as strings and objects do, and cannot be in "
                        "the memory of %s",
                        sidl_memory_space_name(space));
    return NULL;
  }
  struct sidl_BaseInterface__object* failure = NULL;
  char note[200];
  snprintf(note, sizeof note,
           "the elements cannot be copied to %s: no library has registered how, or it has no more "
           "memory",
           sidl_memory_space_name(space));
  void* const created = sidl_MemorySpaceException__create(&failure);
  *_ex = sidl_prepare_exception(created, failure, note, __FILE__, __LINE__, "to_device");
  return NULL;
}

void sidl_fortran_get_device(const struct sidl__array* array, int32_t* device_type,
                             int32_t* device_id) {
  const struct sidl_memory_space* const space = sidl__array_space(array);
  *device_type = sidl_memory_space_device_type(space);
  *device_id = sidl_memory_space_device_id(space);
}

int sidl_fortran_has_indices(const struct sidl__array* array, int32_t rank, const int64_t indices[],
                             struct sidl_BaseInterface__object** _ex) {
  for (int32_t d = 0; d < rank; ++d) {
    if (indices[d] >= array->d_lower[d] && indices[d] <= array->d_upper[d]) continue;
    sidl_fortran_refuse(_ex, "index %lld of dimension %d is not within %lld to %lld",
                        (long long)indices[d], (int)d + 1, (long long)array->d_lower[d],
                        (long long)array->d_upper[d]);
    return FALSE;
  }
  return TRUE;
}

/* Whether the array has such elements, and one at these indices. */
static int has_element(const struct sidl__array* array, int is_of, const char* of, int32_t rank,
                       const int64_t indices[], struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (array == NULL) {
    sidl_fortran_refuse(_ex, "the array is null");
  } else if (!is_of) {
    char is[40];
    sidl_fortran_describe(is, sidl__array_type(array), array->d_dimen);
    sidl_fortran_refuse(_ex, "an %s has no %s", is, of);
  } else if (array->d_dimen != rank) {
    sidl_fortran_refuse(_ex, "an element of an array of %d dimensions has as many indices, not %d",
                        (int)array->d_dimen, (int)rank);
  }
  return *_ex == NULL && sidl_fortran_has_indices(array, rank, indices, _ex);
}

char* sidl_fortran_get_text(const struct sidl__array* array, int32_t rank, const int64_t indices[],
                            sidl_bool* is_nul, struct sidl_BaseInterface__object** _ex) {
  *is_nul = FALSE;
  const int32_t type = sidl__array_type(array);
  const int is_text = type == sidl_string_array || type == sidl_char_array;
  if (!has_element(array, is_text, "strings", rank, indices, _ex)) return NULL;
  if (type == sidl_string_array) {
    return sidl_string__array_get64((const struct sidl_string__array*)(const void*)array, indices);
  }
  const char text[] = {
      sidl_char__array_get64((const struct sidl_char__array*)(const void*)array, indices), '\0'};
  *is_nul = text[0] == '\0';
  return sidl_String_strdup(text);
}

void sidl_fortran_set_text(struct sidl__array* array, int32_t rank, const int64_t indices[],
                           const char* text, int32_t length,
                           struct sidl_BaseInterface__object** _ex) {
  const int32_t type = sidl__array_type(array);
  const int is_text = type == sidl_string_array || type == sidl_char_array;
  if (!has_element(array, is_text, "strings", rank, indices, _ex)) return;
  if (type == sidl_string_array) {
    sidl_string__array_set64((struct sidl_string__array*)(void*)array, indices, text);
  } else {
    // Of no characters there is a blank left, as in any character of Fortran's.
    sidl_char__array_set64((struct sidl_char__array*)(void*)array, indices,
                           length == 0 ? ' ' : text[0]);
  }
}

void* sidl_fortran_get_object(const struct sidl__array* array, int32_t rank,
                              const int64_t indices[], const struct sidl_type_info* type,
                              struct sidl_BaseInterface__object** _ex) {
  const int is_objects = sidl__array_type(array) == sidl_interface_array;
  if (!has_element(array, is_objects, "objects", rank, indices, _ex)) return NULL;
  return sidl_cast_over(
      sidl_interface__array_get64((const struct sidl_interface__array*)(const void*)array, indices),
      type);
}

void sidl_fortran_set_object(struct sidl__array* array, int32_t rank, const int64_t indices[],
                             void* object, struct sidl_BaseInterface__object** _ex) {
  const int is_objects = sidl__array_type(array) == sidl_interface_array;
  if (!has_element(array, is_objects, "objects", rank, indices, _ex)) return;
  sidl_interface__array_set64((struct sidl_interface__array*)(void*)array, indices, object);
}
