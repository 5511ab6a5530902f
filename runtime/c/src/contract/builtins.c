/*
 * builtins.c: the built-in functions of contracts that look at the elements of arrays.
 *
 * Blocks are compared as a whole, in loops that compilers vectorise, and are small enough to stop
 * soon after it is known that a clause does not hold.
 */
#include <math.h>
#include <string.h>

#include "contract/walk.h"

/* ---- relations
 * ------------------------------------------------------------------------------------ */

/* A number that is NaN is a fault, even if it meets no elements; elements may be. */
static void check_number(struct sidl_check* check, const struct sidl_operand* operand) {
  if (operand->kind == sidl_kind_double || operand->kind == sidl_kind_dcomplex) {
    sidl_check_order(check, operand->number.real, operand->number.imaginary);
  }
}

#define COUNT(op) \
  for (size_t i = 0; i < count; ++i) fulfilled += x[i] op(b->is_one ? *y : y[i])

/* Of the block's elements, how many fulfil the relation. */
#define COUNTER(name, type)                                                           \
  static size_t count_of_##name(const struct walk_side* a, const struct walk_side* b, \
                                size_t count, enum sidl_relation relation) {          \
    const type* const x = a->elements;                                                \
    const type* const y = b->elements;                                                \
    size_t fulfilled = 0;                                                             \
    switch (relation) {                                                               \
      case sidl_relation_less:                                                        \
        COUNT(<);                                                                     \
        break;                                                                        \
      case sidl_relation_less_equal:                                                  \
        COUNT(<=);                                                                    \
        break;                                                                        \
      case sidl_relation_greater:                                                     \
        COUNT(>);                                                                     \
        break;                                                                        \
      case sidl_relation_greater_equal:                                               \
        COUNT(>=);                                                                    \
        break;                                                                        \
      case sidl_relation_equal:                                                       \
        COUNT(==);                                                                    \
        break;                                                                        \
      case sidl_relation_not_equal:                                                   \
        COUNT(!=);                                                                    \
        break;                                                                        \
    }                                                                                 \
    return fulfilled;                                                                 \
  }
COUNTER(integers, int64_t)
COUNTER(reals, double)

static size_t count_of_complex(const struct walk_side* a, const struct walk_side* b, size_t count,
                               enum sidl_relation relation) {
  const struct sidl_dcomplex* const x = a->elements;
  const struct sidl_dcomplex* const y = b->elements;
  size_t equal = 0;
  for (size_t i = 0; i < count; ++i) {
    const struct sidl_dcomplex* const other = b->is_one ? y : &y[i];
    equal += x[i].real == other->real && x[i].imaginary == other->imaginary;
  }
  return relation == sidl_relation_equal ? equal : count - equal;
}

/* How far to look. */
enum goal { COUNT_ALL, UNTIL_ONE, WHILE_ALL };

struct relating {
  int32_t kind;
  enum sidl_relation relation;
  enum goal goal;
  size_t fulfilled;
  size_t seen;
};

static bool relate_block(const struct walk_side* a, const struct walk_side* b, size_t count,
                         void* data) {
  struct relating* const r = data;
  r->seen += count;
  r->fulfilled += r->kind == sidl_kind_long     ? count_of_integers(a, b, count, r->relation)
                  : r->kind == sidl_kind_double ? count_of_reals(a, b, count, r->relation)
                                                : count_of_complex(a, b, count, r->relation);
  return r->goal == COUNT_ALL || (r->goal == UNTIL_ONE && r->fulfilled == 0) ||
         (r->goal == WHILE_ALL && r->fulfilled == r->seen);
}

static enum sidl_relation mirrored(enum sidl_relation relation) {
  switch (relation) {
    case sidl_relation_less:
      return sidl_relation_greater;
    case sidl_relation_less_equal:
      return sidl_relation_greater_equal;
    case sidl_relation_greater:
      return sidl_relation_less;
    case sidl_relation_greater_equal:
      return sidl_relation_less_equal;
    default:
      return relation;
  }
}

