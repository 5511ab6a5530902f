#include "space.h"

#include "sidl_dlpack.h"
#include "sidl_double_IOR.h"
#include "test_space.h"

static struct sidl__array* in(const struct sidl_memory_space* space, struct sidl__array* array) {
  struct sidl__array* const made = sidl__array_in(space, array);
  if (array != NULL) sidl__array_deleteRef(array);
  return made;
}

/* Every second element, from the second one on. */
static struct sidl__array* part_of(struct sidl__array* whole, int64_t count) {
  const int64_t first = 1, step = 2, lower = 0;
  return sidl__array_slice(whole, 1, &count, &first, &step, &lower);
}

struct sidl__array* mx_there(struct sidl__array* here, int32_t is_part) {
  if (!is_part) return in(test_space(), here);
  const int64_t count = sidlLength(here, 0), lower = 0, upper = 2 * count - 1;
  struct sidl__array* const wide =
      sidl__array_create(sidl_double_array, sidl_row_major_order, 1, &lower, &upper);
  struct sidl__array* const place = part_of(wide, count);
  sidl__array_copy(here, place);
  sidl__array_deleteRef(place);
  sidl__array_deleteRef(here);
  struct sidl__array* const whole = in(test_space(), wide);
  struct sidl__array* const part = part_of(whole, count);
  sidl__array_deleteRef(whole);
  return part;
}

struct sidl__array* mx_here(struct sidl__array* array) {
  return in(NULL, array);
}

void mxthere_(int64_t* array, const int32_t* is_part) {
  *array = (intptr_t)mx_there((struct sidl__array*)(intptr_t)*array, *is_part);
}

void mxhere_(int64_t* array, int32_t* was_there) {
  struct sidl__array* const given = (struct sidl__array*)(intptr_t)*array;
  *was_there = sidl__array_space(given) != NULL;
  *array = (intptr_t)mx_here(given);
}

void mx_space(void) {
  test_space();
}

/* For programs that load this library and call nothing in it. */
__attribute__((constructor)) static void begin(void) {
  test_space();
}

void* mx_part(double* values, int64_t count) {
  const int64_t lower = 0, upper = count - 1, stride = 1;
  struct sidl_BaseInterface__object* ex = NULL;
  struct sidl__array* const part =
      mx_there(sidl__array_borrow(sidl_double_array, values, 1, &lower, &upper, &stride), TRUE);
  void* const tensor = sidl__array_to_dlpack(part, &ex);
  sidl__array_deleteRef(part);
  return tensor;
}
