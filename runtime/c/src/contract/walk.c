#include "contract/walk.h"

#include <stdlib.h>
#include <string.h>

#include "sidl_memory_space.h"

/* ---- elements -------------------------------------------------------------------------------- */

int32_t walk_kind(const struct sidl__array* array) {
  return sidl_element_kind_of(sidl__array_type(array));
}

static size_t size_of_kind(int32_t kind) {
  switch (kind) {
    case sidl_kind_int:
    case sidl_kind_float:
      return 4;
    case sidl_kind_dcomplex:
      return 16;
    default:
      return 8;
  }
}

bool walk_has_numbers(const struct sidl__array* array) {
  switch (walk_kind(array)) {
    case sidl_kind_int:
    case sidl_kind_long:
    case sidl_kind_float:
    case sidl_kind_double:
    case sidl_kind_fcomplex:
    case sidl_kind_dcomplex:
      return sidl__array_space(array) == NULL;
    default:
      return false;
  }
}

const void* walk_element(const struct sidl__array* array, size_t i) {
  ptrdiff_t at = 0;
  for (int32_t d = 0; d < array->d_dimen; ++d) {
    const size_t length = (size_t)(array->d_upper[d] - array->d_lower[d] + 1);
    at += (ptrdiff_t)(i % length) * (ptrdiff_t)array->d_stride[d];
    i /= length;
  }
  const char* const first = sidl__array_first(array);
  return first + at * (ptrdiff_t)size_of_kind(walk_kind(array));
}

static int wideness(const struct sidl_operand* operand) {
  const int32_t kind = operand->kind != sidl_kind_array ? operand->kind
                       : operand->array == NULL         ? sidl_kind_long
                                                        : walk_kind(operand->array);
  if (kind == sidl_kind_fcomplex || kind == sidl_kind_dcomplex) return 2;
  return kind == sidl_kind_float || kind == sidl_kind_double;
}

int32_t walk_common_kind(const struct sidl_operand* a, const struct sidl_operand* b) {
  static const int32_t kinds[] = {sidl_kind_long, sidl_kind_double, sidl_kind_dcomplex};
  const int of_a = wideness(a);
  const int of_b = wideness(b);
  return kinds[of_a > of_b ? of_a : of_b];
}

/* ---- conversions
 * --------------------------------------------------------------------------------- */

/* All three, as blocks are of one type at a time. */
union block {
  int64_t integers[WALK_BLOCK];
  double reals[WALK_BLOCK];
  struct sidl_dcomplex complex[WALK_BLOCK];
};

#define CONVERT(member, type, expression)                                        \
  for (size_t i = 0; i < count; ++i) {                                           \
    const type* const at = (const type*)(const void*)from + (ptrdiff_t)i * step; \
    to->member[i] = expression;                                                  \
  }

static void to_integers(union block* to, const char* from, int32_t kind, ptrdiff_t step,
                        size_t count) {
  if (kind == sidl_kind_int) {
    CONVERT(integers, int32_t, *at)
  } else {
    CONVERT(integers, int64_t, *at)
  }
}

static void to_reals(union block* to, const char* from, int32_t kind, ptrdiff_t step,
                     size_t count) {
  switch (kind) {
    case sidl_kind_int:
      CONVERT(reals, int32_t, *at)
      break;
    case sidl_kind_long:
      CONVERT(reals, int64_t, (double)*at)
      break;
    case sidl_kind_float:
      CONVERT(reals, float, (double)*at)
      break;
    default:
      CONVERT(reals, double, *at)
  }
}

static void to_complex(union block* to, const char* from, int32_t kind, ptrdiff_t step,
                       size_t count) {
  switch (kind) {
    case sidl_kind_fcomplex:
      CONVERT(complex, struct sidl_fcomplex, sidl_widened(*at))
      break;
    case sidl_kind_dcomplex:
      CONVERT(complex, struct sidl_dcomplex, *at)
      break;
    case sidl_kind_int:
      CONVERT(complex, int32_t, sidl_complex(*at, 0))
      break;
    case sidl_kind_long:
      CONVERT(complex, int64_t, sidl_complex((double)*at, 0))
      break;
    case sidl_kind_float:
      CONVERT(complex, float, sidl_complex((double)*at, 0))
      break;
    default:
      CONVERT(complex, double, sidl_complex(*at, 0))
  }
}

