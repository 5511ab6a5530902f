/* arrays.c: between Fortran's descriptors and SIDL arrays. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "owners.h"
#include "sidl_Exception.h"
#include "sidl_fortran.h"
#include "sidl_memory_space.h"

/* Bytes of an element. */
static const uint8_t element_sizes[] = {
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) [array] = sizeof(ctype),
#include "sidl_kinds.def"
    [sidl_interface_array] = sizeof(void*),
};

/* A default logical is what no C type is. */
enum sidl_array_type sidl_fortran_type_of(const CFI_cdesc_t* array) {
  switch (array->type) {
    case CFI_type_int32_t:
      return sidl_int_array;
    case CFI_type_int64_t:
      return sidl_long_array;
    case CFI_type_float:
      return sidl_float_array;
    case CFI_type_double:
      return sidl_double_array;
    case CFI_type_float_Complex:
      return sidl_fcomplex_array;
    case CFI_type_double_Complex:
      return sidl_dcomplex_array;
    case CFI_type_char:
      return sidl_char_array;
    case CFI_type_cptr:
      return sidl_opaque_array;
    default:
      return sidl_bool_array;
  }
}

/*
 * What is none has no address, and bounds of an array that it was before, or any. An expression
 * without elements, as [real(real64) ::], has no address either in gfortran 12, but bounds that say
 * so: it is an array.
 */
int sidl_fortran_is_none(const CFI_cdesc_t* array) {
  bool is_empty = false;
  CFI_index_t dense = (CFI_index_t)array->elem_len;
  if (array->base_addr != NULL) return FALSE;
  for (int d = 0; d < array->rank; ++d) {
    const CFI_dim_t* const dim = &array->dim[d];
    if (dim->extent < 0 || dim->sm != dense) return TRUE;
    if (dim->extent == 0) is_empty = true;
    if (__builtin_mul_overflow(dense, dim->extent, &dense)) return TRUE;
  }
  return !is_empty;
}

/* What the elements of a SIDL array are: a type, and of structs which. */
struct elements {
  int32_t type;
  const struct sidl_struct_info* structure; /* NULL: others */
};

static struct elements of_type(int32_t type) {
  const struct elements of = {type, NULL};
  return of;
}

static struct elements of_structs(const struct sidl_struct_info* structure) {
  const struct elements of = {sidl_struct_array, structure};
  return of;
}

static size_t size_of(struct elements of) {
  return of.structure != NULL ? of.structure->size : element_sizes[of.type];
}

/*
 * Lower bounds, upper bounds and strides of `array`; false if they are not whole numbers of
 * elements, which a SIDL array's are.
 */
static bool read_bounds(const CFI_cdesc_t* array, size_t size, int64_t lower, int64_t* bounds) {
  const int rank = array->rank;
  const bool is_power = (size & (size - 1)) == 0;  // as most are: division takes long
  const int shift = __builtin_ctzl(size);
  for (int d = 0; d < rank; ++d) {
    const CFI_index_t extent = array->dim[d].extent < 0 ? 0 : array->dim[d].extent;
    const CFI_index_t step = array->dim[d].sm;
    const CFI_index_t count = is_power ? step >> shift : step / (CFI_index_t)size;
    if (extent > 1 && count * (CFI_index_t)size != step) return false;
    bounds[d] = lower;
    bounds[rank + d] = lower + extent - 1;
    bounds[2 * rank + d] = count;
  }
  return true;
}

/* The loan of an array that is one; NULL says that *_ex is set. */
static struct sidl__array* lend(const CFI_cdesc_t* array, struct elements of, int32_t lower,
                                const char* what, struct sidl_BaseInterface__object** _ex) {
  int64_t bounds[3 * SIDL_MAX_ARRAY_DIMENSION];
  const int rank = array->rank;
  if (!read_bounds(array, size_of(of), lower, bounds)) {
    sidl_fortran_refuse(
        _ex, "%s has elements that do not lie a multiple of their size apart: pass a copy", what);
    return NULL;
  }
  struct sidl__array* const lent =
      of.structure != NULL ? sidl_struct_loan_begin(of.structure, array->base_addr, rank, bounds,
                                                    bounds + rank, bounds + 2 * rank)
                           : sidl_loan_begin((enum sidl_array_type)of.type, array->base_addr, rank,
                                             bounds, bounds + rank, bounds + 2 * rank);
  if (lent == NULL) sidl_fortran_no_memory(_ex);
  return lent;
}

