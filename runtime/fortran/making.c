/*
 * making.c: the arrays that users make: sidl_allocate, sidl_make, sidl_make_text and
 * sidl_make_handles, with bounds of 32 or 64 bits.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sidl_Exception.h"
#include "sidl_fortran.h"

/* For what has no argument for exceptions. */
_Noreturn static void out_of_memory(const char* where) {
  fprintf(stderr, "sidl: %s: out of memory, or invalid array bounds\n", where);
  abort();
}

/* `narrow` in 64 bits; NULL for NULL. */
static const int64_t* widen(int64_t wide[], const int32_t* narrow, int rank) {
  if (narrow == NULL) return NULL;
  for (int d = 0; d < rank; ++d) wide[d] = narrow[d];
  return wide;
}

/* NULL if there cannot be such an array. */
static struct sidl__array* create(const CFI_cdesc_t* view, const int64_t upper[],
                                  const int64_t lower[]) {
  int64_t first[SIDL_MAX_ARRAY_DIMENSION];
  int64_t last[SIDL_MAX_ARRAY_DIMENSION];
  if (view->rank > SIDL_MAX_ARRAY_DIMENSION) return NULL;
  for (int d = 0; d < view->rank; ++d) {
    first[d] = lower == NULL ? 1 : lower[d];
    last[d] = upper[d];
    if (last[d] < first[d] && __builtin_sub_overflow(first[d], 1, &last[d])) return NULL;
  }
  return sidl__array_create(sidl_fortran_type_of(view), sidl_column_major_order, view->rank, first,
                            last);
}

void sidl_fortran_allocate(CFI_cdesc_t* view, const int32_t upper[], const int32_t lower[],
                           int32_t* status) {
  int64_t wide[2][CFI_MAX_RANK];
  sidl_fortran_allocate64(view, widen(wide[0], upper, view->rank),
                          widen(wide[1], lower, view->rank), status);
}

void sidl_fortran_allocate64(CFI_cdesc_t* view, const int64_t upper[], const int64_t lower[],
                             int32_t* status) {
  struct sidl__array* const array = create(view, upper, lower);
  struct sidl_BaseInterface__object* ex = NULL;
  CFI_setpointer(view, NULL, NULL);
  if (array != NULL) sidl_fortran_take_array(view, array, "the array", &ex);
  const bool ok = array != NULL && ex == NULL;
  if (status != NULL) {
    *status = ok ? 0 : 1;
    if (ex != NULL) sidl_release_exception(ex);
  } else if (!ok) {
    out_of_memory("sidl_allocate");
  }
}

static void replace(struct sidl__array** array, struct sidl__array* made,
                    const struct sidl_BaseInterface__object* ex, const char* where) {
  if (ex != NULL) out_of_memory(where);
  sidl__array_deleteRef(*array);
  *array = made;
}

void sidl_fortran_replace(struct sidl__array** array, const CFI_cdesc_t* elements_of,
                          const int32_t lower[]) {
  int64_t wide[CFI_MAX_RANK];
  sidl_fortran_replace64(array, elements_of, widen(wide, lower, elements_of->rank));
}

void sidl_fortran_replace64(struct sidl__array** array, const CFI_cdesc_t* elements_of,
                            const int64_t lower[]) {
  struct sidl_BaseInterface__object* ex = NULL;
  if (elements_of->type == CFI_type_struct || elements_of->type == CFI_type_other) {
    fprintf(stderr, "sidl: sidl_make: these are structs: see sidl_make_structs\n");
    abort();
  }
  const bool is_text = elements_of->type == CFI_type_char && elements_of->elem_len > 1;
  struct sidl__array* const made =
      is_text ? sidl_fortran_make_strings(elements_of, lower, &ex)
              : sidl_fortran_make(elements_of, sidl_fortran_type_of(elements_of), lower, &ex);
  replace(array, made, ex, "sidl_make");
}

void sidl_fortran_replace_strings(struct sidl__array** array, const CFI_cdesc_t* elements_of,
                                  const int32_t lower[]) {
  int64_t wide[CFI_MAX_RANK];
  sidl_fortran_replace_strings64(array, elements_of, widen(wide, lower, elements_of->rank));
}

void sidl_fortran_replace_strings64(struct sidl__array** array, const CFI_cdesc_t* elements_of,
                                    const int64_t lower[]) {
  struct sidl_BaseInterface__object* ex = NULL;
  struct sidl__array* const made = sidl_fortran_make_strings(elements_of, lower, &ex);
  replace(array, made, ex, "sidl_make_text");
}

void sidl_fortran_replace_objects(struct sidl__array** array, const CFI_cdesc_t* handles,
                                  const int32_t lower[]) {
  int64_t wide[CFI_MAX_RANK];
  sidl_fortran_replace_objects64(array, handles, widen(wide, lower, handles->rank));
}

void sidl_fortran_replace_objects64(struct sidl__array** array, const CFI_cdesc_t* handles,
                                    const int64_t lower[]) {
  struct sidl_BaseInterface__object* ex = NULL;
  struct sidl__array* const made = sidl_fortran_make_objects(handles, lower, &ex);
  replace(array, made, ex, "sidl_make_handles");
}
