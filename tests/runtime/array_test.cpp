#include <malloc.h>

#include <array>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "sidl_BaseClass.h"
#include "sidl_raw_array.h"
#include "support.hpp"

namespace {

using rt::Exception;
using rt::Ref;
using rt::take;

// ---- every element type that is a plain value --------------------------------------------------

template <class T>
struct Api;

#define API(t, elem)                                                    \
  template <>                                                           \
  struct Api<sidl_##t##__array> {                                       \
    using Element = elem;                                               \
    static constexpr int type = sidl_##t##_array;                       \
    static constexpr auto create_col = sidl_##t##__array_createCol;     \
    static constexpr auto create_row = sidl_##t##__array_createRow;     \
    static constexpr auto create1d = sidl_##t##__array_create1d;        \
    static constexpr auto init1d = sidl_##t##__array_create1dInit;      \
    static constexpr auto create2d_row = sidl_##t##__array_create2dRow; \
    static constexpr auto borrow = sidl_##t##__array_borrow;            \
    static constexpr auto init = sidl_##t##__array_init64;              \
    static constexpr auto smart_copy = sidl_##t##__array_smartCopy;     \
    static constexpr auto remove = sidl_##t##__array_deleteRef;         \
    static constexpr auto cast = sidl_##t##__array_cast;                \
    static constexpr auto copy = sidl_##t##__array_copy;                \
    static constexpr auto ensure = sidl_##t##__array_ensure;            \
    static constexpr auto slice = sidl_##t##__array_slice;              \
    static constexpr auto get = sidl_##t##__array_get;                  \
    static constexpr auto set = sidl_##t##__array_set;                  \
    static constexpr auto get64 = sidl_##t##__array_get64;              \
    static constexpr auto set64 = sidl_##t##__array_set64;              \
    static constexpr auto first = sidl_##t##__array_first;              \
    static constexpr auto is_col = sidl_##t##__array_isColumnOrder;     \
    static constexpr auto is_row = sidl_##t##__array_isRowOrder;        \
  };
#define SIDL_NUMBER(name, kind, array, ctype, Name, numpy) API(name, ctype)
#define SIDL_BOOL SIDL_NUMBER
#include "sidl_kinds.def"
#undef API

template <class T>
T value(int i) {
  return static_cast<T>(i);
}
template <>
sidl_dcomplex value(int i) {
  return {static_cast<double>(i), -1};
}
template <>
sidl_fcomplex value(int i) {
  return {static_cast<float>(i), -1};
}
template <class T>
int number(T v) {
  return static_cast<int>(v);
}
int number(sidl_dcomplex v) {
  return static_cast<int>(v.real);
}
int number(sidl_fcomplex v) {
  return static_cast<int>(v.real);
}

template <class A>
class Values : public ::testing::Test {};
using ValueArrays =
    ::testing::Types<sidl_bool__array, sidl_char__array, sidl_dcomplex__array, sidl_double__array,
                     sidl_fcomplex__array, sidl_float__array, sidl_int__array, sidl_long__array>;
TYPED_TEST_SUITE(Values, ValueArrays);

// Visits all index tuples within the bounds.
template <class F>
void each(const sidl__array* a, F f) {
  std::vector<int64_t> index(a->d_lower, a->d_lower + a->d_dimen);
  for (size_t n = sidl__array_element_count(a); n > 0; --n) {
    f(index.data());
    for (int d = 0; d < a->d_dimen && ++index[d] > a->d_upper[d]; ++d) index[d] = a->d_lower[d];
  }
}

int tag(const int64_t* index, int dimen) {
  int64_t result = 0;
  for (int d = 0; d < dimen; ++d) result = result * 3 + index[d] + 1;
  return static_cast<int>(result % 100);
}

TYPED_TEST(Values, AllDimensionsAndOrders) {
  using A = Api<TypeParam>;
  const std::array<int32_t, 7> lower{-1, 0, 1, 0, -1, 0, 0};
  const std::array<int32_t, 7> upper{0, 1, 2, 1, 1, 0, 1};
  for (int dimen = 1; dimen <= 7; ++dimen) {
    for (const bool row : {false, true}) {
      auto* const a = row ? A::create_row(dimen, lower.data(), upper.data())
                          : A::create_col(dimen, lower.data(), upper.data());
      ASSERT_NE(a, nullptr);
      auto* const meta = sidl_array_cast(a);
      EXPECT_EQ(sidl__array_type(meta), A::type);
      EXPECT_EQ(A::cast(meta), a);
      EXPECT_TRUE(row ? A::is_row(a) : A::is_col(a));
      each(meta,
           [&](const int64_t* i) { A::set64(a, i, value<typename A::Element>(tag(i, dimen))); });
      auto* const other = A::ensure(a, dimen, row ? sidl_column_major_order : sidl_row_major_order);
      EXPECT_TRUE(row ? A::is_col(other) : A::is_row(other));
      each(meta, [&](const int64_t* i) {
        EXPECT_EQ(number(A::get64(other, i)), number(value<typename A::Element>(tag(i, dimen))));
      });
      EXPECT_EQ(A::ensure(a, dimen + 1, 0), nullptr);
      A::remove(other);
      A::remove(a);
    }
  }
}