static void convert(int32_t to_kind, union block* to, const char* from, int32_t kind,
                    ptrdiff_t step, size_t count) {
  if (to_kind == sidl_kind_long) {
    to_integers(to, from, kind, step, count);
  } else if (to_kind == sidl_kind_double) {
    to_reals(to, from, kind, step, count);
  } else {
    to_complex(to, from, kind, step, count);
  }
}

/* ---- operands
 * ------------------------------------------------------------------------------------ */

struct side {
  const struct sidl__array* array; /* NULL: one number */
  int32_t kind;
  size_t size; /* of an element */
  const char* first;
  int64_t stride[SIDL_MAX_ARRAY_DIMENSION];
  union block block;
};

struct course {
  int32_t kind; /* of the blocks */
  int32_t dimen;
  int64_t length[SIDL_MAX_ARRAY_DIMENSION];
  struct side sides[2];
  int side_count;
};

static void set_number(struct side* side, const struct sidl_operand* operand, int32_t kind) {
  side->array = NULL;
  if (kind == sidl_kind_long) {
    side->block.integers[0] = operand->integer;
  } else if (kind == sidl_kind_double) {
    side->block.reals[0] =
        operand->kind == sidl_kind_long ? (double)operand->integer : operand->number.real;
  } else {
    side->block.complex[0] = operand->kind == sidl_kind_long
                                 ? sidl_complex((double)operand->integer, 0)
                                 : operand->number;
  }
}

/* False with a fault if its elements cannot be read. */
static bool set_side(struct sidl_check* check, struct side* side,
                     const struct sidl_operand* operand, int32_t kind) {
  if (operand->kind != sidl_kind_array) {
    set_number(side, operand, kind);
    return true;
  }
  side->array = operand->array;
  if (!walk_has_numbers(operand->array)) {
    sidl_check_fault(check, sidl__array_space(operand->array) != NULL
                                ? "the elements of an array are not in host memory"
                                : "the elements of an array are no numbers");
    return false;
  }
  side->kind = walk_kind(operand->array);
  side->size = size_of_kind(side->kind);
  side->first = sidl__array_first(operand->array);
  for (int32_t d = 0; d < operand->array->d_dimen; ++d) {
    side->stride[d] = operand->array->d_stride[d];
  }
  return true;
}

static int64_t length_of(const struct sidl__array* array, int32_t d) {
  return array->d_upper[d] - array->d_lower[d] + 1;
}

static bool has_same_shape(const struct sidl__array* a, const struct sidl__array* b) {
  if (a->d_dimen != b->d_dimen) return false;
  for (int32_t d = 0; d < a->d_dimen; ++d) {
    if (length_of(a, d) != length_of(b, d)) return false;
  }
  return true;
}

/* ---- dimensions
 * ---------------------------------------------------------------------------------- */

static void swap_dimensions(struct course* course, int32_t d, int32_t e) {
  const int64_t length = course->length[d];
  course->length[d] = course->length[e];
  course->length[e] = length;
  for (int s = 0; s < course->side_count; ++s) {
    int64_t* const stride = course->sides[s].stride;
    const int64_t other = stride[d];
    stride[d] = stride[e];
    stride[e] = other;
  }
}

/* The one whose elements lie closest comes first. */
static void sort_dimensions(struct course* course) {
  const struct side* const leading = &course->sides[course->sides[0].array == NULL];
  for (int32_t d = 1; d < course->dimen; ++d) {
    for (int32_t e = d; e > 0 && llabs(leading->stride[e]) < llabs(leading->stride[e - 1]); --e) {
      swap_dimensions(course, e, e - 1);
    }
  }
}

/* Whether dimension `d` continues the one before it. */
static bool continues(const struct course* course, int32_t d) {
  for (int s = 0; s < course->side_count; ++s) {
    const struct side* const side = &course->sides[s];
    if (side->array == NULL) continue;
    if (side->stride[d] != side->stride[d - 1] * course->length[d - 1]) return false;
  }
  return true;
}