struct sidl__array* sidl_fortran_lend(const CFI_cdesc_t* array, int32_t type, int32_t lower,
                                      const char* what, struct sidl_BaseInterface__object** _ex) {
  if (*_ex != NULL || sidl_fortran_is_none(array)) return NULL;
  return lend(array, of_type(type), lower, what, _ex);
}

struct sidl__array* sidl_fortran_lend_structs(const CFI_cdesc_t* array,
                                              const struct sidl_struct_info* structure,
                                              int32_t lower, const char* what,
                                              struct sidl_BaseInterface__object** _ex) {
  if (*_ex != NULL || sidl_fortran_is_none(array)) return NULL;
  return lend(array, of_structs(structure), lower, what, _ex);
}

struct sidl__array* sidl_fortran_lend_raw(const CFI_cdesc_t* array, int32_t type, const char* what,
                                          const char* where,
                                          struct sidl_BaseInterface__object** _ex) {
  bool is_empty = false;
  if (*_ex != NULL) return NULL;
  for (int d = 0; d < array->rank; ++d) is_empty = is_empty || array->dim[d].extent <= 0;
  if (array->base_addr == NULL && !is_empty) {
    sidl_fortran_refuse(_ex, "%s of %s is not allocated or not associated: a raw array is memory",
                        what, where);
    return NULL;
  }
  return lend(array, of_type(type), 0, what, _ex);
}

/* Its elements as SIDL calls them; sidl_undefined_array if it does not know them. */
static int32_t type_of_numbers(const CFI_cdesc_t* array) {
  const struct {
    CFI_type_t fortran;
    int32_t sidl;
  } all[] = {
      {CFI_type_int32_t, sidl_int_array},
      {CFI_type_int64_t, sidl_long_array},
      {CFI_type_float, sidl_float_array},
      {CFI_type_double, sidl_double_array},
      {CFI_type_float_Complex, sidl_fcomplex_array},
      {CFI_type_double_Complex, sidl_dcomplex_array},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    if (all[i].fortran == array->type) return all[i].sidl;
  }
  return sidl_undefined_array;
}

struct sidl__array* sidl_fortran_borrow(const CFI_cdesc_t* array,
                                        struct sidl_BaseInterface__object** _ex) {
  int64_t bounds[3 * SIDL_MAX_ARRAY_DIMENSION];
  const int rank = array->rank;
  *_ex = NULL;
  if (sidl_fortran_is_none(array)) return NULL;
  const int32_t type = type_of_numbers(array);
  if (type == sidl_undefined_array || rank < 1 || rank > SIDL_MAX_ARRAY_DIMENSION) {
    sidl_fortran_refuse(_ex,
                        "only arrays of integer(int32), integer(int64), real(real32), "
                        "real(real64) and complex numbers of these, of 1 to 7 dimensions, are "
                        "arrays of SIDL as they are");
    return NULL;
  }
  if (!read_bounds(array, size_of(of_type(type)), 1, bounds)) {
    sidl_fortran_refuse(_ex, "the elements do not lie a multiple of their size apart: pass a copy");
    return NULL;
  }
  struct sidl__array* const made =
      sidl__array_borrow(type, array->base_addr, rank, bounds, bounds + rank, bounds + 2 * rank);
  if (made == NULL) sidl_fortran_no_memory(_ex);
  return made;
}

int64_t sidl_fortran_length(const CFI_cdesc_t* array, int32_t dimension) {
  return array->dim[dimension - 1].extent;
}

int32_t sidl_fortran_int_index(int64_t value, const char* what,
                               struct sidl_BaseInterface__object** _ex) {
  if (value >= INT32_MIN && value <= INT32_MAX) return (int32_t)value;
  if (*_ex == NULL) {
    sidl_fortran_refuse(_ex, "%s is %lld, which does not fit an int", what, (long long)value);
  }
  return 0;
}