TYPED_TEST(Values, BorrowedDataIsCopiedBySmartCopy) {
  using A = Api<TypeParam>;
  std::array<typename A::Element, 6> data{};
  const std::array<int32_t, 2> lower{1, 1};
  const std::array<int32_t, 2> upper{2, 3};
  const std::array<int32_t, 2> stride{3, 1};
  for (int i = 0; i < 6; ++i) data[i] = value<typename A::Element>(i);
  auto* const borrowed = A::borrow(data.data(), 2, lower.data(), upper.data(), stride.data());
  ASSERT_NE(borrowed, nullptr);
  EXPECT_EQ(A::first(borrowed), data.data());
  auto* const copy = A::smart_copy(borrowed);
  EXPECT_NE(A::first(copy), data.data());
  EXPECT_TRUE(A::is_row(copy));
  auto* const same = A::smart_copy(copy);
  EXPECT_EQ(same, copy);
  data[5] = value<typename A::Element>(1);
  EXPECT_EQ(number(A::get(borrowed, upper.data())), 1);
  EXPECT_EQ(number(A::get(copy, upper.data())), number(value<typename A::Element>(5)));
  // a slice of borrowed data is borrowed, and keeps the struct alive
  const std::array<int32_t, 2> count{1, 2};
  auto* const slice = A::slice(borrowed, 2, count.data(), nullptr, nullptr, nullptr);
  A::remove(borrowed);
  auto* const slice_copy = A::smart_copy(slice);
  EXPECT_NE(slice_copy, slice);
  A::remove(slice_copy);
  A::remove(slice);
  A::remove(copy);
  A::remove(same);
  // an array whose struct is the caller's
  TypeParam local;
  const std::array<int64_t, 2> low{1, 1};
  const std::array<int64_t, 2> high{2, 3};
  const std::array<int64_t, 2> step{3, 1};
  A::init(data.data(), &local, 2, low.data(), high.data(), step.data());
  auto* const kept = A::smart_copy(&local);
  auto* const part = A::slice(&local, 2, count.data(), nullptr, nullptr, nullptr);
  A::remove(&local);
  EXPECT_EQ(number(A::get(kept, upper.data())), 1);
  A::remove(part);
  A::remove(kept);
}

TYPED_TEST(Values, CopiesBetweenShapes) {
  using A = Api<TypeParam>;
  auto* const line = A::create1d(4);
  auto* const table = A::create2d_row(2, 4);
  for (int32_t i = 0; i < 4; ++i) A::set(line, &i, value<typename A::Element>(i));
  const std::array<int32_t, 2> count{0, 4};
  const std::array<int32_t, 2> start{1, 0};
  const int32_t zero = 0;
  auto* const row = A::slice(table, 1, count.data(), start.data(), nullptr, &zero);
  A::copy(line, row);
  for (int32_t i = 0; i < 4; ++i) {
    const std::array<int32_t, 2> index{1, i};
    EXPECT_EQ(number(A::get(table, index.data())), number(value<typename A::Element>(i)));
  }
  A::remove(row);
  A::remove(line);
  A::remove(table);
}

TYPED_TEST(Values, InitialisedFromData) {
  using A = Api<TypeParam>;
  std::array<typename A::Element, 3> data{};
  data[2] = value<typename A::Element>(1);
  auto* const a = A::init1d(3, data.data());
  const int32_t last = 2;
  EXPECT_EQ(number(A::get(a, &last)), 1);
  EXPECT_EQ(A::init1d(3, nullptr), nullptr);
  A::remove(a);
}

// ---- creation ----------------------------------------------------------------------------------

TEST(Array, Empty) {
  sidl_int__array* const a = sidl_int__array_create1d(0);
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(sidl_int__array_lower(a, 0), 0);
  EXPECT_EQ(sidl_int__array_upper(a, 0), -1);
  EXPECT_EQ(sidl_int__array_length(a, 0), 0);
  sidl_int__array* const b = sidl_int__array_create2dRow(0, 5);
  ASSERT_NE(b, nullptr);
  EXPECT_TRUE(sidl_int__array_isRowOrder(b));
  EXPECT_EQ(sidl__array_element_count(sidl_array_cast(b)), 0u);
  sidl_int__array* const c = sidl_int__array_ensure(b, 2, sidl_column_major_order);
  EXPECT_NE(c, nullptr);
  sidl_int__array_copy(b, c);
  sidl_int__array_deleteRef(a);
  sidl_int__array_deleteRef(b);
  sidl_int__array_deleteRef(c);
}

