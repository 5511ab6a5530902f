/*
 * The array functions, one by one, for every type there is: each must exist, take what it took in
 * Babel and do it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "mesh_Grid.h"
#include "mesh_Field.h"
#include "mesh_Kind.h"
#include "sidl_BaseClass.h"
#include "sidl_header.h"
#include "sidl_String.h"
#include "clients.h"

#define CHECK(COND) check((COND), #COND, __FILE__, __LINE__)
#define SAME(A, B) ((A) == (B))
#define SAME_COMPLEX(A, B) ((A).real == (B).real && (A).imaginary == (B).imaginary)
#define SAME_STRING(A, B) sidl_String_equals((A), (B))
#define KEEP(A) (void)(A)

static int32_t order2(struct sidl__array *a) {
  return sidl__array_isColumnOrder(a) ? sidl_column_major_order
                                      : sidl__array_isRowOrder(a) ? sidl_row_major_order
                                                                  : sidl_general_order;
}

/* P: prefix, T: type of an element, V1 and V2: two values, EQ: compares, FREE: of what get gives */
#define TEST_ARRAY(P, T, V1, V2, EQ, FREE, TYPE)                                                  \
  static void test_##P(T v1, T v2) {                                                              \
    int32_t lower[] = {1, 1, 1, 1, 1, 1, 1}, upper[] = {2, 2, 2, 2, 2, 2, 2};                     \
    int32_t num[] = {2, 0}, start[] = {1, 2}, stride[] = {1, 1}, fresh[] = {0}, ind[] = {2, 1};   \
    int d;                                                                                        \
    struct P##__array *a, *b, *c, *none = NULL;                                                   \
    T e;                                                                                          \
    for (d = 1; d <= SIDL_MAX_ARRAY_DIMENSION; ++d) {                                             \
      a = P##__array_createCol(d, lower, upper);                                                  \
      b = P##__array_createRow(d, lower, upper);                                                  \
      CHECK(a && b && P##__array_dimen(a) == d && P##__array_lower(a, d - 1) == 1);               \
      CHECK(P##__array_upper(a, d - 1) == 2 && P##__array_length(b, 0) == 2);                     \
      CHECK(P##__array_isColumnOrder(a) && P##__array_isRowOrder(b));                             \
      CHECK(P##__array_stride(a, d - 1) == 1 << (d - 1) && P##__array_stride(b, d - 1) == 1);     \
      P##__array_deleteRef(a);                                                                    \
      P##__array_deleteRef(b);                                                                    \
    }                                                                                             \
    a = P##__array_create1d(3);                                                                   \
    P##__array_set1(a, 0, v1);                                                                    \
    P##__array_set1(a, 1, v2);                                                                    \
    P##__array_set1(a, 2, v1);                                                                    \
    e = P##__array_get1(a, 1);                                                                    \
    CHECK(EQ(e, v2));                                                                             \
    FREE(e);                                                                                      \
    CHECK((void *)P##__array_first(a) == (void *)a->d_firstElement);                              \
    CHECK((void *)sidlArrayAddr1(a, 2) == (void *)(a->d_firstElement + 2));                       \
    b = P##__array_create2dCol(2, 3);                                                             \
    c = P##__array_create2dRow(2, 3);                                                             \
    for (d = 0; d < 6; ++d) P##__array_set2(b, d % 2, d / 2, d % 4 ? v1 : v2);                    \
    P##__array_copy(b, c);                                                                        \
    e = P##__array_get2(c, 0, 2);                                                                 \
    CHECK(EQ(e, v2));                                                                             \
    FREE(e);                                                                                      \
    P##__array_deleteRef(c);                                                                      \
    c = P##__array_ensure(b, 2, sidl_row_major_order);                                            \
    CHECK(order2((struct sidl__array *)c) == sidl_row_major_order);                               \
    P##__array_deleteRef(c);                                                                      \
    c = P##__array_ensure(b, 2, sidl_column_major_order);                                         \
    CHECK(c == b);                                                                                \
    P##__array_deleteRef(c);                                                                      \
    P##__array_deleteRef(b);                                                                      \
    b = P##__array_createCol(2, lower, upper);                                                    \
    P##__array_set(b, ind, v2);                                                                   \
    e = P##__array_get(b, ind);                                                                   \
    CHECK(EQ(e, v2));                                                                             \
    FREE(e);                                                                                      \
    P##__array_set2(b, 1, 2, v1);                                                                 \
    c = P##__array_slice(b, 1, num, start, stride, fresh);                                        \
    CHECK(P##__array_dimen(c) == 1 && P##__array_lower(c, 0) == 0);                               \
    e = P##__array_get1(c, 0);                                                                    \
    CHECK(EQ(e, v1));                                                                             \
    FREE(e);                                                                                      \
    P##__array_addRef(c);                                                                         \
    P##__array_deleteRef(c);                                                                      \
    P##__array_deleteRef(b);                                                                      \
    b = P##__array_smartCopy(c);                                                                  \
    CHECK(b == c && P##__array_cast((struct sidl__array *)b) == b);                               \
    CHECK(sidl__array_type((struct sidl__array *)b) == TYPE);                                     \
    P##__array_deleteRef(b);                                                                      \
    P##__array_deleteRef(c);                                                                      \
    lower[0] = 0, upper[0] = 2;                                                                   \
    b = P##__array_borrow((void *)P##__array_first(a), 1, lower, upper, stride);                  \
    c = P##__array_smartCopy(b);                                                                  \
    CHECK(c != b && P##__array_length(c, 0) == 3);                                                \
    P##__array_deleteRef(b);                                                                      \
    P##__array_deleteRef(c);                                                                      \
    {                                                                                             \
      struct P##__array local;                                                                    \
      const int64_t low = 0, high = 2, step = 1;                                                  \
      P##__array_init64((void *)P##__array_first(a), &local, 1, &low, &high, &step);              \
      e = P##__array_get1(&local, 1);                                                             \
      CHECK(EQ(e, v2));                                                                           \
      FREE(e);                                                                                    \
    }                                                                                             \
    b = P##__array_create1dInit(3, (void *)P##__array_first(a));                                  \
    e = P##__array_get1(b, 1);                                                                    \
    CHECK(EQ(e, v2));                                                                             \
    FREE(e);                                                                                      \
    P##__array_deleteRef(b);                                                                      \
    P##__array_deleteRef(a);                                                                      \
    test_##P##_dimensions(v1);                                                                    \
    /* no array at all */                                                                         \
    CHECK(P##__array_dimen(none) == 0 && P##__array_lower(none, 0) == 0);                         \
    CHECK(P##__array_upper(none, 0) == -1 && P##__array_length(none, 0) == 0);                    \
    CHECK(P##__array_first(none) == NULL && P##__array_smartCopy(none) == NULL);                  \
    CHECK(P##__array_ensure(none, 1, sidl_general_order) == NULL);                                \
    CHECK(P##__array_cast(NULL) == NULL);                                                         \
    P##__array_addRef(none);                                                                      \
    P##__array_copy(none, none);                                                                  \
    P##__array_deleteRef(none);                                                                   \
  }

/* get1 to get7, set1 to set7 */
#define TEST_DIMENSIONS(P, T, EQ, FREE)                                      \
  static void test_##P##_dimensions(T v) {                                   \
    int32_t lower[] = {0, 0, 0, 0, 0, 0, 0}, upper[] = {1, 1, 1, 1, 1, 1, 1}; \
    struct P##__array *a[8];                                                 \
    T e[8];                                                                  \
    int d;                                                                   \
    for (d = 1; d <= 7; ++d) a[d] = P##__array_createRow(d, lower, upper);   \
    P##__array_set1(a[1], 1, v);                                             \
    P##__array_set2(a[2], 1, 0, v);                                          \
    P##__array_set3(a[3], 1, 0, 1, v);                                       \
    P##__array_set4(a[4], 1, 0, 1, 0, v);                                    \
    P##__array_set5(a[5], 1, 0, 1, 0, 1, v);                                 \
    P##__array_set6(a[6], 1, 0, 1, 0, 1, 0, v);                              \
    P##__array_set7(a[7], 1, 0, 1, 0, 1, 0, 1, v);                           \
    e[1] = P##__array_get1(a[1], 1);                                         \
    e[2] = P##__array_get2(a[2], 1, 0);                                      \
    e[3] = P##__array_get3(a[3], 1, 0, 1);                                   \
    e[4] = P##__array_get4(a[4], 1, 0, 1, 0);                                \
    e[5] = P##__array_get5(a[5], 1, 0, 1, 0, 1);                             \
    e[6] = P##__array_get6(a[6], 1, 0, 1, 0, 1, 0);                          \
    e[7] = P##__array_get7(a[7], 1, 0, 1, 0, 1, 0, 1);                       \
    for (d = 1; d <= 7; ++d) {                                               \
      CHECK(EQ(e[d], v));                                                    \
      FREE(e[d]);                                                            \
      P##__array_deleteRef(a[d]);                                            \
    }                                                                        \
  }

#define TEST(P, T, EQ, FREE, TYPE)  \
  TEST_DIMENSIONS(P, T, EQ, FREE)   \
  TEST_ARRAY(P, T, v1, v2, EQ, FREE, TYPE)

static void drop(void *object) {
  sidl_BaseInterface ex = NULL;
  if (object) sidl_BaseInterface_deleteRef((sidl_BaseInterface)object, &ex);
}

static int same(void *a, void *b) {
  sidl_BaseInterface ex = NULL;
  return sidl_BaseInterface_isSame((sidl_BaseInterface)a, (sidl_BaseInterface)b, &ex);
}

TEST(sidl_bool, sidl_bool, SAME, KEEP, sidl_bool_array)
TEST(sidl_char, char, SAME, KEEP, sidl_char_array)
TEST(sidl_dcomplex, struct sidl_dcomplex, SAME_COMPLEX, KEEP, sidl_dcomplex_array)
TEST(sidl_double, double, SAME, KEEP, sidl_double_array)
TEST(sidl_fcomplex, struct sidl_fcomplex, SAME_COMPLEX, KEEP, sidl_fcomplex_array)
TEST(sidl_float, float, SAME, KEEP, sidl_float_array)
TEST(sidl_int, int32_t, SAME, KEEP, sidl_int_array)
TEST(sidl_long, int64_t, SAME, KEEP, sidl_long_array)
TEST(sidl_opaque, void *, SAME, KEEP, sidl_opaque_array)
TEST(sidl_string, char *, SAME_STRING, sidl_String_free, sidl_string_array)
TEST(sidl_interface, struct sidl_BaseInterface__object *, same, drop, sidl_interface_array)
TEST(mesh_Kind, int64_t, SAME, KEEP, sidl_long_array)
TEST(mesh_Grid, mesh_Grid, same, drop, sidl_interface_array)
TEST(mesh_Field, mesh_Field, same, drop, sidl_interface_array)
TEST(sidl_BaseInterface, sidl_BaseInterface, same, drop, sidl_interface_array)

static void test_generic(void) {
  double memory[] = {1, 2, 3, 4, 5, 6};
  int32_t lower[] = {0, 0}, upper[] = {1, 2}, stride[] = {1, 2};
  struct sidl_double__array *d = sidl_double__array_borrow(memory, 2, lower, upper, stride);
  struct sidl__array *a = (struct sidl__array *)d, *copy, *none = NULL;
  int i, j;
  CHECK(sidl__array_dimen(a) == 2 && sidl__array_lower(a, 1) == 0 && sidl__array_upper(a, 1) == 2);
  CHECK(sidl__array_length(a, 0) == 2 && sidl__array_stride(a, 1) == 2);
  CHECK(sidl__array_isColumnOrder(a) && !sidl__array_isRowOrder(a));
  CHECK(sidl__array_type(a) == sidl_double_array && sidl_int__array_cast(a) == NULL);
  sidl__array_add(a);
  sidl__array_remove(a);
  sidl__array_addRef(a);
  sidl__array_deleteRef(a);
  copy = sidl__array_smartCopy(a);
  memory[5] = -1;
  CHECK(copy != a && sidl_double__array_get2(sidl_double__array_cast(copy), 1, 2) == 6);
  sidl__array_deleteRef(copy);
  CHECK(sidl__array_dimen(none) == 0 && sidl__array_upper(none, 0) == -1);
  CHECK(sidl__array_type(none) == sidl_undefined_array && sidl__array_smartCopy(none) == NULL);
  sidl__array_deleteRef(none);
  /* the macros */
  CHECK(sidlArrayDim(d) == 2 && sidlLower(d, 0) == 0 && sidlUpper(d, 1) == 2);
  CHECK(sidlLength(d, 1) == 3 && sidlStride(d, 1) == 2 && sidlArrayDimCalc(d, 1, 2) == 4);
  CHECK(sidl_array_cast(d) == a);
  for (i = 0; i < 2; ++i)
    for (j = 0; j < 3; ++j) {
      CHECK(&sidlArrayElem2(d, i, j) == memory + i + 2 * j);
      CHECK(&RarrayElem2(memory, i, j, 2) == sidlArrayAddr2(d, i, j));
      CHECK(RarrayAddr2(memory, i, j, 2) == memory + i + 2 * j);
    }
  CHECK(RarrayAddr1(memory, 3) == memory + 3);
  CHECK(RarrayAddr3(memory, 1, 1, 1, 1, 2) == memory + 4);
  CHECK(RarrayElem7(memory, 0, 1, 0, 0, 0, 0, 1, 1, 2, 1, 1, 1, 1) == memory[3]);
  sidl_double__array_deleteRef(d);
}

static void test_order_of_seven(void) {
  int32_t low[] = {0, 0, 0, 0, 0, 0, 0}, up[] = {1, 1, 1, 1, 1, 1, 1};
  struct sidl_int__array *a = sidl_int__array_createCol(7, low, up);
  CHECK(sidlArrayAddr7(a, 1, 1, 1, 1, 1, 1, 1) - a->d_firstElement == 127);
  sidlArrayElem7(a, 1, 0, 1, 0, 1, 0, 1) = 7;
  CHECK(sidl_int__array_get7(a, 1, 0, 1, 0, 1, 0, 1) == 7);
  CHECK(sidlArrayAddr6(a, 0, 0, 0, 0, 0, 1) - a->d_firstElement == 32);
  CHECK(sidlArrayAddr5(a, 0, 0, 0, 0, 1) - a->d_firstElement == 16);
  CHECK(sidlArrayAddr4(a, 0, 0, 0, 1) - a->d_firstElement == 8);
  CHECK(sidlArrayAddr3(a, 0, 0, 1) - a->d_firstElement == 4);
  sidl_int__array_deleteRef(a);
}

void test_arrays(void) {
  struct sidl_dcomplex d1 = {1, 2}, d2 = {3, 4};
  struct sidl_fcomplex f1 = {1, 2}, f2 = {3, 4};
  sidl_BaseInterface ex = NULL;
  mesh_Grid g1 = mesh_Grid__create(&ex), g2 = mesh_Grid__create(&ex);
  mesh_Field i1 = mesh_Field__cast(g1, &ex), i2 = mesh_Field__cast(g2, &ex);
  int x;
  test_sidl_bool(TRUE, FALSE);
  test_sidl_char('a', 'b');
  test_sidl_dcomplex(d1, d2);
  test_sidl_double(1.5, 2.5);
  test_sidl_fcomplex(f1, f2);
  test_sidl_float(1.5f, 2.5f);
  test_sidl_int(1, 2);
  test_sidl_long((int64_t)1 << 40, 2);
  test_sidl_opaque(&d1, &x);
  test_sidl_string("one", "");
  test_sidl_interface((sidl_BaseInterface)g1, (sidl_BaseInterface)g2);
  test_mesh_Kind(mesh_Kind_fine, mesh_Kind_coarse);
  test_mesh_Grid(g1, g2);
  test_mesh_Field(i1, i2);
  test_sidl_BaseInterface((sidl_BaseInterface)i1, (sidl_BaseInterface)g2);
  test_generic();
  test_order_of_seven();
  drop(i1);
  drop(i2);
  drop(g1);
  drop(g2);
}