void sidl_fortran_check_shape(const CFI_cdesc_t* array, const int64_t extents[], const char* what,
                              const char* by, struct sidl_BaseInterface__object** _ex) {
  for (int d = 0; d < array->rank && *_ex == NULL; ++d) {
    const CFI_index_t length = array->dim[d].extent;
    if (length == extents[d]) continue;
    sidl_fortran_refuse(_ex, "%s has %lld elements in dimension %d, not %lld%s%s", what,
                        (long long)length, d + 1, (long long)extents[d], by[0] == '\0' ? "" : ": ",
                        by);
  }
}

void sidl_fortran_end_loan(struct sidl__array* lent, struct sidl_BaseInterface__object** _ex) {
  if (!sidl_loan_end(lent)) sidl_fortran_no_memory(_ex);
}

void sidl_fortran_take_back(struct sidl__array* lent, struct sidl__array* array, const char* what,
                            struct sidl_BaseInterface__object** _ex) {
  if (lent == array) {
    sidl__array_deleteRef(array);
    sidl_fortran_end_loan(lent, _ex);
  } else if (lent == NULL || (array == NULL && sidl__array_element_count(lent) > 0)) {
    if (*_ex == NULL) {
      sidl_fortran_refuse(
          _ex,
          "%s %s: an inout array of Fortran's stays what it is, a "
          "type(sidl_array) can change",
          what, lent == NULL ? "was null, and has come back as an array" : "has come back as null");
    }
    sidl__array_deleteRef(array);
    sidl_fortran_end_loan(lent, _ex);
  } else if (array == NULL) {
    sidl_fortran_end_loan(lent, _ex);
  } else {
    sidl_loan_replace(lent, array, what, _ex);
  }
}

/* Bytes for arrays without elements: a pointer to nothing would not be associated. */
static max_align_t nothing;

void* sidl_fortran_first(const struct sidl__array* array) {
  void* const first = array == NULL ? NULL : sidl__array_first(array);
  return first == NULL ? &nothing : first;
}

static bool is_of(const CFI_cdesc_t* view, const struct sidl__array* array) {
  return array->d_dimen == view->rank &&
         sidl__array_type(array) == (int32_t)sidl_fortran_type_of(view);
}

static bool is_empty(const CFI_cdesc_t* view) {
  for (int d = 0; d < view->rank; ++d) {
    if (view->dim[d].extent <= 0) return true;
  }
  return false;
}

/*
 * Makes `view`, a pointer of the array's type and rank, point at its elements; the bounds are the
 * array's. Without elements it points at nothing: an address might be that of another array, now or
 * later. As CFI_setpointer does for a target that CFI_establish describes, in a tenth of the time.
 */
static void show(CFI_cdesc_t* view, const struct sidl__array* array) {
  bool has_elements = true;
  for (int d = 0; d < view->rank; ++d) {
    CFI_dim_t* const dim = &view->dim[d];
    dim->lower_bound = sidlLower(array, d);
    dim->extent = sidlLength(array, d);
    dim->sm = sidlStride(array, d) * (CFI_index_t)view->elem_len;
    has_elements = has_elements && dim->extent > 0;
  }
  view->base_addr = has_elements ? sidl__array_first(array) : &nothing;
}

/* The program asks for what it must not have. */
static _Noreturn void end_with_wrong_view(const CFI_cdesc_t* view,
                                          const struct sidl__array* array) {
  char is[40];
  char wanted[40];
  if (is_of(view, array)) {
    fprintf(
        stderr,
        "sidl: sidl_view_array: the array's elements are in %s, but are needed in host memory\n",
        sidl_memory_space_name(sidl__array_space(array)));
    abort();
  }
  sidl_fortran_describe(is, sidl__array_type(array), array->d_dimen);
  sidl_fortran_describe(wanted, sidl_fortran_type_of(view), view->rank);
  fprintf(stderr,
          "sidl: sidl_view_array: the array is an %s, and the pointer one for an %s: ask the "
          "array for its kind() and rank() before\n",
          is, wanted);
  abort();
}

void sidl_fortran_view(CFI_cdesc_t* view, struct sidl__array* array) {
  if (array == NULL) {
    view->base_addr = NULL;
    return;
  }
  if (!is_of(view, array) || array->d_space != NULL) end_with_wrong_view(view, array);
  show(view, array);
}

/* Whether there is an array that `view` can be; what is none is given back. */
static bool is_expected(const CFI_cdesc_t* view, struct sidl__array** array, const char* what,
                        struct sidl_BaseInterface__object** _ex) {
  sidl_fortran_expect(array, sidl_fortran_type_of(view), view->rank, what, _ex);
  return *array != NULL;
}