TEST(Array, ImpossibleBoundsGiveNull) {
  const std::array<int32_t, 8> zero{};
  std::array<int32_t, 7> huge{};
  huge.fill(INT32_MAX - 1);
  EXPECT_EQ(sidl_double__array_createCol(0, zero.data(), zero.data()), nullptr);
  EXPECT_EQ(sidl_double__array_createCol(8, zero.data(), zero.data()), nullptr);
  EXPECT_EQ(sidl_double__array_createCol(-1, zero.data(), zero.data()), nullptr);
  EXPECT_EQ(sidl_double__array_createCol(1, nullptr, zero.data()), nullptr);
  EXPECT_EQ(sidl_double__array_createCol(7, zero.data(), huge.data()), nullptr);
  EXPECT_EQ(sidl_double__array_createRow(3, zero.data(), huge.data()), nullptr);
  EXPECT_EQ(sidl_double__array_create1d(-1), nullptr);
  EXPECT_EQ(sidl_double__array_create1d(INT32_MIN), nullptr);
  EXPECT_EQ(sidl_double__array_create2dCol(3, -2), nullptr);
  const int32_t five = 5;
  const int32_t three = 3;
  EXPECT_EQ(sidl_char__array_createCol(1, &five, &three), nullptr);
}

TEST(Array, LargeDataIsAligned) {
  for (const int32_t n : {512, 513, 100000}) {
    sidl_double__array* const a = sidl_double__array_create1d(n);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(sidl_double__array_first(a)) % 64, 0u);
    sidl_double__array_set1(a, n - 1, 1);
    sidl_double__array_deleteRef(a);
  }
}

TEST(Array, NullIsNoArray) {
  EXPECT_EQ(sidl_int__array_dimen(nullptr), 0);
  EXPECT_EQ(sidl_int__array_lower(nullptr, 0), 0);
  EXPECT_EQ(sidl_int__array_upper(nullptr, 0), -1);
  EXPECT_EQ(sidl_int__array_length(nullptr, 0), 0);
  EXPECT_EQ(sidl_int__array_stride(nullptr, 0), 0);
  EXPECT_EQ(sidl_int__array_get1(nullptr, 0), 0);
  sidl_int__array_set1(nullptr, 0, 1);
  sidl_int__array_addRef(nullptr);
  sidl_int__array_deleteRef(nullptr);
  sidl_int__array_copy(nullptr, nullptr);
  EXPECT_EQ(sidl_int__array_smartCopy(nullptr), nullptr);
  EXPECT_EQ(sidl_int__array_ensure(nullptr, 1, 0), nullptr);
  EXPECT_EQ(sidl_int__array_slice(nullptr, 1, nullptr, nullptr, nullptr, nullptr), nullptr);
  EXPECT_EQ(sidl_int__array_first(nullptr), nullptr);
  EXPECT_EQ(sidl_int__array_cast(nullptr), nullptr);
  EXPECT_FALSE(sidl_int__array_isColumnOrder(nullptr));
  EXPECT_FALSE(sidl_int__array_isRowOrder(nullptr));
  EXPECT_EQ(sidl__array_type(nullptr), sidl_undefined_array);
}

TEST(Array, OutsideTheBoundsReadsZeroAndWritesNothing) {
  sidl_int__array* const a = sidl_int__array_create2dCol(2, 2);
  sidl_int__array_set2(a, 2, 0, 5);
  sidl_int__array_set2(a, 0, -1, 5);
  sidl_int__array_set1(a, 0, 5);
  EXPECT_EQ(sidl_int__array_get2(a, 2, 0), 0);
  EXPECT_EQ(sidl_int__array_get1(a, 0), 0);
  EXPECT_EQ(sidl_int__array_lower(a, 2), 0);
  EXPECT_EQ(sidl_int__array_upper(a, -1), -1);
  EXPECT_EQ(sidl_double__array_cast(sidl_array_cast(a)), nullptr);
  sidl_int__array_deleteRef(a);
}

TEST(Array, MacrosAgreeWithFunctions) {
  const std::array<int32_t, 3> lower{2, -3, 0};
  const std::array<int32_t, 3> upper{4, 1, 2};
  sidl_int__array* const a = sidl_int__array_createRow(3, lower.data(), upper.data());
  for (int32_t i = 2; i <= 4; ++i) {
    for (int32_t j = -3; j <= 1; ++j) {
      for (int32_t k = 0; k <= 2; ++k) sidlArrayElem3(a, i, j, k) = 100 * i + 10 * j + k;
    }
  }
  EXPECT_EQ(sidl_int__array_get3(a, 3, -2, 1), 281);
  EXPECT_EQ(sidlArrayDim(a), 3);
  EXPECT_EQ(sidlLower(a, 1), -3);
  EXPECT_EQ(sidlUpper(a, 0), 4);
  EXPECT_EQ(sidlLength(a, 1), 5);
  EXPECT_EQ(sidlStride(a, 2), 1);
  EXPECT_EQ(sidlArrayAddr3(a, 2, -3, 0), sidl_int__array_first(a));
  sidl_int__array_deleteRef(a);
  std::array<int, 24> raw{};
  std::iota(raw.begin(), raw.end(), 0);
  EXPECT_EQ(RarrayElem3(raw.data(), 1, 2, 3, 2, 3), 1 + 2 * (2 + 3 * 3));
  EXPECT_EQ(RarrayElem1(raw.data(), 5), 5);
  EXPECT_EQ(RarrayAddr2(raw.data(), 1, 2, 4), raw.data() + 9);
}

