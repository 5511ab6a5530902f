// Structs: the C struct with C++ manners.
#include <gtest/gtest.h>

#include "zoo_Odd.hxx"
#include "zoo_Tag.hxx"

namespace {

zoo::Tag sample() {
  zoo::Tag tag;
  tag.set_label("label");
  tag.set_on(true);
  tag.set_color(zoo::Color_green);
  tag.set_numbers(sidl::array<int32_t>::create1d(2));
  tag.get_numbers()[1] = 7;
  tag.at.x = 1.5;
  return tag;
}

TEST(Struct, HasMembersOfAnyName) {
  zoo::Odd odd;
  odd.set_value(true);
  odd.set_data("text");
  odd.set_serialize(sidl::array<double>::create1d(3));
  odd.set_toIOR({1, 2});
  odd.set_structure(zoo::Color_green);
  odd.set_data_t(sidl::array<int32_t>::create1d(2));
  const zoo::Odd copy = odd;
  EXPECT_TRUE(copy.get_value());
  EXPECT_EQ(copy.get_data(), "text");
  EXPECT_EQ(copy.get_serialize().length64(), 3);
  EXPECT_EQ(copy.get_toIOR(), sidl::dcomplex(1, 2));
  EXPECT_EQ(copy.get_structure(), zoo::Color_green);
  EXPECT_EQ(copy.get_data_t().length64(), 2);
}

TEST(Struct, BeginsAsZero) {
  const zoo::Tag tag;
  EXPECT_EQ(tag.label, nullptr);
  EXPECT_EQ(tag.get_label(), "");
  EXPECT_FALSE(tag.get_on());
  EXPECT_TRUE(tag.get_numbers()._is_nil());
  EXPECT_EQ(tag.at.x, 0.0);
}

TEST(Struct, CopiesDeeply) {
  const zoo::Tag a = sample();
  zoo::Tag b = a;
  b.set_label("other");
  b.get_numbers()[1] = 8;
  EXPECT_EQ(a.get_label(), "label");
  EXPECT_EQ(a.get_numbers().get(1), 7);
  EXPECT_EQ(b.get_color(), zoo::Color_green);
  b = a;
  EXPECT_EQ(b.get_numbers().get(1), 7);
  b = static_cast<const zoo::Tag&>(b);
  EXPECT_STREQ(b.label, "label");
}

TEST(Struct, Moves) {
  zoo::Tag a = sample();
  const char* const text = a.label;
  zoo::Tag b = std::move(a);
  EXPECT_EQ(b.label, text);
  EXPECT_EQ(a.label, nullptr);
  a = std::move(b);
  EXPECT_EQ(a.label, text);
}

TEST(Struct, MembersShareArrays) {
  zoo::Tag tag = sample();
  const sidl::array<int32_t> numbers = tag.get_numbers();
  EXPECT_EQ(numbers._get_baseior()->d_refcount, 2);
  tag._destroy();
  EXPECT_EQ(numbers._get_baseior()->d_refcount, 1);
  EXPECT_EQ(tag.toIOR()->label, nullptr);
}

}  // namespace
