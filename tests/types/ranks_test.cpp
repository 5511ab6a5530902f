// A rank is part of Fortran's types: an array of another one is an exception, in one process as in
// two. (The tests of types had arrays of other dimensions only where an order is declared, too: the
// skel in C looked at those, and nobody at the others, whose elements Fortran then could not see.)
#include "sidl_CastException.hxx"
#include "support.hpp"
#include "ty_Objects.hxx"
#include "ty_Raws.hxx"

namespace {

using Ranks = ty_test::Both;
using ty_test::references;

template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const sidl::CastException& ex) {
    return ex.getNote();
  }
  return "nothing was thrown";
}

TEST_P(Ranks, OfNumbers) {
  const ty::Raws raws = object<ty::Raws>();
  auto flat = sidl::array<sidl::fcomplex>::create1d(4);
  auto square = sidl::array<sidl::fcomplex>::create2dCol(2, 2);
  EXPECT_EQ(refusal([&] { raws.kind(square); }), "a has 2 dimensions, not 1");
  EXPECT_EQ(references(square), 1);
  EXPECT_NO_THROW(raws.kind(flat));
}

TEST_P(Ranks, OfObjects) {
  const ty::Objects objects = object<ty::Objects>();
  auto square = sidl::array<ty::Numbered>::create2dCol(2, 2);
  EXPECT_EQ(refusal([&] { objects.total(square); }), "a has 2 dimensions, not 1");
  auto line = sidl::array<ty::Item>::create1d(1);
  sidl::array<ty::Item> o;
  sidl::array<ty::Numbered> io;
  EXPECT_EQ(refusal([&] { objects.through(line, o, io, nullptr); }), "a has 1 dimension, not 3");
  EXPECT_TRUE(o._is_nil());
  EXPECT_EQ(references(line), 1);
}

TEST_P(Ranks, OfInoutArrays) {
  const ty::Objects objects = object<ty::Objects>();
  sidl::array<ty::Item> o;
  sidl::array<ty::Numbered> io = sidl::array<ty::Numbered>::create2dRow(2, 2);
  const sidl::array<ty::Numbered> same = io;
  EXPECT_EQ(refusal([&] { objects.through(nullptr, o, io, nullptr); }),
            "io has 2 dimensions, not 1");
  EXPECT_EQ(io._get_ior(), same._get_ior());
  EXPECT_EQ(references(same), 2);
}

IN_BOTH_LANGUAGES(Ranks);

}  // namespace