// ---- slices and copies --------------------------------------------------------------------------

TEST(Array, Slices) {
  sidl_int__array* const a = sidl_int__array_create2dCol(4, 6);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 6; ++j) sidl_int__array_set2(a, i, j, 10 * i + j);
  }
  const std::array<int32_t, 2> count{0, 3};
  const std::array<int32_t, 2> start{2, 5};
  const std::array<int32_t, 2> step{1, -2};
  sidl_int__array* const row =
      sidl_int__array_slice(a, 1, count.data(), start.data(), step.data(), nullptr);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(sidl_int__array_dimen(row), 1);
  EXPECT_EQ(sidl_int__array_lower(row, 0), 5);
  EXPECT_EQ(sidl_int__array_get1(row, 5), 25);
  EXPECT_EQ(sidl_int__array_get1(row, 7), 21);
  sidl_int__array_set1(row, 6, 99);
  EXPECT_EQ(sidl_int__array_get2(a, 2, 3), 99) << "slices share storage";
  const int32_t zero = 0;
  sidl_int__array* const part =
      sidl_int__array_slice(row, 1, std::array<int32_t, 1>{2}.data(), nullptr, nullptr, &zero);
  sidl_int__array_deleteRef(a);
  sidl_int__array_deleteRef(row);
  EXPECT_EQ(sidl_int__array_get1(part, 1), 99) << "slices keep the storage alive";
  EXPECT_EQ(sidl_int__array_smartCopy(part), part);
  sidl_int__array_deleteRef(part);
  sidl_int__array* const packed = sidl_int__array_ensure(part, 1, sidl_column_major_order);
  EXPECT_NE(packed, part);
  EXPECT_EQ(sidl_int__array_get1(packed, 1), 99);
  sidl_int__array_deleteRef(packed);
  sidl_int__array_deleteRef(part);
}

TEST(Array, SlicesThatDoNotFit) {
  sidl_int__array* const a = sidl_int__array_create2dCol(4, 6);
  const auto slice = [a](int32_t dimen, std::array<int32_t, 2> count, std::array<int32_t, 2> start,
                         std::array<int32_t, 2> step) {
    return sidl_int__array_slice(a, dimen, count.data(), start.data(), step.data(), nullptr);
  };
  EXPECT_EQ(slice(2, {5, 1}, {0, 0}, {1, 1}), nullptr);
  EXPECT_EQ(slice(2, {2, 1}, {3, 0}, {1, 1}), nullptr);
  EXPECT_EQ(slice(2, {2, 1}, {0, 0}, {-1, 1}), nullptr);
  EXPECT_EQ(slice(2, {2, 2}, {0, 0}, {0, 1}), nullptr);
  EXPECT_EQ(slice(2, {2, 0}, {0, 0}, {1, 1}), nullptr);
  EXPECT_EQ(slice(1, {2, 2}, {0, 0}, {1, 1}), nullptr);
  EXPECT_EQ(slice(0, {0, 0}, {0, 0}, {1, 1}), nullptr);
  EXPECT_EQ(slice(1, {-1, 1}, {0, 0}, {1, 1}), nullptr);
  EXPECT_EQ(slice(2, {2, 2}, {INT32_MAX, 0}, {INT32_MAX, 1}), nullptr);
  sidl_int__array_deleteRef(a);
}

TEST(Array, CopyTakesTheCommonPart) {
  const std::array<int32_t, 2> la{0, 0}, ua{4, 4}, lb{3, -2}, ub{8, 1};
  sidl_int__array* const a = sidl_int__array_createCol(2, la.data(), ua.data());
  sidl_int__array* const b = sidl_int__array_createRow(2, lb.data(), ub.data());
  each(sidl_array_cast(a),
       [&](const int64_t* i) { sidl_int__array_set64(a, i, 10 * i[0] + i[1]); });
  each(sidl_array_cast(b), [&](const int64_t* i) { sidl_int__array_set64(b, i, -1); });
  sidl_int__array_copy(a, b);
  each(sidl_array_cast(b), [&](const int64_t* i) {
    const bool common = i[0] <= 4 && i[1] >= 0;
    EXPECT_EQ(sidl_int__array_get64(b, i), common ? 10 * i[0] + i[1] : -1);
  });
  sidl_int__array* const line = sidl_int__array_create1d(3);
  sidl_int__array_copy(a, line);  // another number of dimensions: nothing happens
  sidl_int__array_deleteRef(line);
  sidl_int__array_deleteRef(a);
  sidl_int__array_deleteRef(b);
}

