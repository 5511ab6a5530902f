/*
 * structs.c: arrays of structs. What Fortran has of a struct that owns nothing lies in memory as it
 * does in C; of others it has copies, which the struct's own procedures in Fortran make.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sidl_Exception.h"
#include "sidl_fortran.h"
#include "sidl_memory_space.h"

struct sidl__array* sidl_fortran_dense(struct sidl__array* array) {
  if (array == NULL) return NULL;
  return sidl__array_ensure(array, array->d_dimen, sidl_column_major_order);
}

void sidl_fortran_make_dense(struct sidl__array** array, struct sidl_BaseInterface__object** _ex) {
  struct sidl__array* const given = *array;
  *array = sidl_fortran_dense(given);
  sidl__array_deleteRef(given);
  if (given != NULL && *array == NULL) sidl_fortran_no_memory(_ex);
}

void sidl_fortran_drop_empty(struct sidl__array* array) {
  if (array != NULL && sidl__array_element_count(array) == 0) sidl__array_deleteRef(array);
}

void sidl_fortran_check_structs(struct sidl__array* array, const struct sidl_struct_info* structure,
                                int32_t rank, const char* what,
                                struct sidl_BaseInterface__object** _ex) {
  if (array == NULL || *_ex != NULL) return;
  if (rank == 0) rank = array->d_dimen;
  if (array->d_dimen == rank && sidl_struct__array_cast(structure, array) != NULL) return;
  const struct sidl_struct_info* const actual = sidl__array_struct(array);
  char is[40];
  sidl_fortran_describe(is, sidl__array_type(array), array->d_dimen);
  if (actual == NULL) {
    sidl_fortran_refuse(_ex, "%s is an %s, and has to be an array<%s,%d>", what, is,
                        structure->name, (int)rank);
  } else {
    sidl_fortran_refuse(_ex, "%s is an array<%s,%d>, and has to be an array<%s,%d>", what,
                        actual->name, (int)array->d_dimen, structure->name, (int)rank);
  }
}

void sidl_fortran_expect_structs(struct sidl__array** array,
                                 const struct sidl_struct_info* structure, int32_t rank,
                                 const char* what, struct sidl_BaseInterface__object** _ex) {
  if (*array == NULL) return;
  if ((*array)->d_dimen == rank && sidl_struct__array_cast(structure, *array) != NULL &&
      sidl__array_space(*array) == NULL) {
    return;
  }
  sidl_fortran_check_structs(*array, structure, rank, what, _ex);
  if (*_ex == NULL) sidl__array_require_host(*array, what, _ex);
  sidl__array_deleteRef(*array);
  *array = NULL;
}

struct sidl__array* sidl_fortran_new_structs(const struct sidl_struct_info* structure,
                                             const void* first, int32_t rank,
                                             const int64_t lengths[], const int64_t lower[],
                                             struct sidl_BaseInterface__object** _ex) {
  int64_t begin[SIDL_MAX_ARRAY_DIMENSION];
  int64_t end[SIDL_MAX_ARRAY_DIMENSION];
  bool is_empty = false;
  if (*_ex != NULL) return NULL;
  for (int32_t d = 0; d < rank; ++d) {
    begin[d] = lengths[d] == 0 ? 0 : lower[d];
    end[d] = begin[d] + lengths[d] - 1;
    is_empty = is_empty || lengths[d] == 0;
  }
  if (first == NULL && !is_empty) return NULL;
  struct sidl__array* const made =
      sidl_struct__array_create(structure, sidl_column_major_order, rank, begin, end);
  if (made == NULL) sidl_fortran_refuse(_ex, "an array of this size cannot be created");
  return made;
}

/* A raw array in a C struct. */
struct raw_member {
  void* first;
  struct sidl__array* owner;
};

void sidl_fortran_own_raws(const struct sidl_struct_info* structure, void* data,
                           struct sidl_BaseInterface__object** _ex) {
  for (int32_t i = 0; i < structure->member_count && *_ex == NULL; ++i) {
    const struct sidl_member_info* const member = &structure->members[i];
    struct raw_member* const at = (struct raw_member*)(void*)((char*)data + member->offset);
    if (member->type.kind == sidl_kind_struct) {
      sidl_fortran_own_raws(member->type.structure, at, _ex);
    }
    if (member->type.kind != sidl_kind_rarray || at->first == NULL) continue;
    struct sidl_raw_array lent;
    int64_t extents[SIDL_MAX_ARRAY_DIMENSION];
    member->type.extents(data, extents);
    const enum sidl_array_type type = sidl_array_type_of(member->type.element);
    if (!sidl_raw_array_open(&lent, at->first, type, member->type.dimension, extents, member->name,
                             _ex)) {
      at->first = NULL;
      return;
    }
    struct sidl__array* const own = sidl__array_smartCopy(&lent.d_metadata);
    at->owner = own;
    at->first = own == NULL ? NULL : sidl__array_first(own);
    if (own == NULL) sidl_fortran_no_memory(_ex);
  }
}

