// Generic arrays and arrays of objects: types are checked, references balance.
#include "support.hpp"
#include "ty_Generics.hxx"
#include "ty_Item.hxx"
#include "ty_Objects.hxx"

namespace {

using ty_test::references;

class Arrays : public ty_test::Both {
 protected:
  void TearDown() override { EXPECT_TRUE(ty_test::all_given_back<ty::Item>()); }

  static ty::Item item(int32_t number) {
    // this process runs no server: what a server is to call lives there
    ty::Item made = ty_test::server() ? ty::Item::_create(ty_test::server()) : ty::Item::_create();
    made.setNumber(number);
    return made;
  }
};

TEST_P(Arrays, AnyElementTypeAndDimension) {
  const ty::Generics generics = object<ty::Generics>();
  const auto kind = [&](const sidl::basearray& a) {
    sidl::basearray o, io;
    const int32_t result = generics.anyKind(a, o, io);
    if (!ty_test::server()) {
      EXPECT_EQ(o._get_ior(), a._get_ior());
    }
    EXPECT_EQ(o.arrayType(), a.arrayType());
    EXPECT_EQ(o.dimen(), a.dimen());
    const sidl::array<int64_t> longs(io);
    EXPECT_TRUE(longs && longs.length() == 3 && longs[2] == 3);
    EXPECT_TRUE(sidl::array<int32_t>(io)._is_nil()) << "they are no ints";
    return result;
  };
  EXPECT_EQ(kind(sidl::array<bool>::create1d(1)), 101);
  EXPECT_EQ(kind(sidl::array<double>::create2dRow(2, 2)), 204);
  EXPECT_EQ(kind(sidl::array<std::string>::create1d(0)), 110);
  EXPECT_EQ(kind(sidl::array<ty::Item>::create1d(2)), 111);
  const int32_t bounds[] = {1, 1, 1, 1, 1, 1, 1};
  EXPECT_EQ(kind(sidl::array<sidl::dcomplex>::createCol(7, bounds, bounds)), 703);
  EXPECT_EQ(kind(sidl::basearray()), 0);
}

TEST_P(Arrays, GenericArraysKeepTheirType) {
  const ty::Generics generics = object<ty::Generics>();
  auto numbers = sidl::array<double>::create1d(2);
  numbers[0] = 1;
  numbers[1] = 2.5;
  EXPECT_EQ(generics.sum(numbers), 3.5);
  EXPECT_EQ(generics.sum(sidl::array<float>::create1d(1)), -1);
  EXPECT_EQ(generics.sum(sidl::array<double>::create2dCol(1, 1)), -1);
  EXPECT_EQ(generics.sum(sidl::basearray()), -1);
  const sidl::array<double> same = generics.same(numbers);
  EXPECT_EQ(same.get(1), 2.5);
  if (!ty_test::server()) {
    EXPECT_EQ(same._get_ior(), numbers._get_ior());
  }
  EXPECT_EQ(references(numbers), ty_test::server() ? 1 : 2);
  auto items = sidl::array<ty::Item>::create1d(1);
  items[0] = item(3);
  const sidl::array<ty::Numbered> numbered = generics.same(items);
  EXPECT_EQ(numbered.get(0).number(), 3) << "each object is seen as what the array says";
}

TEST_P(Arrays, ObjectsGoThere) {
  const ty::Objects objects = object<ty::Objects>();
  auto a = sidl::array<ty::Numbered>::create1d(3);
  a[0] = item(1);
  a[2] = item(40);
  EXPECT_EQ(objects.total(a), 41);
  EXPECT_EQ(objects.total(sidl::array<ty::Numbered>::create1d(0)), 0);
  EXPECT_EQ(objects.total(nullptr), 0);
}

TEST_P(Arrays, ObjectsComeBack) {
  sidl::array<ty::Numbered> square;
  const sidl::array<ty::Item> items = object<ty::Objects>().items(3, square);
  EXPECT_EQ(ty::Item::alive(), ty_test::server() ? 0 : 3);
  EXPECT_EQ(items.get(2).number(), 2);
  EXPECT_EQ(square.get(1, 2).number(), 1);
  EXPECT_TRUE(square.get(1, 2).isSame(items[1]));
}

TEST_P(Arrays, InEveryMode) {
  const ty::Objects objects = object<ty::Objects>();
  const int32_t lower[] = {0, 1, 2}, upper[] = {1, 2, 3};
  auto a = sidl::array<ty::Item>::createRow(3, lower, upper);
  a(1, 2, 3) = item(7);
  sidl::array<ty::Item> o;
  auto io = sidl::array<ty::Numbered>::create1d(1);
  io[0] = item(5);
  {
    const sidl::array<ty::Item> result = objects.through(a, o, io, item(8));
    EXPECT_TRUE(result.get(1, 2, 3).isSame(a(1, 2, 3))) << "what came home is the object itself";
    if (!ty_test::server()) {
      EXPECT_EQ(references(a), 3);
    }
  }
  EXPECT_EQ(o.get(1, 2, 3).number(), 7);
  EXPECT_EQ(o.get(0, 1, 2)._is_nil(), true);
  ASSERT_EQ(io.length(), 2);
  EXPECT_EQ(io.get(0).number(), 5);
  EXPECT_EQ(io.get(1).number(), 9);
  EXPECT_EQ(ty::Item::alive(), ty_test::server() ? 0 : 3);
}

TEST_P(Arrays, OfObjectsHaveOrdersToo) {
  auto a = sidl::array<ty::Numbered>::create2dCol(2, 2);
  a(0, 1) = item(4);
  sidl::array<ty::Numbered> o;
  EXPECT_TRUE(object<ty::Objects>().inRows(a, o));
  EXPECT_TRUE(o.isColumnOrder());
  EXPECT_EQ(o.get(0, 1).number(), 4);
}

TEST_P(Arrays, FromC) {
  ONLY_IN_PROCESS();
  from_c(from_c_objects);
}

IN_BOTH_LANGUAGES(Arrays);

}  // namespace