// What a copy makes of 0, 1, 2 ... if one slice of them is copied to another one.
std::vector<int32_t> shifted(int64_t count, int64_t from, int64_t from_step, int64_t to,
                             int64_t to_step) {
  sidl_int__array* const all = sidl_int__array_create1d(12);
  for (int32_t i = 0; i < 12; ++i) sidl_int__array_set1(all, i, i);
  const int64_t first = 0;
  sidl_int__array* const source =
      sidl_int__array_slice64(all, 1, &count, &from, &from_step, &first);
  sidl_int__array* const target = sidl_int__array_slice64(all, 1, &count, &to, &to_step, &first);
  sidl_int__array_copy(source, target);
  std::vector<int32_t> found;
  for (int32_t i = 0; i < 12; ++i) found.push_back(sidl_int__array_get1(all, i));
  for (sidl_int__array* const each : {source, target, all}) sidl_int__array_deleteRef(each);
  return found;
}

TEST(Array, CopiesWithinAnArrayReadWhatWasThere) {
  const std::vector<int64_t> steps{-2, -1, 1, 2, 3};
  for (const int64_t from_step : steps) {
    for (const int64_t to_step : steps) {
      for (int64_t from = 0; from < 12; ++from) {
        for (int64_t to = 0; to < 12; ++to) {
          const auto fits = [](int64_t at) { return at >= 0 && at < 12; };
          int64_t count = 1;
          while (fits(from + count * from_step) && fits(to + count * to_step)) ++count;
          std::vector<int32_t> expected(12);
          std::iota(expected.begin(), expected.end(), 0);
          for (int64_t i = 0; i < count; ++i) {
            expected[static_cast<size_t>(to + i * to_step)] =
                static_cast<int32_t>(from + i * from_step);
          }
          EXPECT_EQ(shifted(count, from, from_step, to, to_step), expected)
              << from << " by " << from_step << " to " << to << " by " << to_step;
        }
      }
    }
  }
}

TEST(Array, StringsAreShifted) {
  sidl_string__array* const all = sidl_string__array_create1d(4);
  for (int32_t i = 0; i < 4; ++i) {
    sidl_string__array_set1(all, i, std::string(1, static_cast<char>('a' + i)).c_str());
  }
  const int64_t count = 3, zero = 0, one = 1;
  sidl_string__array* const source =
      sidl_string__array_slice64(all, 1, &count, &zero, nullptr, &zero);
  sidl_string__array* const target =
      sidl_string__array_slice64(all, 1, &count, &one, nullptr, &zero);
  sidl_string__array_copy(source, target);
  std::string found;
  for (int32_t i = 0; i < 4; ++i) {
    char* const each = sidl_string__array_get1(all, i);
    found += each;
    sidl_String_free(each);
  }
  EXPECT_EQ(found, "aabc");
  for (sidl_string__array* const each : {source, target, all}) sidl_string__array_deleteRef(each);
}

// ---- strings, objects, other owners -------------------------------------------------------------

TEST(Array, Strings) {
  sidl_string__array* const a = sidl_string__array_create1d(3);
  EXPECT_EQ(sidl_string__array_get1(a, 0), nullptr);
  sidl_string__array_set1(a, 0, "zero");
  sidl_string__array_set1(a, 0, sidlArrayElem1(a, 0));
  sidl_string__array_set1(a, 1, "one");
  sidl_string__array_set1(a, 1, nullptr);
  sidl_string__array_set1(a, 7, "nowhere");
  EXPECT_EQ(take(sidl_string__array_get1(a, 0)), "zero");
  sidl_string__array* const b = sidl_string__array_create1d(2);
  sidl_string__array_set1(b, 1, "old");
  sidl_string__array_copy(a, b);
  EXPECT_EQ(take(sidl_string__array_get1(b, 0)), "zero");
  EXPECT_EQ(sidl_string__array_get1(b, 1), nullptr);
  std::array<char*, 1> data{const_cast<char*>("literal")};
  sidl_string__array* const c = sidl_string__array_create1dInit(1, data.data());
  EXPECT_NE(sidlArrayElem1(c, 0), data[0]);
  sidl_string__array_deleteRef(a);
  sidl_string__array_deleteRef(b);
  sidl_string__array_deleteRef(c);
}

