// Arrays of a declared order: the callee sees it, and nothing is copied that has it already.
#include "support.hpp"
#include "ty_Orders.hxx"

namespace {

using Orders = ty_test::Both;
using ty_test::references;

// 2 by 3, element (i, j) is 10 i + j.
template <class T>
sidl::array<T> filled(sidl::array<T> array) {
  for (int32_t i = 0; i < 2; ++i) {
    for (int32_t j = 0; j < 3; ++j) array(i, j) = static_cast<T>(10 * i + j);
  }
  return array;
}

sidl::array<int32_t> by_row() {
  return filled(sidl::array<int32_t>::create2dRow(2, 3));
}

sidl::array<int32_t> by_column() {
  return filled(sidl::array<int32_t>::create2dCol(2, 3));
}

// Every other column of a larger array.
sidl::array<int32_t> strided() {
  const int32_t count[] = {2, 3};
  const int32_t step[] = {1, 2};
  return filled(sidl::array<int32_t>::create2dRow(2, 6).slice(2, count, nullptr, step));
}

TEST_P(Orders, AnyArrayArrivesInOrder) {
  const ty::Orders orders = object<ty::Orders>();
  for (const auto make : {by_row, by_column, strided}) {
    const sidl::array<int32_t> a = make();
    sidl::array<int32_t> o, io = make();
    ASSERT_TRUE(orders.rows(a, o, io));
    EXPECT_TRUE(o.isRowOrder());
    EXPECT_TRUE(io.isRowOrder());
    EXPECT_EQ(o(1, 2), 12);
    EXPECT_EQ(io(1, 2), 24);
    EXPECT_EQ(references(a), 1);
    EXPECT_EQ(references(o), 1);
    EXPECT_EQ(references(io), 1);
    EXPECT_EQ(a(1, 2), 12);
  }
}

TEST_P(Orders, WhatFitsIsNotCopied) {
  ONLY_IN_PROCESS();
  const ty::Orders orders = object<ty::Orders>();
  const auto a = filled(sidl::array<double>::create2dCol(2, 3));
  sidl::array<double> o, io = filled(sidl::array<double>::create2dCol(2, 3));
  const auto* const before = io._get_ior();
  ASSERT_TRUE(orders.columns(a, o, io));
  EXPECT_EQ(o._get_ior(), a._get_ior());
  EXPECT_EQ(references(a), 2);
  EXPECT_EQ(io._get_ior(), before);
  EXPECT_EQ(references(io), 1);
  EXPECT_EQ(io(1, 2), 13);
}

TEST_P(Orders, TheCallersArrayStaysAsItIs) {
  const ty::Orders orders = object<ty::Orders>();
  const auto a = filled(sidl::array<double>::create2dRow(2, 3));
  sidl::array<double> o, io = a;
  ASSERT_TRUE(orders.columns(a, o, io));
  EXPECT_EQ(references(a), 1);
  EXPECT_EQ(a(1, 2), 12);
  EXPECT_EQ(o(1, 2), 12);
  EXPECT_TRUE(o.isColumnOrder());
  EXPECT_EQ(io(1, 2), 13);
}

TEST_P(Orders, StringsAndEnums) {
  const ty::Orders orders = object<ty::Orders>();
  auto words = sidl::array<std::string>::create2dRow(2, 2);
  words(0, 1) = "upper";
  const sidl::array<std::string> same = orders.strings(words);
  EXPECT_EQ(same.get(0, 1), "upper");
  EXPECT_TRUE(same.isRowOrder());
  auto colors = sidl::array<ty::Color>::create2dRow(2, 2);
  for (ty::Color color : {ty::Color_red, ty::Color_green}) {
    for (int32_t i = 0; i < 4; ++i) colors(i / 2, i % 2) = i == 1 ? ty::Color_blue : ty::Color_red;
    sidl::array<ty::Color> o;
    ty::Color c = color;
    const sidl::array<ty::Color> result = orders.colors(colors, o, c);
    EXPECT_EQ(result.get(0, 1), ty::Color_blue);
    EXPECT_TRUE(result.isRowOrder());
    EXPECT_EQ(o.get(0, 1), ty::Color_blue);
    EXPECT_TRUE(o.isColumnOrder());
    EXPECT_EQ(c, color == ty::Color_red ? ty::Color_green : ty::Color_blue);
  }
}

/** What comes is kept otherwise than what is small. */
TEST_P(Orders, ManyStrings) {
  constexpr int32_t rows = 10000;
  auto words = sidl::array<std::string>::create2dRow(rows, 2);
  for (int32_t i = 0; i < rows; ++i) words(i, 1) = std::to_string(i);
  sidl::array<std::string> same = object<ty::Orders>().strings(words);
  same(2, 1) = "replaced";
  same(2, 0) = "new";
  EXPECT_EQ(same.get(2, 0) + same.get(2, 1), "newreplaced");
  EXPECT_EQ(same.get(rows - 1, 1), std::to_string(rows - 1));
  const sidl::array<std::string> kept = same;
  same = nullptr;
  EXPECT_EQ(kept.get(2, 1), "replaced");
}

TEST_P(Orders, NoArrayIsNoArray) {
  sidl::array<int32_t> o, io;
  EXPECT_FALSE(object<ty::Orders>().rows(nullptr, o, io));
  EXPECT_TRUE(o._is_nil() && io._is_nil());
  EXPECT_TRUE(object<ty::Orders>().strings(nullptr)._is_nil());
}

TEST_P(Orders, TheDimensionIsChecked) {
  const ty::Orders orders = object<ty::Orders>();
  const auto flat = sidl::array<int32_t>::create1d(6);
  const auto a = by_row();
  sidl::array<int32_t> o = by_row(), io = flat;
  const auto refused = [&](const sidl::array<int32_t>& in, const char* note) {
    try {
      orders.rows(in, o, io);
      ADD_FAILURE();
    } catch (const sidl::RuntimeException& ex) {
      EXPECT_EQ(ex.getNote(), note);
      EXPECT_TRUE(ex.isType("sidl.CastException"));
    }
  };
  refused(a, "io has 1 dimension, not 2");
  EXPECT_TRUE(o._is_nil());
  EXPECT_EQ(io._get_ior(), flat._get_ior());
  io = a;
  refused(flat, "a has 1 dimension, not 2");
  EXPECT_EQ(references(flat), 1);
  EXPECT_EQ(references(a), 2);
}

TEST_P(Orders, AResultOfAnotherDimensionIsAnException) {
  std::string o = "before";
  sidl::array<int32_t> a = by_row();
  try {
    object<ty::Orders>().wrong(o, a);
    ADD_FAILURE();
  } catch (const sidl::RuntimeException& ex) {
    EXPECT_EQ(ex.getNote(), "the result has 1 dimension, not 2");
  }
  EXPECT_EQ(o, "");
  EXPECT_TRUE(a._is_nil());
}

TEST_P(Orders, AFailureLosesNothing) {
  const auto a = by_column();
  sidl::array<int32_t> o = a, io = a;
  EXPECT_THROW(object<ty::Orders>().fail(a, o, io), sidl::BaseException);
  EXPECT_TRUE(o._is_nil());
  EXPECT_EQ(references(a), ty_test::server() ? 2 : 1) << "io is still `a`, or another array";
  EXPECT_EQ(io(0, 0), ty_test::server() ? 0 : -1);
  EXPECT_EQ(a(0, 0), 0);
}

TEST_P(Orders, FromC) {
  ONLY_IN_PROCESS();
  from_c(from_c_orders);
}

IN_BOTH_LANGUAGES(Orders);

}  // namespace
