// Structs with members of every type: each owner frees what it owns, once.
#include "support.hpp"
#include "ty_Full.hxx"
#include "ty_Inner.hxx"
#include "ty_Item.hxx"
#include "ty_Mesh.hxx"
#include "ty_Pair.hxx"
#include "ty_Structs.hxx"

namespace {

using ty_test::references;

class Structs : public ty_test::Both {
 protected:
  void TearDown() override { EXPECT_TRUE(ty_test::all_given_back<ty::Item>()); }
};

// A struct within another is a C struct: to assign it would be to free what it owns twice.
static_assert(!std::is_copy_assignable<decltype(ty::Full::inner)>::value, "set_inner copies");
static_assert(!std::is_copy_assignable<decltype(ty::Pair::first)>::value, "set_first copies");
static_assert(std::is_copy_assignable<ty::Full>::value, "a C++ struct is copied deeply");
static_assert(std::is_trivially_copyable<decltype(ty::Full::inner)>::value, "passed as in C");

char memory[2];

ty::Item item(int32_t number) {
  ty::Item made = ty::Item::_create();
  made.setNumber(number);
  return made;
}

ty::Full full() {
  ty::Full result;
  result.flag = 1;
  result.set_z({1, 2});
  result.handle = memory;
  result.set_text("text");
  result.set_color(ty::Color_red);
  result.set_item(item(1));
  result.set_numbered(item(2));
  result.set_matrix(sidl::array<double>::create2dCol(2, 2));
  *result.get_matrix().first() = 5;
  auto words = sidl::array<std::string>::create1d(1);
  words[0] = "word";
  result.set_words(words);
  result.set_colors(sidl::array<ty::Color>::create1d(2));
  auto items = sidl::array<ty::Item>::create1d(2);
  items[1] = item(3);
  result.set_items(items);
  auto grid = sidl::array<ty::Numbered>::create2dRow(1, 2);
  grid(0, 1) = item(4);
  result.set_grid(grid);
  result.set_any(items);
  ty::Inner inner;
  inner.set_item(item(5));
  result.set_inner(inner);
  return result;
}

void expect_original(const ty::Full& s) {
  EXPECT_TRUE(s.flag);
  EXPECT_EQ(s.z.real, 1);
  EXPECT_EQ(s.get_z(), sidl::dcomplex(1, 2));
  EXPECT_EQ(s.handle, memory);
  EXPECT_EQ(s.get_text(), "text");
  EXPECT_EQ(s.get_color(), ty::Color_red);
  EXPECT_EQ(s.get_item().number(), 1);
  EXPECT_EQ(s.get_numbered().number(), 2);
  EXPECT_EQ(*s.get_matrix().first(), 5);
  EXPECT_EQ(s.get_words().get(0), "word");
  EXPECT_EQ(s.get_colors().length(), 2);
  EXPECT_EQ(s.get_items().get(1).number(), 3);
  EXPECT_EQ(s.get_grid().get(0, 1).number(), 4);
  EXPECT_EQ(sidl::array<ty::Item>(s.get_any()).get(1).number(), 3);
  EXPECT_TRUE(s.get_handles()._is_nil());
  EXPECT_EQ(s.inner.name, nullptr);
  EXPECT_EQ(s.get_inner().get_item().number(), 5);
}

void expect_changed(const ty::Full& s) {
  EXPECT_FALSE(s.flag);
  EXPECT_EQ(s.z.real, 2);
  EXPECT_EQ(s.handle, memory + 1);
  EXPECT_EQ(s.get_text(), "text+");
  EXPECT_EQ(s.get_color(), ty::Color_green);
  EXPECT_EQ(s.get_item().number(), 100);
  EXPECT_TRUE(s.get_numbered().isSame(s.get_item()));
  EXPECT_EQ(*s.get_matrix().first(), 6);
  EXPECT_EQ(s.get_words().get(0), "text+");
  EXPECT_EQ(s.get_colors().get(0), ty::Color_blue);
  EXPECT_EQ(s.get_items().get(0).number(), 100);
  EXPECT_EQ(s.get_grid().get(0, 0).number(), 100);
  EXPECT_EQ(s.get_any().length(), 7);
  EXPECT_EQ(s.get_handles().get(0), memory + 1);
  EXPECT_EQ(s.get_inner().get_name(), "inner");
  EXPECT_EQ(s.get_inner().get_item().number(), 200);
}

TEST_P(Structs, EveryMemberInEveryMode) {
  ONLY_IN_PROCESS();
  const ty::Structs structs = object<ty::Structs>();
  const ty::Full a = full();
  ty::Full o, io = full();
  const ty::Full result = structs.every(a, o, io);
  expect_original(a);
  expect_original(o);
  expect_original(result);
  expect_changed(io);
  EXPECT_NE(o.matrix, a.matrix) << "arrays are copied";
  EXPECT_EQ(o.item, a.item) << "objects are shared";
  EXPECT_EQ(references(a.get_matrix()), 2) << "the struct's and that of get_matrix";
}

TEST_P(Structs, EmptyOnes) {
  ONLY_IN_PROCESS();
  ty::Full o, io;
  const ty::Full result = object<ty::Structs>().every(ty::Full(), o, io);
  EXPECT_TRUE(!result.item && !result.any && !result.text);
  EXPECT_EQ(io.get_text(), "(null)+");
}

TEST_P(Structs, AfterAnException) {
  ONLY_IN_PROCESS();
  const ty::Full a = full();
  ty::Full o = full(), io = full();
  EXPECT_THROW(object<ty::Structs>().failStruct(a, o, io), sidl::BaseException);
  EXPECT_TRUE(!o.item && !o.text) << "out is zero";
  EXPECT_EQ(io.get_text(), "changed");
}

TEST_P(Structs, MemoryOfTheCallers) {
  double edges[] = {1, 2, 3}, others[] = {10, 20};
  int32_t cells[12] = {}, other_cells[8] = {};
  ty::Mesh a, other;
  a.n = 3;
  a.edges = edges;
  a.cells = cells;
  a.set_label("label");
  other.n = 2;
  other.edges = others;
  other.cells = other_cells;
  ty::Pair io;
  io.set_second(other);
  EXPECT_EQ(io.second.edges, others) << "a copy shares the memory";
  EXPECT_EQ(object<ty::Structs>().mesh(a, io), 6);
  EXPECT_EQ(others[1], 26);
  EXPECT_EQ(other_cells[7], -1);
  EXPECT_EQ(io.second.edges, others);
  EXPECT_EQ(io.get_second().get_label(), "label");
}

TEST_P(Structs, MemoryDoesNotGrow) {
  if (!ty_test::server()) GTEST_SKIP() << "in one process nobody looks";
  double edges[] = {1, 2};
  int32_t cells[8] = {};
  ty::Mesh io;
  io.n = 2;
  io.edges = edges;
  io.cells = cells;
  for (const int32_t n : {1, 3, 1 << 30, -7}) {
    EXPECT_THROW(object<ty::Structs>().grow(io, n), sidl::RuntimeException);
    EXPECT_EQ(io.n, 2);
    EXPECT_EQ(io.edges, edges);
  }
}

TEST_P(Structs, MemoryIsTheCallersOnly) {
  const bool makes_some = std::string(GetParam()) == "ty.InFortran";
  if (!ty_test::server() && !makes_some) GTEST_SKIP() << "in one process nobody looks";
  ty::Mesh io;
  io.n = 1;
  try {
    object<ty::Structs>().grow(io, 1);
    ADD_FAILURE() << "the memory of a method that has returned, or none";
  } catch (const sidl::RuntimeException& e) {
    EXPECT_NE(e.getNote().find("edges"), std::string::npos) << e.getNote();
  }
  EXPECT_EQ(io.edges, nullptr);
}

TEST_P(Structs, PointersDoNotTravel) {
  if (!ty_test::server()) GTEST_SKIP() << "there is one process";
  ty::Full o, io;
  EXPECT_THROW(object<ty::Structs>().every(full(), o, io), sidl::RuntimeException);
}

TEST_P(Structs, FromC) {
  ONLY_IN_PROCESS();
  from_c(from_c_structs);
}

IN_BOTH_LANGUAGES(Structs);

TEST(StructMembers, ArraysGetTheirOrder) {
  ty::Full s;
  s.set_matrix(sidl::array<double>::create2dCol(2, 3));
  EXPECT_TRUE(s.get_matrix().isRowOrder());
  const auto rows = sidl::array<double>::create2dRow(2, 3);
  s.set_matrix(rows);
  EXPECT_EQ(s.matrix, rows._get_ior());
  EXPECT_THROW(s.set_matrix(sidl::array<double>::create1d(2)), sidl::RuntimeException);
  EXPECT_EQ(s.matrix, rows._get_ior());
}

TEST(StructMembers, StructsWithinAreChangedInPlace) {
  ty::Full full;
  full.get_inner().set_name("changed");
  const ty::Full& seen = full;
  EXPECT_EQ(seen.get_inner().get_name(), "changed");
  EXPECT_EQ(&seen.get_inner(), &full.get_inner());
  ty::Inner copy = full.get_inner();
  copy.set_name("a copy");
  EXPECT_EQ(full.get_inner().get_name(), "changed");
  EXPECT_EQ(ty::Full(full).get_inner().get_name(), "changed");
}

TEST(StructMembers, SetAndGetBalance) {
  ty::Full s;
  s.set_item(item(1));
  s.set_item(item(2));
  EXPECT_EQ(ty::Item::alive(), 1);
  s.set_item(ty::Item());
  EXPECT_EQ(ty::Item::alive(), 0);
  s = full();
  ty::Full copy(s), moved(std::move(s));
  EXPECT_EQ(s.item, nullptr);
  copy = moved;
  copy._destroy();
  EXPECT_EQ(copy.items, nullptr);
  expect_original(moved);
  moved = ty::Full();
  EXPECT_EQ(ty::Item::alive(), 0);
}

}  // namespace