TEST(Array, Objects) {
  Exception ex = nullptr;
  Ref<sidl_BaseInterface__object> object(sidl_BaseClass__create(&ex));
  sidl_interface__array* const a = sidl_interface__array_create2dRow(2, 2);
  sidl_interface__array_set2(a, 0, 1, object.get());
  sidl_interface__array_set2(a, 0, 1, object.get());
  EXPECT_EQ(rt::references(object.get()), 2);
  Ref<void> got(sidl_interface__array_get2(a, 0, 1));
  EXPECT_EQ(got.get(), object.get());
  EXPECT_EQ(rt::references(object.get()), 3);
  sidl_interface__array* const b = sidl_interface__array_ensure(a, 2, sidl_column_major_order);
  EXPECT_EQ(rt::references(object.get()), 4);
  sidl_interface__array_deleteRef(a);
  sidl_interface__array_deleteRef(b);
  EXPECT_EQ(rt::references(object.get()), 2);
}

// What is lent was a struct on the lender's stack: who kept it kept an address that others used
// soon. Tests that kept arrays kept counted ones, or those over memory that stayed.
TEST(Array, LoansBecomeCopiesOfWhoKeepsThem) {
  const int64_t lower[] = {0, 1}, upper[] = {2, 2}, stride[] = {1, 4};
  std::vector<double> memory{0, 10, 20, -1, 1, 11, 21, -1};
  sidl__array* const loan =
      sidl_loan_begin(sidl_double_array, memory.data(), 2, lower, upper, stride);
  auto* const kept = reinterpret_cast<sidl_double__array*>(loan);
  EXPECT_EQ(kept->d_firstElement, memory.data());
  sidl_double__array_addRef(kept);
  const int32_t count[] = {2, 0}, start[] = {1, 2};
  sidl_double__array* const row = sidl_double__array_slice(kept, 1, count, start, nullptr, nullptr);
  sidl_double__array* const gone =
      sidl_double__array_slice(kept, 1, count, start, nullptr, nullptr);
  const int32_t last[] = {1};
  sidl_double__array* const element =
      sidl_double__array_slice(row, 1, last, nullptr, nullptr, nullptr);
  sidl_double__array_deleteRef(gone);
  sidl_double__array_set2(kept, 1, 2, 12);
  EXPECT_EQ(memory[5], 12);
  sidl_double__array* const copy = sidl_double__array_smartCopy(kept);
  EXPECT_NE(copy, kept);

  EXPECT_TRUE(sidl_loan_end(loan));
  memory.assign(memory.size(), 99);
  EXPECT_NE(kept->d_firstElement, memory.data());
  EXPECT_EQ(sidl_double__array_get2(kept, 1, 2), 12);
  EXPECT_EQ(sidl_double__array_get2(kept, 2, 1), 20);
  EXPECT_EQ(sidl_double__array_get1(row, 1), 12);
  EXPECT_EQ(sidl_double__array_get1(row, 2), 21);
  EXPECT_EQ(sidl_double__array_get1(element, 1), 12);
  EXPECT_EQ(sidl_double__array_get2(copy, 1, 2), 12);
  sidl_double__array_set2(kept, 1, 2, 13);
  EXPECT_EQ(sidl_double__array_get1(row, 1), 12) << "each has its own";
  EXPECT_EQ(sidl_double__array_smartCopy(kept), kept);
  for (auto* const each : {kept, kept, row, element, copy}) sidl_double__array_deleteRef(each);
}

TEST(Array, LoansThatNobodyKeepsAreGone) {
  int32_t memory[] = {1, 2};
  const int64_t lower = 0, upper = 1, stride = 1;
  sidl__array* const loan = sidl_loan_begin(sidl_int_array, memory, 1, &lower, &upper, &stride);
  EXPECT_TRUE(sidl_loan_end(loan));
  EXPECT_TRUE(sidl_loan_end(nullptr));
}

TEST(Array, SharedReceiveBuffer) {
  static int released = 0;
  static std::array<double, 4> buffer{1, 2, 3, 4};
  released = 0;
  const int64_t lower = 0;
  const int64_t upper = 3;
  const int64_t stride = 1;
  const auto release = [](void* owner) {
    EXPECT_EQ(owner, &buffer);
    ++released;
  };
  sidl_double__array* const a =
      sidl_double__array_borrow_owned(buffer.data(), 1, &lower, &upper, &stride, release, &buffer);
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(sidl_double__array_smartCopy(a), a) << "its owner keeps the data: no copy";
  const int32_t count = 2;
  sidl_double__array* const slice =
      sidl_double__array_slice(a, 1, &count, nullptr, nullptr, nullptr);
  sidl_double__array_deleteRef(a);
  sidl_double__array_deleteRef(a);
  EXPECT_EQ(released, 0);
  EXPECT_EQ(sidl_double__array_get1(slice, 1), 2);
  sidl_double__array_deleteRef(slice);
  EXPECT_EQ(released, 1);
  EXPECT_EQ(
      sidl_double__array_borrow_owned(buffer.data(), 9, &lower, &upper, &stride, release, &buffer),
      nullptr);
  EXPECT_EQ(released, 1);
}