static struct relating relate(struct sidl_check* check, struct sidl_operand a,
                              enum sidl_relation relation, struct sidl_operand b, enum goal goal) {
  struct relating r = {walk_common_kind(&a, &b), relation, goal, 0, 0};
  check_number(check, &a);
  check_number(check, &b);
  if (a.kind == sidl_kind_array) {
    walk(check, &a, &b, r.kind, false, relate_block, &r);
  } else {
    r.relation = mirrored(relation);
    walk(check, &b, &a, r.kind, false, relate_block, &r);
  }
  return r;
}

sidl_bool sidl_all(struct sidl_check* check, struct sidl_operand a, enum sidl_relation relation,
                   struct sidl_operand b) {
  const struct relating r = relate(check, a, relation, b, WHILE_ALL);
  return r.fulfilled == r.seen;
}

sidl_bool sidl_any(struct sidl_check* check, struct sidl_operand a, enum sidl_relation relation,
                   struct sidl_operand b) {
  return relate(check, a, relation, b, UNTIL_ONE).fulfilled != 0;
}

int64_t sidl_count(struct sidl_check* check, struct sidl_operand a, enum sidl_relation relation,
                   struct sidl_operand b) {
  return (int64_t)relate(check, a, relation, b, COUNT_ALL).fulfilled;
}

/* ---- shapes
 * ---------------------------------------------------------------------------------------- */

int64_t sidl_dimen(const void* array) {
  return sidl__array_dimen(array);
}

int64_t sidl_size(const void* array) {
  return (int64_t)sidl__array_element_count(array);
}

static bool has_dimension(struct sidl_check* check, const struct sidl__array* array,
                          int64_t dimension) {
  if (dimension >= 0 && dimension < sidl__array_dimen(array)) return true;
  sidl_check_fault(check, "an array has no such dimension");
  return false;
}

int64_t sidl_lower(struct sidl_check* check, const void* array, int64_t dimension) {
  return has_dimension(check, array, dimension) ? sidl__array_lower64(array, (int32_t)dimension)
                                                : 0;
}

int64_t sidl_upper(struct sidl_check* check, const void* array, int64_t dimension) {
  return has_dimension(check, array, dimension) ? sidl__array_upper64(array, (int32_t)dimension)
                                                : 0;
}

int64_t sidl_stride(struct sidl_check* check, const void* array, int64_t dimension) {
  return has_dimension(check, array, dimension) ? sidl__array_stride64(array, (int32_t)dimension)
                                                : 0;
}

/* ---- extremes
 * -------------------------------------------------------------------------------------- */

/* The least and the greatest element. */
struct extremes {
  struct sidl_check* check;
  bool has_any;
  int64_t least_integer, greatest_integer;
  double least, greatest;
};

static bool find_integers(const struct walk_side* a, const struct walk_side* b, size_t count,
                          void* data) {
  struct extremes* const e = data;
  const int64_t* const x = a->elements;
  (void)b;
  if (!e->has_any) e->least_integer = e->greatest_integer = x[0];
  e->has_any = true;
  for (size_t i = 0; i < count; ++i) {
    if (x[i] < e->least_integer) e->least_integer = x[i];
    if (x[i] > e->greatest_integer) e->greatest_integer = x[i];
  }
  return true;
}

static bool find_reals(const struct walk_side* a, const struct walk_side* b, size_t count,
                       void* data) {
  struct extremes* const e = data;
  const double* const x = a->elements;
  (void)b;
  if (!e->has_any) e->least = e->greatest = x[0];
  e->has_any = true;
  size_t unordered = 0;
  for (size_t i = 0; i < count; ++i) {
    unordered += isnan(x[i]) != 0;
    if (x[i] < e->least) e->least = x[i];
    if (x[i] > e->greatest) e->greatest = x[i];
  }
  if (unordered != 0) sidl_check_fault(e->check, "a number is NaN");
  return unordered == 0;
}

static struct extremes extremes_of(struct sidl_check* check, const void* array, int32_t kind) {
  struct extremes e = {check, false, 0, 0, 0, 0};
  const struct sidl_operand x = sidl_of_array(array);
  walk(check, &x, NULL, kind, false, kind == sidl_kind_long ? find_integers : find_reals, &e);
  if (!e.has_any) sidl_check_fault(check, "an array without elements has no extreme");
  return e;
}

