// What a method makes has the dimensions that it declares, or is an exception, whatever its order.
#include <string>

#include "sidl_CastException.hxx"
#include "support.hpp"
#include "ty_InC.h"
#include "ty_InCxx.hxx"

namespace {

using Shapes = std::string (*)(int32_t made, int32_t other);

// "", or what was refused.
std::string in_c(int32_t made, int32_t other) {
  sidl::exception_slot ex;
  sidl_int__array* o = nullptr;
  const auto result = sidl::array<int32_t>(ty_InC_shapes(made, other, &o, ex.ptr()));
  const auto out = sidl::array<int32_t>(o);
  try {
    ex.check<>();
  } catch (const sidl::CastException& refused) {
    EXPECT_TRUE(result._is_nil() && out._is_nil());
    return refused.getNote();
  }
  EXPECT_EQ(result.dimen(), 2);
  EXPECT_EQ(out.dimen(), 2);
  return "";
}

std::string in_cxx(int32_t made, int32_t other) {
  sidl::array<int32_t> o;
  try {
    EXPECT_EQ(ty::InCxx::shapes(made, other, o).dimen(), 2);
  } catch (const sidl::CastException& refused) {
    EXPECT_TRUE(o._is_nil());
    return refused.getNote();
  }
  EXPECT_EQ(o.dimen(), 2);
  return "";
}

class MadeRanks : public testing::TestWithParam<Shapes> {};

TEST_P(MadeRanks, AreThoseDeclared) {
  EXPECT_EQ(GetParam()(2, 2), "");
  EXPECT_EQ(GetParam()(1, 2), "the result has 1 dimension, not 2");
  EXPECT_EQ(GetParam()(2, 3), "o has 3 dimensions, not 2");
  EXPECT_EQ(GetParam()(3, 1), "the result has 3 dimensions, not 2");
}

INSTANTIATE_TEST_SUITE_P(, MadeRanks, testing::Values(in_c, in_cxx));

}  // namespace