TEST(Array, StringsOfSomebodyElse) {
  static int released = 0;
  released = 0;
  std::array<char*, 2> words{sidl_String_strdup("a"), sidl_String_strdup("b")};
  const int64_t lower = 0;
  const int64_t upper = 1;
  const int64_t stride = 1;
  const auto release = [](void* owner) {
    for (char* const each : *static_cast<std::array<char*, 2>*>(owner)) sidl_String_free(each);
    ++released;
  };
  sidl_string__array* const a =
      sidl_string__array_borrow_owned(words.data(), 1, &lower, &upper, &stride, release, &words);
  sidl_string__array_set1(a, 1, "replaced");
  EXPECT_STREQ(words[1], "replaced");
  sidl_string__array* const copy = sidl_string__array_create1d(2);
  sidl_string__array_copy(a, copy);
  sidl_string__array_deleteRef(a);
  EXPECT_EQ(released, 1);
  char* const kept = sidl_string__array_get1(copy, 1);
  EXPECT_STREQ(kept, "replaced");
  sidl_String_free(kept);
  sidl_string__array_deleteRef(copy);
}

/** Strings in one piece, at odd addresses; who releases them frees what took the place of one. */
struct Packed {
  alignas(2) char texts[7] = {'\0', 'a', '\0', 'b', '\0', 'c', '\0'};
  std::array<char*, 3> elements{texts + 1, texts + 3, texts + 5};
  int released = 0;

  sidl_string__array* array() {
    const int64_t lower = 0;
    const int64_t upper = 2;
    const int64_t stride = 1;
    return sidl_string__array_borrow_owned(elements.data(), 1, &lower, &upper, &stride, release,
                                           this);
  }
  static void release(void* owner) {
    auto* const self = static_cast<Packed*>(owner);
    for (char* const each : self->elements) sidl_String_free(each);
    ++self->released;
  }
};

TEST(Array, PackedStringsAreReplaced) {
  Packed packed;
  sidl_string__array* const a = packed.array();
  EXPECT_EQ(take(sidl_string__array_get1(a, 2)), "c");
  sidl_string__array_set1(a, 0, "first");     // it was packed
  sidl_string__array_set1(a, 0, "replaced");  // it was not
  sidl_string__array_set1(a, 1, nullptr);
  sidl_String_free(sidlArrayElem1(a, 2));
  sidlArrayElem1(a, 2) = sidl_String_strdup("by hand");
  sidl_string__array_deleteRef(a);
  EXPECT_EQ(packed.released, 1);
  EXPECT_EQ(packed.elements[1], nullptr);
}

TEST(Array, PackedStringsAreCopied) {
  Packed packed;
  sidl_string__array* const a = packed.array();
  sidl_string__array* const other = sidl_string__array_create1d(3);
  sidl_string__array_set1(other, 1, "other");
  sidl_string__array_copy(a, other);
  EXPECT_EQ(take(sidl_string__array_get1(other, 1)), "b");
  sidl_string__array_set1(other, 1, "new");
  sidl_string__array_copy(other, a);
  EXPECT_STREQ(packed.elements[1], "new");
  EXPECT_NE(packed.elements[0], packed.texts + 1);
  sidl_string__array_deleteRef(a);
  EXPECT_EQ(packed.released, 1);
  sidl_string__array_deleteRef(other);
}

TEST(Array, Opaque) {
  sidl_opaque__array* const a = sidl_opaque__array_create1d(2);
  EXPECT_EQ(sidl_opaque__array_get1(a, 1), nullptr);
  sidl_opaque__array_set1(a, 1, &a->d_metadata);
  EXPECT_EQ(sidl_opaque__array_get1(a, 1), &a->d_metadata);
  sidl_opaque__array_deleteRef(a);
}

}  // namespace

// ---- the element type at run time
// ----------------------------------------------------------------

