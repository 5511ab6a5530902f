/*
 * loan.c: arrays over memory that is lent for the duration of a call.
 *
 * Only the lender knows when the memory becomes invalid. If references to the loan or to slices of
 * it remain when the lender ends it, the elements are copied, and the structs, to which the
 * references point, then own the copies.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "array/array_core.h"
#include "base/atomic.h"
#include "object/throw.h"
#include "sidl_raw_array.h"

/*
 * A slice of a loan, which holds a reference to it. In the list of the loan until it is destroyed.
 */
struct part {
  struct part* next;
  struct array_block* slice;
};

/* Guards all lists of parts: slices of loans are few. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct array_block* block_of(struct sidl__array* array) {
  return (struct array_block*)(void*)array;
}

/* The source of a slice is the loan; that of a loan is its list of parts. */
static bool is_slice(const struct array_block* block) {
  return block->source.release != NULL;
}

static void release_loan(void* loan) {
  sidl__array_deleteRef(loan);
}

static struct part* take_part(struct array_block* loan, const struct array_block* slice) {
  struct part** place = (struct part**)&loan->source.owner;
  while ((*place)->slice != slice) place = &(*place)->next;
  struct part* const found = *place;
  *place = found->next;
  return found;
}

static void destroy_loan(struct sidl__array* array) {
  struct array_block* const block = block_of(array);
  if (is_slice(block)) {
    pthread_mutex_lock(&lock);
    struct part* const part = take_part(block->source.owner, block);
    pthread_mutex_unlock(&lock);
    free(part);
    block->source.release(block->source.owner);
  }
  free(block);
}

#define TYPE_FUNCTION(name)          \
  static int32_t type_##name(void) { \
    return sidl_##name##_array;      \
  }
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) TYPE_FUNCTION(name)
#include "sidl_kinds.def"
TYPE_FUNCTION(interface)
TYPE_FUNCTION(struct)

const struct sidl__array_vtable loan_vtables[] = {
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) \
  [array] = {destroy_loan, array_smart_duplicate, type_##name},
#include "sidl_kinds.def"
    [sidl_interface_array] = {destroy_loan, array_smart_duplicate, type_interface},
    [sidl_struct_array] = {destroy_loan, array_smart_duplicate, type_struct},
};

static struct sidl__array* begin(struct element_type of, void* first, int32_t dimen,
                                 const int64_t* lower, const int64_t* upper,
                                 const int64_t* stride) {
  const struct array_source no_parts = {NULL, NULL};
  if (!array_is_addressable(of, dimen, lower, upper, stride)) return NULL;
  return (struct sidl__array*)array_view(&loan_vtables[of.type], of.structure, first, dimen, lower,
                                         upper, stride, no_parts);
}

struct sidl__array* sidl_loan_begin(enum sidl_array_type type, void* first, int32_t dimen,
                                    const int64_t lower[], const int64_t upper[],
                                    const int64_t stride[]) {
  return begin(array_elements_of(type), first, dimen, lower, upper, stride);
}

struct sidl__array* sidl_struct_loan_begin(const struct sidl_struct_info* structure, void* first,
                                           int32_t dimen, const int64_t lower[],
                                           const int64_t upper[], const int64_t stride[]) {
  const struct element_type of = {sidl_struct_array, structure};
  return begin(of, first, dimen, lower, upper, stride);
}

struct any_array* loan_slice(struct any_array* of, void* first, int32_t dimen, const int64_t* lower,
                             const int64_t* upper, const int64_t* stride) {
  struct array_block* const whole = block_of(&of->meta);
  struct array_block* const loan = is_slice(whole) ? whole->source.owner : whole;
  const struct array_source source = {release_loan, loan};
  struct part* const part = malloc(sizeof *part);
  struct any_array* const slice = part == NULL
                                      ? NULL
                                      : array_view(of->meta.d_vtable, of->meta.d_struct, first,
                                                   dimen, lower, upper, stride, source);
  if (slice == NULL) {
    free(part);
    return NULL;
  }
  refcount_take(&loan->array.meta.d_refcount);
  pthread_mutex_lock(&lock);
  *part = (struct part){loan->source.owner, block_of(&slice->meta)};
  loan->source.owner = part;
  pthread_mutex_unlock(&lock);
  return slice;
}

/*
 * Copies the elements for the remaining references; the array becomes empty if memory is exhausted.
 */
static bool detach(struct array_block* block) {
  const enum sidl_array_type type = (enum sidl_array_type)sidl__array_type(&block->array.meta);
  const int32_t dimen = block->array.meta.d_dimen;
  struct any_array* const copy = array_duplicate(&block->array);
  block->array.meta.d_vtable = array_counted_vtable(type);
  block->source = (struct array_source){NULL, NULL};
  if (copy == NULL) {
    block->array.first = NULL;
    for (int32_t d = 0; d < dimen; ++d) block->bounds[dimen + d] = block->bounds[d] - 1;
    return false;
  }
  block->array.first = copy->first;
  for (int32_t d = 0; d < dimen; ++d) block->bounds[2 * dimen + d] = copy->meta.d_stride[d];
  block->source = (struct array_source){release_loan, copy};
  return true;
}

static bool detach_parts(struct array_block* loan) {
  bool ok = true;
  pthread_mutex_lock(&lock);
  struct part* part = loan->source.owner;
  loan->source.owner = NULL;
  while (part != NULL) {
    struct part* const next = part->next;
    ok = detach(part->slice) && ok;
    refcount_drop(&loan->array.meta.d_refcount); /* the slice's; the lender's is still there */
    free(part);
    part = next;
  }
  pthread_mutex_unlock(&lock);
  return ok;
}

sidl_bool sidl_loan_end(struct sidl__array* array) {
  if (array == NULL) return TRUE;
  struct array_block* const loan = block_of(array);
  bool ok = loan->source.owner == NULL || detach_parts(loan);
  if (!refcount_is_one(&array->d_refcount)) ok = detach(loan) && ok;
  sidl__array_deleteRef(array);
  return ok;
}

void sidl_loan_replace(struct sidl__array* loan, struct sidl__array* array, const char* what,
                       struct sidl_BaseInterface__object** _ex) {
  const struct array_block* const lent = block_of(loan);
  const int32_t dimen = loan->d_dimen;
  struct sidl_raw_array memory; /* with its own bounds, as the loan's are freed or change */
  int64_t* const bounds = memory.d_bounds;
  memcpy(bounds, lent->bounds, 3 * (size_t)dimen * sizeof *bounds);
  array_init(array_elements(&lent->array), lent->array.first, (struct any_array*)(void*)&memory,
             dimen, bounds, bounds + dimen, bounds + 2 * dimen);
  if (sidl_loan_end(loan)) {
    sidl_raw_array_close(&memory, array, what, _ex);
    return;
  }
  if (*_ex == NULL) throw_memory(_ex);
  sidl__array_deleteRef(array);
}
