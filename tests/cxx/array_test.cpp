// sidl::array<T>: elements, bounds, sharing and counting.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "sidl_array.hxx"
#include "zoo_Color.hxx"
#include "zoo_Node.hxx"

namespace {

TEST(Array, IteratorsOverOneElementInMemory) {
  double number = 7;
  const int64_t lower = 0, four = 4, stride = 0;
  const auto single = sidl::array<double>::borrowed(&number, 1, &lower, &lower, &stride);
  double sum = 0;
  for (const double each : single) sum += each;
  EXPECT_EQ(sum, 7);
  const auto repeated = sidl::array<double>::borrowed(&number, 1, &lower, &four, &stride);
  EXPECT_EQ(repeated.get(4), 7);
  EXPECT_THROW(repeated.begin(), std::logic_error);
}

using sidl::array;

TEST(Array, IsNilFirst) {
  const array<double> nil;
  EXPECT_TRUE(nil._is_nil());
  EXPECT_FALSE(nil);
  EXPECT_EQ(nil.dimen(), 0);
  EXPECT_EQ(nil.lower(0), 0);
  EXPECT_EQ(nil.upper(0), -1);
  EXPECT_EQ(nil.size(), 0U);
  EXPECT_THROW(nil.get(0), std::out_of_range);
  EXPECT_EQ(nil.first(), nullptr);
  EXPECT_TRUE(nil.begin() == nil.end());
}

TEST(Array, IsMadeOfItsElements) {
  const auto numbers = array<int64_t>::of({1, 4});
  EXPECT_EQ(numbers.lower(0), 0);
  EXPECT_EQ(std::vector<int64_t>(numbers.begin(), numbers.end()), (std::vector<int64_t>{1, 4}));
  const auto words = array<std::string>::of({"so", "it is"});
  EXPECT_EQ(words.get(1), "it is");
  EXPECT_EQ(array<double>::of({}).length(0), 0);
}

TEST(Array, ChecksIndices) {
  array<int32_t> a = array<int32_t>::create1d(3);
  a.set(0, 10);
  a.set(1, 11);
  a.set(2, 12);
  EXPECT_EQ(a.get(0), 10);
  EXPECT_EQ(a.get(2), 12);
  const int32_t index[] = {1};
  EXPECT_EQ(a.get(index), 11);
}

// What C gives for an index that is none, a zero, was once expected here, too.
TEST(Array, ThrowsForIndicesThatAreNone) {
  const int32_t lower[] = {-1, 2};
  const int32_t upper[] = {1, 3};
  array<int32_t> a = array<int32_t>::createCol(2, lower, upper);
  const auto refusal = [](auto action) {
    try {
      action();
    } catch (const std::out_of_range& thrown) {
      return std::string(thrown.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(refusal([&] { a.get(5, 2); }),
            "sidl::array: index 5 of dimension 0 is not within -1 to 1");
  EXPECT_EQ(refusal([&] { a.set(-1, 4, 7); }),
            "sidl::array: index 4 of dimension 1 is not within 2 to 3");
  EXPECT_EQ(refusal([&] { a.get(std::int64_t{1} << 32, 2); }),
            "sidl::array: index 4294967296 of dimension 0 is not within -1 to 1");
  EXPECT_EQ(refusal([&] { a.get(0); }), "sidl::array: 1 indices for an array of 2 dimensions");
  EXPECT_EQ(refusal([&] { a.set(0, 2, 1, 7); }),
            "sidl::array: 3 indices for an array of 2 dimensions");
  const int32_t outside[] = {0, 1};
  EXPECT_EQ(refusal([&] { a.get(outside); }),
            "sidl::array: index 1 of dimension 1 is not within 2 to 3");
  EXPECT_EQ(refusal([&] { a.set(outside, 7); }),
            "sidl::array: index 1 of dimension 1 is not within 2 to 3");
  EXPECT_EQ(refusal([] { array<double>().set(0, 1.0); }), "sidl::array: an element of a nil array");
  array<std::string> words = array<std::string>::create1d(0);
  EXPECT_EQ(refusal([&] { words.get(0); }),
            "sidl::array: index 0 of dimension 0 is not within 0 to -1");
}

TEST(Array, GivesReferences) {
  array<double> a = array<double>::create2dRow(2, 3);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) a(i, j) = 10.0 * i + j;
  }
  a(1, 2) += 0.5;
  EXPECT_EQ(a.get(1, 2), 12.5);
  EXPECT_EQ(a.get(0, 1), 1.0);
  EXPECT_TRUE(a.isRowOrder());
  EXPECT_EQ(a.stride(0), 3);
  EXPECT_EQ(a.length(1), 3);
  EXPECT_EQ(a.first()[5], 12.5);
  EXPECT_EQ(std::accumulate(a.begin(), a.end(), 0.0), 36.5);
}

TEST(Array, HasAnyBounds) {
  const int32_t lower[] = {-1, 5, 0};
  const int32_t upper[] = {1, 6, 2};
  array<int64_t> a = array<int64_t>::createCol(3, lower, upper);
  EXPECT_EQ(a.dimen(), 3);
  EXPECT_EQ(a.lower(1), 5);
  EXPECT_EQ(a.upper(1), 6);
  EXPECT_TRUE(a.isColumnOrder());
  a(-1, 5, 0) = 1;
  a.set(1, 6, 2, int64_t{2});
  EXPECT_EQ(a.get(-1, 5, 0), 1);
  EXPECT_EQ(a(1, 6, 2), 2);
  EXPECT_EQ(a.size(), 18U);
}

TEST(Array, SharesWhenCopied) {
  array<float> a = array<float>::create1d(2);
  array<float> b = a;
  b[0] = 4.0F;
  EXPECT_EQ(a[0], 4.0F);
  EXPECT_EQ(a._get_baseior()->d_refcount, 2);
  array<float> c = std::move(b);
  EXPECT_TRUE(b._is_nil());
  EXPECT_EQ(a._get_baseior()->d_refcount, 2);
  b = c;
  EXPECT_EQ(a._get_baseior()->d_refcount, 3);
  c = array<float>();
  b.deleteRef();
  EXPECT_EQ(a._get_baseior()->d_refcount, 1);
  a = static_cast<const array<float>&>(a);
  EXPECT_EQ(a._get_baseior()->d_refcount, 1);
}

TEST(Array, BorrowsAndKeeps) {
  double data[] = {1, 2, 3, 4};
  const int32_t lower[] = {0};
  const int32_t upper[] = {1};
  const int32_t stride[] = {2};
  array<double> a = array<double>::borrowed(data, 1, lower, upper, stride);
  EXPECT_EQ(a.get(1), 3.0);
  EXPECT_FALSE(a.is1dPacked());
  a[1] = 30.0;
  EXPECT_EQ(data[2], 30.0);
  a.smartCopy();
  a[1] = 31.0;
  EXPECT_EQ(data[2], 30.0);
  EXPECT_EQ(a.get(0), 1.0);
}

TEST(Array, SlicesAndEnsures) {
  array<int32_t> a = array<int32_t>::create2dRow(3, 4);
  std::iota(a.begin(), a.end(), 0);
  const int32_t counts[] = {0, 4};
  const int32_t start[] = {1, 0};
  const array<int32_t> row = a.slice(1, counts, start);
  ASSERT_EQ(row.dimen(), 1);
  EXPECT_EQ(row.get(2), 6);
  const int32_t too_many[] = {0, 9};
  EXPECT_TRUE(a.slice(1, too_many)._is_nil());
  const int64_t three[] = {3, 0}, last = SIDL_MAX_ARRAY_INDEX - 2, beyond = last + 1;
  EXPECT_EQ(a.slice(1, three, nullptr, nullptr, &last).upper64(0), SIDL_MAX_ARRAY_INDEX);
  EXPECT_TRUE(a.slice(1, three, nullptr, nullptr, &beyond)._is_nil());
  array<int32_t> b = a;
  b.ensure(2, sidl::row_major_order);
  EXPECT_EQ(b._get_ior(), a._get_ior());
  b.ensure(2, sidl::column_major_order);
  EXPECT_TRUE(b.isColumnOrder());
  EXPECT_EQ(b.get(2, 3), 11);
  b.ensure(1, sidl::general_order);
  EXPECT_TRUE(b._is_nil());
}

TEST(Array, IteratesWithStrides) {
  array<int32_t> a = array<int32_t>::create2dRow(3, 2);
  std::iota(a.begin(), a.end(), 0);
  const int32_t counts[] = {3, 0};
  const array<int32_t> column = a.slice(1, counts);
  EXPECT_EQ(std::vector<int32_t>(column.begin(), column.end()), (std::vector<int32_t>{0, 2, 4}));
  EXPECT_EQ(column.end() - column.begin(), 3);
  std::sort(column.begin(), column.end(), [](int x, int y) { return x > y; });
  EXPECT_EQ(a.get(0, 0), 4);
  const int32_t block[] = {2, 1};
  const array<int32_t> loose = a.slice(2, block);
  EXPECT_THROW(loose.begin(), std::logic_error);
}

TEST(Array, ConvertsElements) {
  const bool bools[] = {true, false};
  array<bool> b = array<bool>::create1d(2, bools);
  b[1] = b[0];
  EXPECT_TRUE(b.get(1));
  EXPECT_EQ(*b.first(), 1);

  array<zoo::Color> colors = array<zoo::Color>::create1d(2);
  colors[0] = zoo::Color_blue;
  colors.set(1, zoo::Color_green);
  EXPECT_EQ(colors.get(0), zoo::Color_blue);
  EXPECT_EQ(colors[1], zoo::Color_green);
  EXPECT_EQ(colors.arrayType(), sidl_long_array);

  array<sidl::dcomplex> z = array<sidl::dcomplex>::create1d(1);
  z[0] = {1.0, 2.0};
  z[0] *= 2.0;
  EXPECT_EQ(z.get(0), sidl::dcomplex(2.0, 4.0));
  z.set(0, sidl::dcomplex(3.0, 1.0));
  EXPECT_EQ(z.first()->real(), 3.0);

  array<char> c = array<char>::create1d(1);
  c[0] = 'x';
  EXPECT_EQ(c.get(0), 'x');
  int target = 0;
  array<void*> p = array<void*>::create1d(1);
  p[0] = &target;
  EXPECT_EQ(p.get(0), &target);
}

TEST(Array, RefusesWhatIsOfNoEnum) {
  array<int64_t> longs = array<int64_t>::create1d(2);
  longs[0] = int64_t{1} << 40;
  longs[1] = zoo::Color_blue;
  const array<zoo::Color> colors(longs._get_ior(), true);
  EXPECT_THROW(colors.get(0), std::out_of_range);
  EXPECT_EQ(colors.get(1), zoo::Color_blue);
}

TEST(Array, OwnsStrings) {
  const std::string words[] = {"one", "two"};
  array<std::string> a = array<std::string>::create1dInit(2, words);
  a[0] = a[1];
  a.set(1, "three");
  a.set(1, std::string("four"));
  EXPECT_EQ(a.get(0), "two");
  EXPECT_EQ(static_cast<std::string>(a[1]), "four");
  EXPECT_THROW(a.get(5), std::out_of_range);
  std::string all;
  for (const std::string word : a) all += word;
  EXPECT_EQ(all, "twofour");
}

TEST(Array, StringsAreComparedAndAskedInTheirPlace) {
  const std::string words[] = {"one", "two", ""};
  const array<std::string> a = array<std::string>::create1dInit(3, words);
  EXPECT_TRUE("one" == a[0] && a[0] == "one" && a[0] == words[0] && words[0] == a[0]);
  EXPECT_TRUE(a[0] != a[1] && a[0] == a[0] && a[0] != "two" && "two" != a[0]);
  EXPECT_TRUE(a[2].empty() && a[1].size() == 3 && std::strcmp(a[1].c_str(), "two") == 0);
  std::ostringstream text;
  text << a[0] << "," << a[1];
  EXPECT_EQ(text.str(), "one,two");
}

TEST(Array, HoldsObjects) {
  zoo::Node node = zoo::Node::_create();
  node.setName("held");
  array<zoo::Node> a = array<zoo::Node>::create1d(2);
  a[0] = node;
  a.set(1, node);
  node = zoo::Node();
  EXPECT_EQ(a.get(0).getName(), "held");
  EXPECT_EQ(static_cast<zoo::Node>(a[1]).getName(), "held");
  a[1] = zoo::Node();
  EXPECT_TRUE(a.get(1)._is_nil());
  EXPECT_TRUE(a[0]._not_nil() && a[1]._is_nil());
  a[0].setName("named in its place");
  EXPECT_EQ(a[0].getName(), "named in its place");
  const zoo::Node first = a[0];
  a[1] = a[0];
  EXPECT_TRUE(first.isSame(a[1]));
  a[0] = array<zoo::Node>::create1d(1)[0];
  EXPECT_TRUE(a[0]._is_nil() && a[1]._not_nil());
}

TEST(Array, KnowsItsElementType) {
  const sidl::basearray any = array<double>::create1d(1);
  EXPECT_EQ(any.arrayType(), sidl_double_array);
  EXPECT_TRUE(array<double>(any)._not_nil());
  EXPECT_TRUE(array<int32_t>(any)._is_nil());
}

template <class Create>
std::string why_not(Create create) {
  try {
    create();
  } catch (const std::length_error& ex) {
    return ex.what();
  }
  return "";
}

TEST(Array, RefusesWhatCannotBe) {
  const int64_t most = SIDL_MAX_ARRAY_INDEX;
  const int64_t lower[] = {0, most};
  const int64_t upper[] = {-1, most + 1};
  const int64_t stride[] = {1, 1};
  double one = 0;
  EXPECT_EQ(why_not([] { array<double>::create1d(-3); }),
            "sidl::array: dimension 0 cannot be from 0 to -4");
  EXPECT_EQ(why_not([] { array<std::string>::create2dRow(2, INT64_MIN); }),
            "sidl::array: dimension 1 cannot be from 0 to " + std::to_string(INT64_MIN));
  const std::string second = "sidl::array: dimension 1 cannot be from " + std::to_string(most) +
                             " to " + std::to_string(most + 1);
  EXPECT_EQ(why_not([&] { array<double>::createCol(2, lower, upper); }), second);
  EXPECT_EQ(why_not([&] { array<double>::borrowed(&one, 2, lower, upper, stride); }), second);
  const int64_t lowest = -most, below = -most - 1;
  const std::string outside = "sidl::array: dimension 0 cannot be from " + std::to_string(lowest);
  EXPECT_EQ(why_not([&] { array<double>::createCol(1, &lowest, &below); }),
            outside + " to " + std::to_string(below));
  EXPECT_EQ(why_not([&] { array<std::string>::createRow(1, &lowest, &most); }),
            outside + " to " + std::to_string(most));
  EXPECT_EQ(why_not([&] { array<double>::createRow(8, lower, upper); }),
            "sidl::array: an array has 1 to 7 dimensions, not 8");
  EXPECT_THROW(array<double>::create1d(most), std::bad_alloc);
  const int64_t none[] = {0, 0}, ends[] = {0, 3}, far[] = {7, -INT64_MAX};
  EXPECT_EQ(why_not([&] { array<double>::borrowed(&one, 2, none, ends, far); }),
            "sidl::array: with a stride of -9223372036854775807, dimension 1 from 0 to 3 reaches "
            "beyond all memory");
}

#if __cplusplus >= 202002L
TEST(Array, IsASpan) {
  array<double> a = array<double>::create2dCol(2, 2);
  for (double& x : a.span()) x = 1.5;
  EXPECT_EQ(a.get(1, 1), 1.5);
  EXPECT_EQ(a.span().size(), 4U);
}
#endif

}  // namespace