TEST(Array, TypeIsKnownAtRunTimeOnly) {
  const int64_t lower[] = {1, 0};
  const int64_t upper[] = {3, 1};
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy)                                     \
  {                                                                                           \
    EXPECT_EQ(sidl_array_type_of(kind), array);                                               \
    EXPECT_EQ(sidl_element_kind_of(array), kind);                                             \
    EXPECT_STREQ(sidl_kind_name(kind), #name);                                                \
    EXPECT_EQ(sidl__array_element_size(array), sizeof(ctype));                                \
    struct sidl__array* const all =                                                           \
        sidl__array_create(array, sidl_row_major_order, 2, lower, upper);                     \
    ASSERT_NE(sidl_##name##__array_cast(all), nullptr);                                       \
    EXPECT_TRUE(sidl__array_isRowOrder(all));                                                 \
    EXPECT_EQ(sidl__array_first(all), sidl_##name##__array_cast(all)->d_firstElement);        \
    const int64_t counts[] = {3, 0};                                                          \
    struct sidl__array* const column = sidl__array_slice(all, 1, counts, NULL, NULL, NULL);   \
    ASSERT_NE(sidl_##name##__array_cast(column), nullptr);                                    \
    EXPECT_EQ(sidl__array_stride(column, 0), 2);                                              \
    struct sidl__array* const dense = sidl__array_ensure(column, 1, sidl_column_major_order); \
    EXPECT_EQ(sidl__array_stride(dense, 0), 1);                                               \
    sidl__array_deleteRef(dense);                                                             \
    sidl__array_deleteRef(column);                                                            \
    sidl__array_deleteRef(all);                                                               \
  }
#include "sidl_kinds.def"
  EXPECT_EQ(sidl_array_type_of(sidl_kind_enum), sidl_long_array);
  EXPECT_EQ(sidl_array_type_of(sidl_kind_class), sidl_interface_array);
  EXPECT_EQ(sidl_element_kind_of(sidl_interface_array), sidl_kind_interface);
}

TEST(Array, TypesThatThereAreNot) {
  const int64_t lower = 0;
  const int64_t upper = 3;
  const int64_t stride = 1;
  double data[4] = {};
  const auto release = [](void*) { FAIL(); };
  for (const int32_t type : {-1, 0, 12 /* structs */, 13, INT32_MAX}) {
    EXPECT_EQ(sidl__array_create(type, 0, 1, &lower, &upper), nullptr);
    EXPECT_EQ(sidl__array_borrow(type, data, 1, &lower, &upper, &stride), nullptr);
    EXPECT_EQ(sidl__array_borrow_owned(type, data, 1, &lower, &upper, &stride, release, data),
              nullptr);
    EXPECT_EQ(sidl__array_element_size(type), 0u);
    const sidl_kind kind = type == sidl_struct_array ? sidl_kind_struct : sidl_kind_void;
    EXPECT_EQ(sidl_element_kind_of(type), kind);
  }
  EXPECT_EQ(sidl__array_borrow_owned(sidl_interface_array, data, 1, &lower, &upper, &stride,
                                     release, data),
            nullptr);
  EXPECT_EQ(sidl_array_type_of(sidl_kind_struct), sidl_struct_array);
  for (const int32_t kind : {-1, int32_t{sidl_kind_void}, 17}) {
    EXPECT_EQ(sidl_array_type_of(kind), sidl_undefined_array);
  }
  EXPECT_STREQ(sidl_kind_name(18), "unknown");
  EXPECT_STREQ(sidl_kind_name(-1), "unknown");
}

TEST(Array, ElementsOfOtherTypesAreNotCopied) {
  const int64_t lower = 0;
  const int64_t upper = 1;
  const int64_t stride = 1;
  double from[] = {1, 2};
  int64_t to[] = {3, 4};
  struct sidl__array* const doubles =
      sidl__array_borrow(sidl_double_array, from, 1, &lower, &upper, &stride);
  struct sidl__array* const longs =
      sidl__array_borrow(sidl_long_array, to, 1, &lower, &upper, &stride);
  sidl__array_copy(doubles, longs);
  EXPECT_EQ(to[0], 3);
  sidl__array_copy(doubles, nullptr);
  sidl__array_deleteRef(doubles);
  sidl__array_deleteRef(longs);
}

#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)
/** With aligned_alloc it fitted nothing, and servers that made arrays grew for ever. */
TEST(Array, AnArrayFitsWhereOneOfItsSizeWas) {
  constexpr int limit = 1 << 30;
  const char* const preloaded = std::getenv("LD_PRELOAD");
  if (preloaded != nullptr && std::strstr(preloaded, "vgpreload") != nullptr) {
    GTEST_SKIP() << "valgrind's malloc";
  }
  if (::mallopt(M_MMAP_THRESHOLD, limit) != 1) GTEST_SKIP() << "a sanitizer's malloc";
  constexpr int32_t count = 25000;
  std::vector<sidl_double__array*> all, between;
  for (int i = 0; i < 20; ++i) {
    all.push_back(sidl_double__array_create1d(count));
    between.push_back(sidl_double__array_create1d(1));
  }
  double* const place = sidl_double__array_first(all[10]);
  sidl__array_deleteRef(reinterpret_cast<sidl__array*>(all[10]));
  all[10] = sidl_double__array_create1d(count);
  EXPECT_EQ(sidl_double__array_first(all[10]), place);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % 64, 0u);
  for (auto* const each : all) sidl__array_deleteRef(reinterpret_cast<sidl__array*>(each));
  for (auto* const each : between) sidl__array_deleteRef(reinterpret_cast<sidl__array*>(each));
  ::mallopt(M_MMAP_THRESHOLD, 128 << 10);
}
#endif