int64_t sidl_least_integer(struct sidl_check* check, const void* array) {
  return extremes_of(check, array, sidl_kind_long).least_integer;
}

int64_t sidl_greatest_integer(struct sidl_check* check, const void* array) {
  return extremes_of(check, array, sidl_kind_long).greatest_integer;
}

double sidl_least(struct sidl_check* check, const void* array) {
  return extremes_of(check, array, sidl_kind_double).least;
}

double sidl_greatest(struct sidl_check* check, const void* array) {
  return extremes_of(check, array, sidl_kind_double).greatest;
}

/* ---- sums
 * -------------------------------------------------------------------------------------------- */

struct sums {
  struct sidl_check* check;
  int64_t integers;
  double reals;
  struct sidl_dcomplex complex;
};

static bool add_integers(const struct walk_side* a, const struct walk_side* b, size_t count,
                         void* data) {
  struct sums* const sums = data;
  const int64_t* const x = a->elements;
  (void)b;
  for (size_t i = 0; i < count; ++i) sums->integers = sidl_add(sums->check, sums->integers, x[i]);
  return sums->check->why == NULL;
}

static bool add_reals(const struct walk_side* a, const struct walk_side* b, size_t count,
                      void* data) {
  const double* const x = a->elements;
  (void)b;
  for (size_t i = 0; i < count; ++i) ((struct sums*)data)->reals += x[i];
  return true;
}

static bool add_complex(const struct walk_side* a, const struct walk_side* b, size_t count,
                        void* data) {
  struct sums* const sums = data;
  const struct sidl_dcomplex* const x = a->elements;
  (void)b;
  for (size_t i = 0; i < count; ++i) sums->complex = sidl_complex_add(sums->complex, x[i]);
  return true;
}

static struct sums sum_of(struct sidl_check* check, const void* array, int32_t kind,
                          walk_visitor visit) {
  struct sums sums = {check, 0, 0, {0, 0}};
  const struct sidl_operand x = sidl_of_array(array);
  walk(check, &x, NULL, kind, false, visit, &sums);
  return sums;
}

int64_t sidl_sum_of_integers(struct sidl_check* check, const void* array) {
  return sum_of(check, array, sidl_kind_long, add_integers).integers;
}

double sidl_sum(struct sidl_check* check, const void* array) {
  return sum_of(check, array, sidl_kind_double, add_reals).reals;
}

struct sidl_dcomplex sidl_complex_sum(struct sidl_check* check, const void* array) {
  return sum_of(check, array, sidl_kind_dcomplex, add_complex).complex;
}

/* ---- order
 * ------------------------------------------------------------------------------------------ */

struct steps {
  bool is_integer;
  bool down; /* whether a step down is one that is looked for, else one up */
  bool has_last;
  int64_t last_integer;
  double last;
  bool found;
};

/* NaN is in no order with anything. */
#define FIND_STEP(type, last_one)                                      \
  const type* const x = a->elements;                                   \
  type before = s->has_last ? (type)s->last_one : x[0];                \
  for (size_t i = 0; i < count; ++i) {                                 \
    if (!(s->down ? before <= x[i] : before >= x[i])) s->found = true; \
    before = x[i];                                                     \
  }                                                                    \
  s->last_one = before;

static bool find_step(const struct walk_side* a, const struct walk_side* b, size_t count,
                      void* data) {
  struct steps* const s = data;
  (void)b;
  if (s->is_integer) {
    FIND_STEP(int64_t, last_integer)
  } else {
    FIND_STEP(double, last)
  }
  s->has_last = true;
  return !s->found;
}

static sidl_bool has_no_step(struct sidl_check* check, const void* array, bool down) {
  const struct sidl_operand x = sidl_of_array(array);
  const int32_t kind = walk_common_kind(&x, &x);
  struct steps steps = {.is_integer = kind == sidl_kind_long, .down = down};
  walk(check, &x, NULL, kind, true, find_step, &steps);
  return !steps.found;
}

