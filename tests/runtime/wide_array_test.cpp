/** Arrays whose bounds, strides and numbers of elements do not fit 32 bits. */
#include <climits>
#include <cstdint>
#include <string>
#include <vector>

#include "sidl_header.h"
#include "sidl_raw_array.h"
#include "support.hpp"

using rt::logged;

namespace {

constexpr int64_t giga = int64_t{1} << 30;
constexpr int64_t beyond = 2 * giga + 5;  // elements: more than an int32_t counts

/** Memory that is never touched costs nothing: the array is 2 GiB, its pages a few. */
TEST(WideArray, MoreElementsThanAnIntCounts) {
  sidl_char__array* const a = sidl_char__array_create1d(beyond);
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(sidl_char__array_length64(a, 0), beyond);
  EXPECT_EQ(sidl_char__array_upper64(a, 0), beyond - 1);
  EXPECT_EQ(sidl__array_element_count(sidl_array_cast(a)), size_t{beyond});
  sidl_char__array_set1(a, beyond - 1, 'z');
  EXPECT_EQ(sidl_char__array_get1(a, beyond - 1), 'z');
  EXPECT_EQ(sidlArrayElem1(a, beyond - 1), 'z');
  EXPECT_EQ(sidl_char__array_get1(a, beyond), '\0') << "there is none";
  const int64_t count = 3, start = beyond - 3;
  sidl_char__array* const end = sidl_char__array_slice64(a, 1, &count, &start, nullptr, nullptr);
  ASSERT_NE(end, nullptr);
  EXPECT_EQ(sidl_char__array_lower64(end, 0), beyond - 3);
  EXPECT_EQ(sidl_char__array_get1(end, beyond - 1), 'z');
  const int64_t two = 2, far = beyond - 1;
  sidl_char__array* const ends = sidl_char__array_slice64(a, 1, &two, nullptr, &far, nullptr);
  ASSERT_NE(ends, nullptr);
  EXPECT_EQ(sidl_char__array_stride64(ends, 0), beyond - 1);
  EXPECT_EQ(sidl_char__array_get1(ends, 1), 'z');
  sidl_char__array* const dense = sidl_char__array_ensure(ends, 1, sidl_column_major_order);
  EXPECT_EQ(sidl_char__array_stride64(dense, 0), 1);
  EXPECT_EQ(sidl_char__array_get1(dense, 1), 'z');
  for (auto* const each : {a, end, ends, dense}) sidl_char__array_deleteRef(each);
}

TEST(WideArray, FunctionsOf32BitsRefuseWhatDoesNotFit) {
  const int64_t lower = 3 * giga, upper = 3 * giga + 4;
  sidl_int__array* const a = sidl_int__array_createCol64(1, &lower, &upper);
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(sidl_int__array_length(a, 0), 5);
  const std::string text = logged([&] {
    EXPECT_EQ(sidl_int__array_lower(a, 0), 0);
    EXPECT_EQ(sidl_int__array_upper(a, 0), -1);
  });
  EXPECT_NE(text.find("an array's lower, 3221225472, was asked for in 32 bits"), std::string::npos)
      << text;
  EXPECT_NE(text.find("ask with upper64 instead"), std::string::npos) << text;
  sidl_int__array_set1(a, upper, 7);
  EXPECT_EQ(sidl_int__array_get64(a, &upper), 7);
  const int32_t index = 4;
  EXPECT_EQ(sidl_int__array_get(a, &index), 0) << "is no index of it";
  sidl_int__array_deleteRef(a);
}

TEST(WideArray, CopiesTakeTheCommonPart) {
  const int64_t la[] = {-3 * giga, 2}, ua[] = {-3 * giga + 3, 4};
  const int64_t lb[] = {-3 * giga + 2, 0}, ub[] = {-3 * giga + 9, 3};
  sidl_long__array* const a = sidl_long__array_createRow64(2, la, ua);
  sidl_long__array* const b = sidl_long__array_createCol64(2, lb, ub);
  for (int64_t i = la[0]; i <= ua[0]; ++i) {
    for (int64_t j = 2; j <= 4; ++j) sidl_long__array_set2(a, i, j, 10 * (i - la[0]) + j);
  }
  sidl_long__array_set2(b, lb[0], 0, -1);
  sidl_long__array_copy(a, b);
  EXPECT_EQ(sidl_long__array_get2(b, lb[0], 2), 22);
  EXPECT_EQ(sidl_long__array_get2(b, lb[0] + 1, 3), 33);
  EXPECT_EQ(sidl_long__array_get2(b, lb[0], 0), -1);
  sidl_long__array_deleteRef(a);
  sidl_long__array_deleteRef(b);
}

/** What no memory can be: refused before any is taken. */
TEST(WideArray, BoundsThatMakeNoSense) {
  const int64_t top = SIDL_MAX_ARRAY_INDEX;
  struct Bounds {
    int64_t lower[3], upper[3];
  };
  const Bounds refused[] = {
      {{0, 0, 0}, {INT64_MAX, 0, 0}},
      {{INT64_MIN, 0, 0}, {INT64_MIN, 0, 0}},
      {{INT64_MIN, 0, 0}, {INT64_MAX, 0, 0}},
      {{0, 0, 0}, {-2, 0, 0}},
      {{0, 0, 0}, {top, 0, 0}},
      {{0, 0, 0}, {(int64_t{1} << 32) - 1, (int64_t{1} << 32) - 1, 0}},
      {{0, 0, 0}, {(int64_t{1} << 21), (int64_t{1} << 21), (int64_t{1} << 21)}},
      {{top, 0, 0}, {top + 1, 0, 0}},
      // without elements, just outside
      {{top + 1, 0, 0}, {top, 0, 0}},
      {{-top, 0, 0}, {-top - 1, 0, 0}},
      {{INT64_MIN + 1, 0, 0}, {INT64_MIN, 0, 0}},
      {{-top, 0, 0}, {top, -1, 0}},
  };
  for (const Bounds& each : refused) {
    for (const int32_t order : {sidl_column_major_order, sidl_row_major_order}) {
      EXPECT_EQ(sidl__array_create(sidl_double_array, order, 3, each.lower, each.upper), nullptr)
          << each.lower[0] << " to " << each.upper[0];
    }
  }
  EXPECT_EQ(sidl_array_extent(-top, -top - 1), -1) << "no element, and no index either";
  EXPECT_EQ(sidl_array_extent(top + 1, top), -1);
  EXPECT_LT(sidl_array_extent(-top, top), 0) << "more than can be counted";
  for (const int64_t lower : {1 - top, int64_t{0}, top}) {
    EXPECT_EQ(sidl_array_extent(lower, lower - 1), 0);
    EXPECT_EQ(sidl_array_extent(lower - 1, lower), 2);
  }
  EXPECT_EQ(sidl_double__array_create1d(INT64_MAX), nullptr);
  EXPECT_EQ(sidl_double__array_create1d(INT64_MIN), nullptr);
  EXPECT_EQ(sidl_double__array_create2dCol(giga * giga, 8), nullptr);
  sidl_double__array* const last = sidl_double__array_createCol64(1, &top, &top);
  ASSERT_NE(last, nullptr);
  const int64_t one = 1, next = top + 1;
  EXPECT_EQ(sidl_double__array_slice64(last, 1, &one, &top, nullptr, &next), nullptr);
  sidl_double__array_deleteRef(last);
}

TEST(WideArray, StridesThatWrapAround) {
  double memory[4] = {};
  const int64_t lower[] = {0, 0}, upper[] = {3, 1};
  for (const int64_t stride : {INT64_MAX, INT64_MIN, INT64_MAX / 8 + 1, INT64_MAX / 24}) {
    const int64_t strides[] = {stride, 1};
    EXPECT_EQ(sidl_double__array_borrow64(memory, 2, lower, upper, strides), nullptr) << stride;
  }
  char text[4] = {};
  const int64_t lowest[] = {INT64_MIN, 1};
  EXPECT_EQ(sidl_char__array_borrow64(text, 2, lower, upper, lowest), nullptr);
  const int64_t empty[] = {-1, 1}, far[] = {INT64_MAX / 8, 1};
  sidl_double__array* const none = sidl_double__array_borrow64(memory, 2, lower, empty, far);
  ASSERT_NE(none, nullptr) << "without elements there is no address";
  sidl_double__array_deleteRef(none);
  const int64_t single[] = {0, 1};
  sidl_double__array* const two = sidl_double__array_borrow64(memory, 2, lower, single, far);
  ASSERT_NE(two, nullptr) << "there is one index: no step is made";
  const int64_t counts[] = {1, 2}, steps[] = {9, 1};
  EXPECT_EQ(sidl_double__array_slice64(two, 2, counts, nullptr, steps, nullptr), nullptr);
  sidl_double__array* const copy = sidl_double__array_smartCopy(two);
  EXPECT_EQ(sidl_double__array_length64(copy, 1), 2);
  sidl_double__array_deleteRef(copy);
  sidl_double__array_deleteRef(two);
}

/** With less than two indices no step is made, whatever the stride: NumPy has any there. */
TEST(WideArray, StridesOfNoUse) {
  double memory[2] = {1, 2};
  const int64_t lower[] = {0, 0};
  for (const int64_t length : {0, 1}) {
    for (const int64_t stride : {INT64_MAX, INT64_MIN, -(INT64_MAX / 8) - 1, INT64_MAX / 8}) {
      const int64_t upper[] = {length - 1, 1}, strides[] = {stride, 1};
      sidl_double__array* const lent =
          sidl_double__array_borrow64(memory, 2, lower, upper, strides);
      ASSERT_NE(lent, nullptr) << stride;
      EXPECT_EQ(sidl_double__array_length64(lent, 0), length);
      sidl_double__array* const copy = sidl_double__array_smartCopy(lent);
      ASSERT_NE(copy, nullptr);
      if (length == 1) {
        EXPECT_EQ(sidl_double__array_get2(lent, 0, 1), 2);
        EXPECT_EQ(sidl_double__array_get2(copy, 0, 1), 2);
        const int64_t counts[] = {1, 2};
        sidl_double__array* const slice =
            sidl_double__array_slice64(lent, 2, counts, nullptr, nullptr, nullptr);
        ASSERT_NE(slice, nullptr) << stride;
        EXPECT_EQ(sidl_double__array_get2(slice, 0, 1), 2);
        sidl_double__array_deleteRef(slice);
      }
      sidl_double__array_deleteRef(copy);
      sidl_double__array_deleteRef(lent);
    }
  }
}

TEST(WideArray, RawArrays) {
  sidl_BaseInterface__object* ex = nullptr;
  std::string note;
  sidl_raw_array raw;
  double number = 0;
  const int64_t good[] = {beyond, giga / 4};
  ASSERT_TRUE(sidl_raw_array_open(&raw, &number, sidl_double_array, 2, good, "a", &ex));
  EXPECT_EQ(sidl__array_length64(&raw.d_metadata, 0), beyond);
  EXPECT_EQ(sidl__array_stride64(&raw.d_metadata, 1), beyond);
  for (const int64_t wrong : {int64_t{-1}, giga * giga, INT64_MAX}) {
    const int64_t extents[] = {wrong, 8};
    EXPECT_FALSE(sidl_raw_array_open(&raw, &number, sidl_double_array, 2, extents, "a", &ex));
    EXPECT_TRUE(rt::threw(ex, "sidl.CastException", &note));
    EXPECT_NE(note.find("a: invalid extent"), std::string::npos) << note;
  }
  for (const int64_t wrong : {giga * giga, INT64_MAX}) {  // whatever is beside it
    const int64_t extents[] = {0, wrong};
    EXPECT_FALSE(sidl_raw_array_open(&raw, &number, sidl_double_array, 2, extents, "a", &ex));
    EXPECT_TRUE(rt::threw(ex, "sidl.CastException", &note));
    EXPECT_NE(note.find("elements in dimension 2"), std::string::npos) << note;
  }
}

}  // namespace