static void merge_dimensions(struct course* course) {
  int32_t last = 0;
  for (int32_t d = 1; d < course->dimen; ++d) {
    swap_dimensions(course, last + 1, d); /* itself, or over one that was merged */
    if (continues(course, last + 1)) {
      course->length[last] *= course->length[last + 1];
    } else {
      ++last;
    }
  }
  course->dimen = last + 1;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static struct walk_side block_of(struct course* course, struct side* side, const char* from,
                                 size_t count) {
  if (side->array == NULL) return (struct walk_side){&side->block, true};
  if (side->kind == course->kind && side->stride[0] == 1) return (struct walk_side){from, false};
  convert(course->kind, &side->block, from, side->kind, (ptrdiff_t)side->stride[0], count);
  return (struct walk_side){&side->block, false};
}

/* One run of the first dimension, from these elements on. */
static bool visit_run(struct course* course, const char* const from[2], walk_visitor visit,
                      void* data) {
  const char* at[2] = {from[0], from[1]};
  for (int64_t left = course->length[0]; left > 0;) {
    const size_t count = left < WALK_BLOCK ? (size_t)left : WALK_BLOCK;
    struct walk_side blocks[2] = {{NULL, true}, {NULL, true}};
    for (int s = 0; s < course->side_count; ++s) {
      struct side* const side = &course->sides[s];
      blocks[s] = block_of(course, side, at[s], count);
      if (side->array != NULL) {
        at[s] += (ptrdiff_t)count * (ptrdiff_t)side->stride[0] * (ptrdiff_t)side->size;
      }
    }
    if (!visit(&blocks[0], &blocks[1], count, data)) return false;
    left -= (int64_t)count;
  }
  return true;
}

static void visit_all(struct course* course, walk_visitor visit, void* data) {
  int64_t index[SIDL_MAX_ARRAY_DIMENSION] = {0};
  for (;;) {
    const char* from[2] = {NULL, NULL};
    for (int s = 0; s < course->side_count; ++s) {
      const struct side* const side = &course->sides[s];
      if (side->array == NULL) continue;
      ptrdiff_t at = 0;
      for (int32_t d = 1; d < course->dimen; ++d) {
        at += (ptrdiff_t)index[d] * (ptrdiff_t)side->stride[d];
      }
      from[s] = side->first + at * (ptrdiff_t)side->size;
    }
    if (!visit_run(course, from, visit, data)) return;
    int32_t d = 1;
    while (d < course->dimen && ++index[d] == course->length[d]) index[d++] = 0;
    if (d >= course->dimen) return;
  }
}

void walk(struct sidl_check* check, const struct sidl_operand* a, const struct sidl_operand* b,
          int32_t kind, bool in_order, walk_visitor visit, void* data) {
  struct course course;
  const struct sidl_operand* const operands[] = {a, b};
  const struct sidl__array* shape = NULL;
  course.kind = kind;
  course.side_count = b == NULL ? 1 : 2;
  for (int s = 0; s < course.side_count; ++s) {
    const struct sidl__array* const array = operands[s]->array;
    if (operands[s]->kind == sidl_kind_array && array == NULL) {
      const struct sidl__array* const other =
          course.side_count == 2 ? operands[1 - s]->array : NULL;
      if (sidl__array_element_count(other) != 0) {
        sidl_check_fault(check, "arrays of different shapes are compared");
      }
      return;
    }
    if (array != NULL && shape != NULL && !has_same_shape(array, shape)) {
      sidl_check_fault(check, "arrays of different shapes are compared");
      return;
    }
    if (array != NULL) shape = array;
    if (!set_side(check, &course.sides[s], operands[s], kind)) return;
  }
  if (sidl__array_element_count(shape) == 0) return;
  course.dimen = shape->d_dimen;
  for (int32_t d = 0; d < course.dimen; ++d) course.length[d] = length_of(shape, d);
  if (!in_order) sort_dimensions(&course);
  merge_dimensions(&course);
  visit_all(&course, visit, data);
}