/* Keeps a reference to `array`, all of which `view` points at. False: no memory. */
static bool keep(const CFI_cdesc_t* view, struct sidl__array* array) {
  const char* low = view->base_addr;
  const char* high = low + view->elem_len;
  for (int d = 0; d < view->rank; ++d) {
    const CFI_index_t length = (view->dim[d].extent - 1) * view->dim[d].sm;
    *(length < 0 ? &low : &high) += length;
  }
  return owners_add(view->base_addr, array, low, high);
}

void sidl_fortran_take_array(CFI_cdesc_t* view, struct sidl__array* given, const char* what,
                             struct sidl_BaseInterface__object** _ex) {
  CFI_setpointer(view, NULL, NULL);
  if (!is_expected(view, &given, what, _ex)) return;
  // What comes back may be what was lent for the call: it is copied, all else is kept as it is.
  struct sidl__array* const array = sidl__array_smartCopy(given);
  sidl__array_deleteRef(given);
  if (array == NULL) {
    sidl_fortran_no_memory(_ex);
    return;
  }
  show(view, array);
  if (sidl__array_element_count(array) == 0) {
    sidl__array_deleteRef(array);
  } else if (!keep(view, array)) {
    CFI_setpointer(view, NULL, NULL);
    sidl__array_deleteRef(array);
    sidl_fortran_no_memory(_ex);
  }
}

/* Copies the elements of `from` to `to`, which has the same shape; the last dimension is outermost.
 */
static void copy_elements(char* to, const CFI_index_t* to_step, const char* from,
                          const CFI_index_t* from_step, const CFI_index_t* extents, int rank,
                          size_t size) {
  const CFI_index_t count = extents[rank - 1];
  const CFI_index_t step = to_step[rank - 1];
  if (rank == 1 && step == (CFI_index_t)size && from_step[0] == step) {
    if (count > 0) memcpy(to, from, (size_t)count * size);
    return;
  }
  for (CFI_index_t i = 0; i < count; ++i) {
    if (rank == 1) {
      memcpy(to, from, size);
    } else {
      copy_elements(to, to_step, from, from_step, extents, rank - 1, size);
    }
    to += step;
    from += from_step[rank - 1];
  }
}

struct shape {
  CFI_index_t extents[SIDL_MAX_ARRAY_DIMENSION];
  CFI_index_t fortran_step[SIDL_MAX_ARRAY_DIMENSION];
  CFI_index_t sidl_step[SIDL_MAX_ARRAY_DIMENSION];
};

static void read_shape(const CFI_cdesc_t* fortran, const struct sidl__array* array,
                       struct shape* shape) {
  for (int d = 0; d < fortran->rank; ++d) {
    shape->extents[d] = fortran->dim[d].extent;
    shape->fortran_step[d] = fortran->dim[d].sm;
    shape->sidl_step[d] = sidlStride(array, d) * (CFI_index_t)fortran->elem_len;
  }
}

void sidl_fortran_fill(const CFI_cdesc_t* copy, const struct sidl__array* array) {
  struct shape shape;
  read_shape(copy, array, &shape);
  copy_elements(copy->base_addr, shape.fortran_step, sidl__array_first(array), shape.sidl_step,
                shape.extents, copy->rank, copy->elem_len);
}

void sidl_fortran_copy_array(CFI_cdesc_t* copy, struct sidl__array* array, const char* what,
                             struct sidl_BaseInterface__object** _ex) {
  CFI_index_t lower[SIDL_MAX_ARRAY_DIMENSION];
  CFI_index_t upper[SIDL_MAX_ARRAY_DIMENSION];
  if (copy->base_addr != NULL) CFI_deallocate(copy);
  if (!is_expected(copy, &array, what, _ex)) return;
  for (int d = 0; d < copy->rank; ++d) {
    lower[d] = sidlLower(array, d);
    upper[d] = sidlUpper(array, d);
  }
  if (CFI_allocate(copy, lower, upper, copy->elem_len) == CFI_SUCCESS) {
    sidl_fortran_fill(copy, array);
  } else {
    sidl_fortran_no_memory(_ex);
  }
  sidl__array_deleteRef(array);
}

