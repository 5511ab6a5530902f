// Raw arrays: the caller's memory itself, or an array in its place.
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "support.hpp"
#include "ty_Item.hxx"
#include "ty_Raws.hxx"

namespace {

using ty_test::references;

class Raw : public ty_test::Both {
 protected:
  ty::Raws raws() const { return object<ty::Raws>(); }

  // What the exception says that the call throws, after the name of the method.
  template <class Call>
  static std::string refusal(const std::string& method, const Call& call) {
    const std::string note = refusal(call);
    const std::size_t at = note.find("." + method + ": ");
    EXPECT_TRUE(note.rfind("ty.", 0) == 0 && at != std::string::npos) << note;
    return at == std::string::npos ? note : note.substr(at + method.size() + 3);
  }

  template <class Call>
  static std::string refusal(const Call& call) {
    try {
      call();
    } catch (const sidl::RuntimeException& ex) {
      EXPECT_TRUE(ex.isType("sidl.CastException"));
      return ex.getNote();
    }
    return "no exception";
  }
};

TEST_P(Raw, MemoryGoesThere) {
  const double x[] = {1, 2, 3}, y[] = {10, 100, 1000};
  EXPECT_EQ(raws().dot(x, y, 3), 3210);
  EXPECT_EQ(raws().dot(x, y, 2), 210);
  EXPECT_EQ(raws().dot(nullptr, nullptr, 0), 0);
}

TEST_P(Raw, MemoryIsChangedInPlace) {
  int32_t a[] = {1, 2, 3, 4, 5, 6};
  raws().fill(a, 2, 3);
  EXPECT_EQ(std::vector<int32_t>(a, a + 6), (std::vector<int32_t>{10, 21, 29, 40, 48, 59}));
}

TEST_P(Raw, ExtentsAreExpressions) {
  std::complex<double> a[] = {1.0, {0, 1}, {2, 2}, 3.0, 4.0, 5.0};
  raws().scale(a, 2, 1, {0, 2});  // 2 by 3
  EXPECT_EQ(a[0], std::complex<double>(0, 2));
  EXPECT_EQ(a[1], std::complex<double>(-2, 0));
  EXPECT_EQ(a[5], std::complex<double>(0, 10));
  sidl_dcomplex as_in_c[6] = {{1, 0}, {0, 1}, {2, 2}, {3, 0}, {4, 0}, {5, 0}};
  raws().scale(as_in_c, 2, 1, {0, 2});
  EXPECT_EQ(as_in_c[1].real, -2);
  EXPECT_EQ(as_in_c[5].imaginary, 10);
  const float ones[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  int32_t count = -1;
  EXPECT_EQ(raws().add(ones, 3, count), 6);
  EXPECT_EQ(count, 6);
  const int32_t digits[] = {1, 2, 3};
  EXPECT_EQ(raws().three(digits), 123);
}

TEST_P(Raw, ExtentsAreChecked) {
  const double x[] = {1};
  std::complex<double> z[] = {1};
  int64_t l[] = {1};
  EXPECT_EQ(refusal("dot", [&] { raws().dot(x, x, -1); }),
            "x: invalid extent: -1 elements in dimension 1");
  EXPECT_EQ(refusal("dot", [&] { raws().dot(x, nullptr, 1); }),
            "y is null, but must have 1 elements");
  EXPECT_EQ(refusal("scale", [&] { raws().scale(z, std::numeric_limits<int64_t>::max(), 0, 1); }),
            "a: extent 2 cannot be computed");
  EXPECT_EQ(refusal("scale", [&] { raws().scale(z, int64_t{1} << 61, 0, 1); }),
            "a: invalid extent: 4611686018427387903 elements in dimension 2");
  EXPECT_EQ(refusal("halves", [&] { raws().halves(l, -4); }),
            "a: invalid extent: -2 elements in dimension 1");
}

TEST_P(Raw, ArraysInTheirPlace) {
  auto x = sidl::array<double>::create1d(4), y = sidl::array<double>::create1d(2);
  for (int32_t i = 0; i < 4; ++i) x[i] = i;
  y[0] = y[1] = 10;
  const int32_t half[] = {2}, step[] = {2};
  const auto even = x.slice(1, half, nullptr, step);
  EXPECT_EQ(raws().dot(even, y), 20);
  EXPECT_EQ(references(even), 1);
  EXPECT_EQ(references(y), 1);
  EXPECT_EQ(refusal("dot", [&] { raws().dot(x, y); }), "y has 2 elements in dimension 1, not 4");
  // from afar it is noticed before the method is known
  const std::string flat = refusal([&] { raws().dot(sidl::array<double>::create2dCol(2, 2), y); });
  EXPECT_NE(flat.find("x has 2 dimensions, not 1"), std::string::npos) << flat;
  EXPECT_EQ(raws().dot(nullptr, nullptr), 0);
}

TEST_P(Raw, ArraysAreChangedInPlaceOrReplaced) {
  auto a = sidl::array<int32_t>::create2dCol(2, 3);
  for (int32_t& element : a) element = 1;
  const auto* const before = a._get_ior();
  raws().fill(a);
  if (!ty_test::server()) {
    EXPECT_EQ(a._get_ior(), before);
  }
  EXPECT_EQ(references(a), 1);
  EXPECT_EQ(a(1, 2), 9);
  auto rows = sidl::array<int32_t>::create2dRow(2, 3);
  for (int32_t& element : rows) element = 1;
  const auto kept = rows;
  raws().fill(rows);
  EXPECT_EQ(rows(1, 2), 9);
  EXPECT_EQ(rows(0, 1), 9);
  EXPECT_TRUE(rows.isColumnOrder());
  EXPECT_EQ(kept(1, 2), 1);
  EXPECT_EQ(references(kept), 1);
  EXPECT_EQ(references(rows), 1);
}

TEST_P(Raw, IndexArgumentsFollowFromLengths) {
  auto a = sidl::array<std::complex<double>>::create2dCol(2, 3);
  for (auto& element : a) element = 1;
  raws().scale(a, {3, 0});
  EXPECT_EQ(a(1, 2), std::complex<double>(3, 0));
  a = sidl::array<std::complex<double>>::create2dCol(2, 2);
  EXPECT_EQ(refusal([&] { raws().scale(a, 1.0); }),
            "the lengths of the arrays are inconsistent: there is no value for m");
  auto cube = sidl::array<float>::create1d(0);
  int32_t count = 0;
  const int32_t lower[] = {5, 0, 1}, upper[] = {6, 1, 4};
  cube = sidl::array<float>::createRow(3, lower, upper);
  for (float& element : cube) element = 2;
  EXPECT_EQ(raws().add(cube, count), 32);
  EXPECT_EQ(count, 16);
  EXPECT_EQ(raws().halves(sidl::array<int64_t>::create1d(0), 1), 0);
  const int32_t digits[] = {3, 2, 1};
  EXPECT_EQ(raws().three(sidl::array<int32_t>::create1dInit(3, digits)), 321);
  EXPECT_EQ(refusal("three", [&] { raws().three(sidl::array<int32_t>::create1d(2)); }),
            "a has 2 elements in dimension 1, not 3");
}

TEST_P(Raw, AnOverloadOfTheUsersGoesFirst) {
  const std::complex<float> a[] = {1};
  EXPECT_EQ(raws().kind(a, 1), "raw");
  EXPECT_EQ(raws().kind(sidl::array<std::complex<float>>::create1d(1)), "array");
}

TEST_P(Raw, AfterAnException) {
  int32_t a[] = {5};
  std::string s = "before";
  EXPECT_THROW(raws().failRaw(a, 1, s), sidl::BaseException);
  const int32_t changed = ty_test::server() ? 5 : -1;
  EXPECT_EQ(a[0], changed);
  EXPECT_EQ(s, "");
  auto array = sidl::array<int32_t>::create1d(1);
  array[0] = 5;
  EXPECT_THROW(raws().failRaw(array, s), sidl::BaseException);
  EXPECT_EQ(array[0], changed);
  EXPECT_EQ(references(array), 1);
}

TEST_P(Raw, FromC) {
  ONLY_IN_PROCESS();
  from_c(from_c_raws);
}

IN_BOTH_LANGUAGES(Raw);

TEST(RawStatics, AreLikeOthers) {
  int32_t a[] = {3, 4};
  EXPECT_EQ(ty::Item::last(a, 2), 4);
  auto array = sidl::array<int32_t>::create1dInit(2, a);
  EXPECT_EQ(ty::Item::last(array), 4);
}

}  // namespace
