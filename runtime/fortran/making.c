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

struct bounds {
  int64_t first[CFI_MAX_RANK];
  int64_t last[CFI_MAX_RANK];
};

/* As an array has them: highest indices below the lowest ones make it one without elements. */
static struct bounds bounds_of(int rank, const int64_t upper[], const int64_t lower[]) {
  struct bounds of;
  for (int d = 0; d < rank; ++d) {
    of.first[d] = lower == NULL ? 1 : lower[d];
    of.last[d] = upper[d];
    if (of.last[d] < of.first[d]) of.last[d] = of.first[d] - 1;
  }
  return of;
}

_Noreturn static void end_without(int rank, const struct bounds* of) {
  for (int d = 0; d < rank; ++d) {
    if (sidl_array_extent(of->first[d], of->last[d]) >= 0) continue;
    fprintf(stderr, "sidl: sidl_allocate: dimension %d cannot be from %lld to %lld\n", d + 1,
            (long long)of->first[d], (long long)of->last[d]);
    abort();
  }
  out_of_memory("sidl_allocate");
}

void sidl_fortran_allocate(CFI_cdesc_t* view, const int32_t upper[], const int32_t lower[],
                           int32_t* status) {
  int64_t wide[2][CFI_MAX_RANK];
  sidl_fortran_allocate64(view, widen(wide[0], upper, view->rank),
                          widen(wide[1], lower, view->rank), status);
}

void sidl_fortran_allocate64(CFI_cdesc_t* view, const int64_t upper[], const int64_t lower[],
                             int32_t* status) {
  const struct bounds of = bounds_of(view->rank, upper, lower);
  struct sidl__array* const array = sidl__array_create(
      sidl_fortran_type_of(view), sidl_column_major_order, view->rank, of.first, of.last);
  struct sidl_BaseInterface__object* ex = NULL;
  CFI_setpointer(view, NULL, NULL);
  if (array != NULL) sidl_fortran_take_array(view, array, "the array", &ex);
  const bool ok = array != NULL && ex == NULL;
  if (status != NULL) {
    *status = ok ? 0 : 1;
    if (ex != NULL) sidl_release_exception(ex);
  } else if (!ok) {
    end_without(view->rank, &of);
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