void sidl_fortran_free(CFI_cdesc_t* view) {
  if (view->base_addr != NULL && !is_empty(view)) {
    sidl__array_deleteRef(owners_remove(view->base_addr));
  }
  CFI_setpointer(view, NULL, NULL);
}

static struct sidl__array* create_like(const CFI_cdesc_t* array, struct elements of,
                                       const int64_t first[]) {
  int64_t lower[SIDL_MAX_ARRAY_DIMENSION];
  int64_t upper[SIDL_MAX_ARRAY_DIMENSION];
  if (array->rank > SIDL_MAX_ARRAY_DIMENSION) return NULL;
  for (int d = 0; d < array->rank; ++d) {
    // Where there are no elements, lbound is 1 wherever the array was declared to begin.
    const CFI_index_t extent = array->dim[d].extent < 0 ? 0 : array->dim[d].extent;
    lower[d] = extent == 0 ? 0 : first ? first[d] : 1;
    if (__builtin_add_overflow(lower[d], extent - 1, &upper[d])) return NULL;
  }
  return of.structure != NULL
             ? sidl_struct__array_create(of.structure, sidl_column_major_order, array->rank, lower,
                                         upper)
             : sidl__array_create(of.type, sidl_column_major_order, array->rank, lower, upper);
}

struct sidl__array* sidl_fortran_create_like(const CFI_cdesc_t* array, int32_t type,
                                             const int64_t first[]) {
  return create_like(array, of_type(type), first);
}

static struct sidl__array* make(const CFI_cdesc_t* array, struct elements of, const int64_t lower[],
                                struct sidl_BaseInterface__object** _ex) {
  if (*_ex != NULL || sidl_fortran_is_none(array)) return NULL;
  struct sidl__array* const made = create_like(array, of, lower);
  if (made == NULL) {
    sidl_fortran_refuse(_ex, "an array of this size cannot be created");
    return NULL;
  }
  struct shape shape;
  read_shape(array, made, &shape);
  copy_elements(sidl__array_first(made), shape.sidl_step, array->base_addr, shape.fortran_step,
                shape.extents, array->rank, array->elem_len);
  return made;
}

struct sidl__array* sidl_fortran_make(const CFI_cdesc_t* array, int32_t type, const int64_t lower[],
                                      struct sidl_BaseInterface__object** _ex) {
  return make(array, of_type(type), lower, _ex);
}

struct sidl__array* sidl_fortran_make_structs(const CFI_cdesc_t* array,
                                              const struct sidl_struct_info* structure,
                                              const int64_t lower[],
                                              struct sidl_BaseInterface__object** _ex) {
  return make(array, of_structs(structure), lower, _ex);
}

/* Whether a pointer, with these lower bounds, still is what it was made: all of the array, counted
 * as the array counts. */
static bool is_whole(const CFI_cdesc_t* view, const int64_t lower[],
                     const struct sidl__array* array) {
  if (array == NULL || view->base_addr == NULL || view->rank != array->d_dimen) return false;
  for (int d = 0; d < view->rank; ++d) {
    const CFI_dim_t* const dim = &view->dim[d];
    const CFI_index_t step = sidlStride(array, d) * (CFI_index_t)view->elem_len;
    if (dim->extent != sidlLength(array, d)) return false;
    if (dim->extent > 0 && lower[d] != sidlLower(array, d)) return false;
    if (dim->extent > 1 && dim->sm != step) return false;
  }
  return (void*)view->base_addr == (void*)&nothing || view->base_addr == sidl__array_first(array);
}

/* From when on the method has run whose arrays this thread gives: owners_count. */
static _Thread_local int64_t begin_of_call;

int64_t sidl_fortran_begin_call(void) {
  return owners_count();
}

void sidl_fortran_end_call(int64_t begin) {
  begin_of_call = begin;
}

void sidl_fortran_discard(const CFI_cdesc_t* view) {
  if (view->base_addr == NULL || is_empty(view)) return;
  sidl__array_deleteRef(owners_claim(view->base_addr, begin_of_call));
}

static void release_array(void* array) {
  sidl__array_deleteRef(array);
}

/*
 * What `view` points at of `own`, whose reference is taken over, as an array with these lower
 * bounds; NULL if that cannot be.
 */
