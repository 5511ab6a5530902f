/* Calls from C, through the generated C stubs. */
#include <stdio.h>
#include <stdlib.h>

#include "benchc.h"
#include "benchx.h"
#include "inproc.h"
#include "yardstick.h"

static benchc_Target c_target;
static benchx_Target cxx_target;
static struct sidl_double__array* values;
static struct sidl_double__array* many_values;
static yardstick_noop_t pointer_noop;
static yardstick_add_t pointer_add;

static void check(sidl_BaseInterface _ex) {
  if (_ex) {
    fputs("bench: a call failed\n", stderr);
    abort();
  }
}

static void run_pointer_noop(int64_t calls) {
  yardstick_noop_t call = pointer_noop;
  for (int64_t i = 0; i < calls; ++i) call();
}

static void run_pointer_add(int64_t calls) {
  yardstick_add_t call = pointer_add;
  int32_t sum = 0;
  for (int64_t i = 0; i < calls; ++i) sum = call(sum, 1);
  inproc_sink = sum;
}

static void run_malloc(int64_t calls) {
  const size_t size = benchc_Target__info.size;
  for (int64_t i = 0; i < calls; ++i) {
    void* volatile block = malloc(size);
    free(block);
  }
}

/* The measurements are the same for both callees; only the prefix of the stubs differs. */
#define CALLEE(NAME, TYPE, TARGET)                                                   \
  static void run_##NAME##_noop(int64_t calls) {                                     \
    sidl_BaseInterface _ex = NULL;                                                   \
    TYPE##_Target target = TARGET;                                                   \
    for (int64_t i = 0; i < calls; ++i) {                                            \
      TYPE##_Target_noop(target, &_ex);                                              \
      if (_ex) check(_ex);                                                           \
    }                                                                                \
  }                                                                                  \
  static void run_##NAME##_add(int64_t calls) {                                      \
    sidl_BaseInterface _ex = NULL;                                                   \
    TYPE##_Target target = TARGET;                                                   \
    int32_t sum = 0;                                                                 \
    for (int64_t i = 0; i < calls; ++i) {                                            \
      sum = TYPE##_Target_add(target, sum, 1, &_ex);                                 \
      if (_ex) check(_ex);                                                           \
    }                                                                                \
    inproc_sink = sum;                                                               \
  }                                                                                  \
  static void pass_##NAME##_array(int64_t calls, struct sidl_double__array* array) { \
    sidl_BaseInterface _ex = NULL;                                                   \
    TYPE##_Target target = TARGET;                                                   \
    for (int64_t i = 0; i < calls; ++i) {                                            \
      struct sidl_double__array* back = TYPE##_Target_echo(target, array, &_ex);     \
      if (_ex) check(_ex);                                                           \
      sidl_double__array_deleteRef(back);                                            \
    }                                                                                \
  }                                                                                  \
  static void run_##NAME##_array(int64_t calls) {                                    \
    pass_##NAME##_array(calls, values);                                              \
  }                                                                                  \
  static void run_##NAME##_array_large(int64_t calls) {                              \
    pass_##NAME##_array(calls, many_values);                                         \
  }                                                                                  \
  static void run_##NAME##_create(int64_t calls) {                                   \
    sidl_BaseInterface _ex = NULL;                                                   \
    for (int64_t i = 0; i < calls; ++i) {                                            \
      TYPE##_Target object = TYPE##_Target__create(&_ex);                            \
      if (_ex) check(_ex);                                                           \
      TYPE##_Target_deleteRef(object, &_ex);                                         \
    }                                                                                \
  }                                                                                  \
  static void run_##NAME##_cast(int64_t calls) {                                     \
    sidl_BaseInterface _ex = NULL;                                                   \
    TYPE##_Target target = TARGET;                                                   \
    for (int64_t i = 0; i < calls; ++i) {                                            \
      TYPE##_Face face = TYPE##_Face__cast(target, &_ex);                            \
      if (_ex) check(_ex);                                                           \
      TYPE##_Face_deleteRef(face, &_ex);                                             \
    }                                                                                \
  }

CALLEE(c_c, benchc, c_target)
CALLEE(c_cxx, benchx, cxx_target)

static const struct measurement measurements[] = {
    {"yardstick.pointer.noop", NULL, run_pointer_noop, 1000000},
    {"yardstick.pointer.add", NULL, run_pointer_add, 1000000},
    {"yardstick.malloc", NULL, run_malloc, 200000},
    {"c_c.noop", "yardstick.pointer.noop", run_c_c_noop, 1000000},
    {"c_c.add", "yardstick.pointer.add", run_c_c_add, 1000000},
    {"c_c.array", "c_c.noop", run_c_c_array, 300000},
    {"c_c.array.large", "c_c.array", run_c_c_array_large, 300000},
    {"c_c.create", "yardstick.malloc", run_c_c_create, 100000},
    {"c_c.cast", "c_c.noop", run_c_c_cast, 300000},
    {"c_cxx.noop", "yardstick.virtual.noop", run_c_cxx_noop, 1000000},
    {"c_cxx.add", "yardstick.virtual.add", run_c_cxx_add, 1000000},
    {"c_cxx.array", "c_cxx.noop", run_c_cxx_array, 300000},
    {"c_cxx.array.large", "c_cxx.array", run_c_cxx_array_large, 300000},
    {"c_cxx.create", "yardstick.malloc", run_c_cxx_create, 100000},
    {"c_cxx.cast", "c_cxx.noop", run_c_cxx_cast, 300000},
    {NULL, NULL, NULL, 0},
};

const struct measurement* inproc_from_c(void) {
  sidl_BaseInterface _ex = NULL;
  c_target = benchc_Target__create(&_ex);
  check(_ex);
  cxx_target = benchx_Target__create(&_ex);
  check(_ex);
  values = sidl_double__array_create1d(ARRAY_LENGTH);
  many_values = sidl_double__array_create1d(LARGE_ARRAY_LENGTH);
  pointer_noop = yardstick_noop();
  pointer_add = yardstick_add();
  return measurements;
}