sidl_bool sidl_does_not_decrease(struct sidl_check* check, const void* array) {
  return has_no_step(check, array, true);
}

sidl_bool sidl_does_not_increase(struct sidl_check* check, const void* array) {
  return has_no_step(check, array, false);
}

/* ---- ranges
 * ------------------------------------------------------------------------------------------ */

sidl_bool sidl_in_range(struct sidl_check* check, struct sidl_operand x, double low, double high,
                        double tolerance) {
  if (x.kind == sidl_kind_long) x = sidl_of_real((double)x.integer);
  if (isnan(low) || isnan(high) || isnan(tolerance)) sidl_check_fault(check, "a number is NaN");
  const double least = low - tolerance;
  const double most = high + tolerance;
  if (isnan(least) || isnan(most)) {
    sidl_check_fault(check, "the difference of infinite numbers is NaN");
  }
  if (x.kind == sidl_kind_double) {
    return sidl_is_greater_equal(check, x.number.real, least) &&
           sidl_is_less_equal(check, x.number.real, most);
  }
  return sidl_all(check, x, sidl_relation_greater_equal, sidl_of_real(least)) &&
         sidl_all(check, x, sidl_relation_less_equal, sidl_of_real(most));
}

sidl_bool sidl_in_integer_range(struct sidl_check* check, struct sidl_operand x, int64_t low,
                                int64_t high) {
  if (x.kind == sidl_kind_long) return x.integer >= low && x.integer <= high;
  return sidl_all(check, x, sidl_relation_greater_equal, sidl_of_integer(low)) &&
         sidl_all(check, x, sidl_relation_less_equal, sidl_of_integer(high));
}

/* ---- nearness
 * ---------------------------------------------------------------------------------------- */

struct nearness {
  bool is_complex;
  double tolerance;
  bool is_near;
};

/* A distance that is NaN is not near. */
static bool compare_block(const struct walk_side* a, const struct walk_side* b, size_t count,
                          void* data) {
  struct nearness* const n = data;
  for (size_t i = 0; i < count && n->is_near; ++i) {
    const size_t k = b->is_one ? 0 : i;
    if (n->is_complex) {
      const struct sidl_dcomplex* const x = a->elements;
      const struct sidl_dcomplex* const y = b->elements;
      const double distance = hypot(x[i].real - y[k].real, x[i].imaginary - y[k].imaginary);
      n->is_near = distance <= n->tolerance;
    } else {
      const double distance =
          fabs(((const double*)a->elements)[i] - ((const double*)b->elements)[k]);
      n->is_near = distance <= n->tolerance;
    }
  }
  return n->is_near;
}

sidl_bool sidl_is_near(struct sidl_check* check, struct sidl_operand x, struct sidl_operand y,
                       double tolerance) {
  const int32_t common = walk_common_kind(&x, &y);
  const bool is_complex = common == sidl_kind_dcomplex;
  struct nearness n = {is_complex, tolerance, true};
  if (isnan(tolerance)) sidl_check_fault(check, "a number is NaN");
  check_number(check, &x);
  check_number(check, &y);
  const int32_t kind = is_complex ? sidl_kind_dcomplex : sidl_kind_double;
  if (x.kind != sidl_kind_array && y.kind != sidl_kind_array) {
    const struct sidl_dcomplex a =
        x.kind == sidl_kind_long ? sidl_complex((double)x.integer, 0) : x.number;
    const struct sidl_dcomplex b =
        y.kind == sidl_kind_long ? sidl_complex((double)y.integer, 0) : y.number;
    const double distance = hypot(a.real - b.real, a.imaginary - b.imaginary);
    /* After the numbers: one of them that is NaN has been said to be. */
    if (isnan(distance)) sidl_check_fault(check, "the difference of infinite numbers is NaN");
    return distance <= tolerance;
  }
  if (x.kind == sidl_kind_array) {
    walk(check, &x, &y, kind, false, compare_block, &n);
  } else {
    walk(check, &y, &x, kind, false, compare_block, &n);
  }
  return n.is_near;
}