void sidl_fortran_take_exception(struct sidl_BaseInterface__object** _ex,
                                 struct sidl_BaseInterface__object* other) {
  if (other == NULL) return;
  if (*_ex == NULL) {
    *_ex = other;
  } else {
    sidl_release_exception(other);
  }
}

/* ---- what users call ----------------------------------------------------------------------------
 */

_Noreturn static void give_up(const char* where, const char* why) {
  fprintf(stderr, "sidl: %s: %s\n", where, why);
  abort();
}

struct sidl__array* sidl_fortran_allocate_structs(const struct sidl_struct_info* structure,
                                                  int32_t rank, const int64_t upper[],
                                                  const int64_t lower[], int32_t* status) {
  int64_t begin[SIDL_MAX_ARRAY_DIMENSION];
  int64_t end[SIDL_MAX_ARRAY_DIMENSION];
  struct sidl_BaseInterface__object* ex = NULL;
  for (int32_t d = 0; d < rank; ++d) {
    begin[d] = lower == NULL ? 1 : lower[d];
    end[d] = upper[d] < begin[d] ? begin[d] - 1 : upper[d];
  }
  struct sidl__array* made =
      sidl_struct__array_create(structure, sidl_column_major_order, rank, begin, end);
  if (made != NULL) sidl_fortran_keep_structs(&made, &ex);
  if (status != NULL) {
    *status = made == NULL ? 1 : 0;
  } else if (made == NULL) {
    give_up("sidl_allocate", "out of memory, or invalid array bounds");
  }
  if (ex != NULL) sidl_release_exception(ex);
  return made;
}

void sidl_fortran_must_be(struct sidl__array* array, const struct sidl_struct_info* structure,
                          int32_t rank) {
  if (array == NULL) return;
  if (array->d_dimen != rank || sidl_struct__array_cast(structure, array) == NULL) {
    give_up("sidl_view_array", "the array has elements of another type, or another rank");
  }
  if (sidl__array_space(array) != NULL) {
    give_up("sidl_view_array", "the array's elements are not in host memory");
  }
  if (!sidl__array_isColumnOrder(array) && sidl__array_element_count(array) > 0) {
    give_up(
        "sidl_view_array",
        "a pointer shows structs that lie one after the other, in column order: use sidl_get and "
        "sidl_set, or an array of column order");
  }
}

void sidl_fortran_read_shape(struct sidl__array* array, void** first, int64_t lengths[],
                             int64_t lower[]) {
  *first = array == NULL ? NULL : sidl_fortran_first(array);
  for (int32_t d = 0; d < SIDL_MAX_ARRAY_DIMENSION; ++d) {
    const bool is_there = array != NULL && d < array->d_dimen;
    lengths[d] = is_there ? sidlLength(array, d) : 1;
    lower[d] = is_there ? sidlLower(array, d) : 1;
  }
}

void* sidl_fortran_element(struct sidl__array* array, const struct sidl_struct_info* structure,
                           int32_t rank, const int64_t indices[],
                           struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (array == NULL) {
    sidl_fortran_refuse(_ex, "the array is null");
    return NULL;
  }
  sidl_fortran_check_structs(array, structure, rank, "the array", _ex);
  if (*_ex == NULL) sidl__array_require_host(array, "the array", _ex);
  if (*_ex != NULL || !sidl_fortran_has_indices(array, rank, indices, _ex)) return NULL;
  return sidl_struct__array_at(array, rank, indices);
}

void sidl_fortran_replace_structs(struct sidl__array** array, const CFI_cdesc_t* elements_of,
                                  const struct sidl_struct_info* structure, const int64_t lower[]) {
  struct sidl_BaseInterface__object* ex = NULL;
  struct sidl__array* const made = sidl_fortran_make_structs(elements_of, structure, lower, &ex);
  if (ex != NULL) give_up("sidl_make_structs", "out of memory, or invalid array bounds");
  sidl__array_deleteRef(*array);
  *array = made;
}
