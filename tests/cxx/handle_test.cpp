// Handles: counting, casting, nil, and objects that C++ code wraps itself.
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "sidl_ClassInfo.hxx"
#include "sidl_rmi_ObjectDoesNotExistException.hxx"
#include "zoo.hxx"
#include "zoo_Node_Impl.hxx"

namespace {

template <class Handle>
int count(const Handle& handle) {
  return static_cast<const sidl_object*>(handle._get_self())->d_refcount;
}

TEST(Handle, IsNilFirst) {
  const zoo::Node nil;
  EXPECT_TRUE(nil._is_nil());
  EXPECT_TRUE(!nil);
  EXPECT_EQ(nil._get_ior(), nullptr);
  EXPECT_THROW(nil.count(), sidl::NullIORException);
  EXPECT_THROW(nil._isRemote(), sidl::NullIORException);
  EXPECT_TRUE(babel_cast<zoo::Named>(nil)._is_nil());
}

TEST(Handle, Counts) {
  zoo::Node a = zoo::Node::_create();
  EXPECT_EQ(count(a), 1);
  zoo::Node b = a;
  EXPECT_EQ(count(a), 2);
  zoo::Node c = std::move(b);
  EXPECT_TRUE(b._is_nil());
  EXPECT_EQ(count(a), 2);
  b = c;
  EXPECT_EQ(count(a), 3);
  b = static_cast<const zoo::Node&>(b);
  c = zoo::Node();
  EXPECT_EQ(count(a), 2);
  {
    const zoo::Named named = a;
    const sidl::BaseInterface base = named;
    EXPECT_EQ(count(a), 4);
    EXPECT_TRUE(base.isSame(a));
  }
  EXPECT_EQ(count(a), 2);
}

TEST(Handle, WeakOnesDoNotCount) {
  const zoo::Node a = zoo::Node::_create();
  {
    zoo::Node weak(a._get_ior(), true);
    EXPECT_EQ(count(a), 1);
    const zoo::Node strong = weak;
    EXPECT_EQ(count(a), 2);
    const zoo::Node moved = std::move(weak);
    EXPECT_EQ(count(a), 3);
  }
  EXPECT_EQ(count(a), 1);
}

TEST(Handle, CastsUpAndDown) {
  zoo::LoudNode loud = zoo::LoudNode::_create();
  const zoo::Node node = loud;
  const zoo::Countable countable = loud;
  const sidl::BaseClass base = loud;
  EXPECT_EQ(countable.count(), 1);
  EXPECT_TRUE(sidl::babel_cast<zoo::LoudNode>(base)._not_nil());
  EXPECT_TRUE(sidl::babel_cast<zoo::LoudNode>(countable).isSame(node));
  EXPECT_TRUE(babel_cast<zoo::Square>(node)._is_nil());
  const zoo::Named named(zoo::Named::_cast(node._get_self()));
  EXPECT_TRUE(named._not_nil());
  EXPECT_TRUE(node.isType("zoo.LoudNode"));
  EXPECT_FALSE(node.isType("zoo.Square"));
  EXPECT_EQ(node.getClassInfo().getName(), "zoo.LoudNode");
}

TEST(Handle, AssignedThroughABaseForgetsItsCaches) {
  zoo::LoudNode loud = zoo::LoudNode::_create();
  loud.setName("x");
  const zoo::Node plain = zoo::Node::_create();
  static_cast<zoo::Node&>(loud) = plain;
  EXPECT_TRUE(static_cast<zoo::Node&>(loud).isSame(plain));
  EXPECT_THROW(loud.getName(), sidl::NullIORException);
  zoo::Countable moved = std::move(static_cast<zoo::Countable&>(loud));
  EXPECT_TRUE(loud._is_nil());
  EXPECT_TRUE(moved.isSame(plain));
}

TEST(Handle, IsLocal) {
  const zoo::Node node = zoo::Node::_create();
  EXPECT_TRUE(node._isLocal());
  EXPECT_FALSE(node._isRemote());
}

TEST(Handle, WrapsAnImpl) {
  zoo::Node outlives;
  {
    zoo::Node_impl impl;
    EXPECT_TRUE(impl._isWrapped());
    impl.setName_impl("mine");
    const zoo::Node node = impl;
    EXPECT_EQ(node.getName(), "mine");
    outlives = node;
  }
  EXPECT_EQ(outlives._get_ior()->d_data, nullptr);
}

TEST(Handle, EndsWithAnImplWhoseConstructorThrows) {
  zoo::Node given;
  zoo::Node_impl::s_given = &given;
  EXPECT_THROW(std::make_unique<zoo::Node_impl>(), std::runtime_error);
  zoo::Node_impl::s_given = nullptr;
  EXPECT_THROW(given.getName(), sidl::rmi::ObjectDoesNotExistException);
  EXPECT_EQ(count(given), 1);
}

TEST(Handle, FindsStatics) {
  EXPECT_EQ(zoo::Types::addAll(2, 3), 5);
  EXPECT_EQ(zoo::Types::greet("you"), "hello, you");
  EXPECT_THROW(zoo::Types::greet(""), zoo::Failure);
}

TEST(Handle, HasItsOwnMethodsBesideThoseOfEveryObject) {
  const zoo::Twin a = zoo::Twin::_create();
  const zoo::Twin b = a;
  EXPECT_TRUE(a.isSame(b));
  EXPECT_TRUE(a.isSame("twin"));
  EXPECT_FALSE(a.isSame("other"));
  EXPECT_TRUE(a.isType("zoo.Twin"));
}

TEST(Handle, OfEveryObjectHasItsMethodsWithoutACast) {
  const zoo::Node node = zoo::Node::_create();
  const sidl::BaseInterface weak(sidl::as_base(node._get_ior()), true);
  EXPECT_TRUE(weak.isSame(node));
  EXPECT_EQ(weak.getClassInfo().getName(), "zoo.Node");
  node.addRef();
  EXPECT_EQ(count(node), 2);
  zoo::Node other(node._get_ior());  // takes over that reference
  other.deleteRef();
  EXPECT_EQ(count(node), 1);
  EXPECT_THROW(zoo::Node().isType("zoo.Node"), sidl::NullIORException);
}

TEST(Handle, IsAPointerForEachTypeItHas) {
  // its virtual functions and its cache, and what it refers to, once
  constexpr std::size_t each = 2 * sizeof(void*);
  EXPECT_EQ(sizeof(sidl::StubBase), 3 * sizeof(void*));
  EXPECT_EQ(sizeof(sidl::BaseInterface), sizeof(sidl::StubBase) + each);
  EXPECT_EQ(sizeof(sidl::BaseClass), sizeof(sidl::StubBase) + 2 * each);
  EXPECT_EQ(sizeof(zoo::Node), sizeof(sidl::StubBase) + 5 * each);
}

TEST(Handle, TellsItsType) {
  EXPECT_STREQ(zoo::Node::type_name(), "zoo.Node");
  EXPECT_STREQ(zoo::Node::_type_info()->name, "zoo.Node");
}

}  // namespace