static struct sidl__array* part_of(struct sidl__array* own, const CFI_cdesc_t* view,
                                   struct elements of, const int64_t lower[]) {
  int64_t bounds[3 * SIDL_MAX_ARRAY_DIMENSION];
  const int rank = view->rank;
  struct sidl__array* part = NULL;
  if (read_bounds(view, size_of(of), 0, bounds)) {
    for (int d = 0; d < rank; ++d) {
      bounds[d] = lower[d];
      bounds[rank + d] += bounds[d];
    }
    part =
        of.structure != NULL
            ? sidl_struct__array_borrow_owned(of.structure, view->base_addr, rank, bounds,
                                              bounds + rank, bounds + 2 * rank, release_array, own)
            : sidl__array_borrow_owned(of.type, view->base_addr, rank, bounds, bounds + rank,
                                       bounds + 2 * rank, release_array, own);
  }
  if (part == NULL) sidl__array_deleteRef(own);
  return part;
}

static struct sidl__array* give(const CFI_cdesc_t* view, struct elements of, const int64_t lower[],
                                struct sidl_BaseInterface__object** _ex) {
  if (*_ex != NULL || view->base_addr == NULL) return NULL;
  struct sidl__array* const own =
      is_empty(view) ? NULL : owners_claim(view->base_addr, begin_of_call);
  if (own != NULL && is_whole(view, lower, own)) return own;
  if (own == NULL) return make(view, of, lower, _ex);
  struct sidl__array* const part = part_of(own, view, of, lower);
  if (part == NULL) sidl_fortran_no_memory(_ex);
  return part;
}

static void read_lower(const CFI_cdesc_t* view, int64_t lower[]) {
  for (int d = 0; d < view->rank; ++d) lower[d] = view->dim[d].lower_bound;
}

struct sidl__array* sidl_fortran_give(const CFI_cdesc_t* view, int32_t type,
                                      struct sidl_BaseInterface__object** _ex) {
  int64_t lower[CFI_MAX_RANK];
  read_lower(view, lower);
  return give(view, of_type(type), lower, _ex);
}

struct sidl__array* sidl_fortran_settle_array(const CFI_cdesc_t* view, int32_t type,
                                              struct sidl__array* array,
                                              struct sidl_BaseInterface__object** _ex) {
  int64_t lower[CFI_MAX_RANK];
  read_lower(view, lower);
  if (is_whole(view, lower, array)) return array;
  struct sidl__array* const made = give(view, of_type(type), lower, _ex);
  return *_ex != NULL ? array : made;
}

struct sidl__array* sidl_fortran_give_structs(const CFI_cdesc_t* view,
                                              const struct sidl_struct_info* structure,
                                              const int64_t lower[],
                                              struct sidl_BaseInterface__object** _ex) {
  return give(view, of_structs(structure), lower, _ex);
}

struct sidl__array* sidl_fortran_settle_structs(const CFI_cdesc_t* view,
                                                const struct sidl_struct_info* structure,
                                                const int64_t lower[], struct sidl__array* array,
                                                struct sidl__array* dense,
                                                struct sidl_BaseInterface__object** _ex) {
  if (is_whole(view, lower, dense)) {
    if (dense != array) sidl__array_copy(dense, array);
    return array;
  }
  struct sidl__array* const made = give(view, of_structs(structure), lower, _ex);
  return *_ex != NULL ? array : made;
}

void sidl_fortran_keep_structs(struct sidl__array** array,
                               struct sidl_BaseInterface__object** _ex) {
  struct sidl__array* const given = *array;
  // What comes back may be what was lent for the call: it is copied.
  struct sidl__array* const kept = sidl__array_smartCopy(given);
  *array = sidl_fortran_dense(kept);
  sidl__array_deleteRef(kept);
  sidl__array_deleteRef(given);
  const size_t count = sidl__array_element_count(*array);
  char* const first = sidl__array_first(*array);
  if (given == NULL || (*array != NULL && count == 0)) return;
  if (*array != NULL &&
      owners_add(first, *array, first, first + count * (*array)->d_struct->size)) {
    return;
  }
  sidl__array_deleteRef(*array);
  *array = NULL;
  sidl_fortran_no_memory(_ex);
}

void sidl_fortran_free_structs(const CFI_cdesc_t* view) {
  if (view->base_addr != NULL && !is_empty(view)) {
    sidl__array_deleteRef(owners_remove(view->base_addr));
  }
}
