// A C++ implementation called from C++ and C: every type in every mode, inheritance, exceptions.
#include <gtest/gtest.h>

#include "from_c.h"
#include "sidl_LangSpecificException.hxx"
#include "sidl_MemAllocException.hxx"
#include "sidl_NotImplementedException.hxx"
#include "sidl_rmi_NetworkException.hxx"
#include "zoo.hxx"

namespace {

class Zoo : public testing::Test {
 protected:
  // a method m(in a, out o, inout io) that returns a
  template <class T, class Method>
  void pass(Method method, T a, T o, T io, T new_io) {
    T got_o{};
    T got_io = io;
    EXPECT_EQ(method(a, got_o, got_io), a);
    EXPECT_EQ(got_o, o);
    EXPECT_EQ(got_io, new_io);
  }

  zoo::Types types = zoo::Types::_create();
};

#define METHOD(m) [this](auto& a, auto& o, auto& io) { return types.m(a, o, io); }

TEST_F(Zoo, PassesNumbers) {
  pass<bool>(METHOD(b), true, false, true, false);
  pass<char>(METHOD(c), 'a', 'b', 'x', 'y');
  pass<int32_t>(METHOD(i), INT32_MAX - 1, INT32_MAX, 1, INT32_MAX);
  pass<int64_t>(METHOD(l), -(int64_t{1} << 40), 1 - (int64_t{1} << 40), 0, -(int64_t{1} << 40));
  pass<float>(METHOD(f), 1.5F, 2.5F, 1.0F, 2.5F);
  pass<double>(METHOD(d), 0.25, 1.25, 1.0, 1.25);
  pass<sidl::fcomplex>(METHOD(fc), {1, 2}, {2, 2}, {1, 0}, {2, 2});
  pass<sidl::dcomplex>(METHOD(dc), {1, 2}, {2, 2}, {1, 0}, {2, 2});
}

TEST_F(Zoo, PassesOtherBasicTypes) {
  pass<std::string>(METHOD(s), "grüß", "grüßo", "io", "iogrüß");
  pass<std::string>(METHOD(s), "", "o", "", "");
  pass<zoo::Color>(METHOD(e), zoo::Color_blue, zoo::Color_green, zoo::Color_red, zoo::Color_blue);
  int target = 0;
  pass<void*>(METHOD(p), &target, nullptr, nullptr, &target);
}

TEST_F(Zoo, PassesStructs) {
  zoo::Tag a, o, io;
  a.set_label("a");
  a.at.x = 2.0;
  o.set_label("lost");
  io.set_label("io");
  io.at.x = 1.0;
  const zoo::Tag result = types.t(a, o, io);
  EXPECT_EQ(result.get_label(), "a");
  EXPECT_EQ(o.get_label(), "ao");
  EXPECT_EQ(io.get_label(), "ioa");
  EXPECT_EQ(io.at.x, 3.0);
}

TEST_F(Zoo, PassesObjects) {
  zoo::Node a = zoo::Node::_create(), o, io = zoo::Node::_create();
  io.link(a);
  const zoo::Node result = types.n(a, o, io);
  EXPECT_TRUE(result.isSame(a));
  EXPECT_TRUE(io.isSame(a));
  EXPECT_EQ(o.getName(), "out");
  EXPECT_EQ(o.count(), 2);
  EXPECT_TRUE(types.n(zoo::Node(), o, io)._is_nil());
  EXPECT_TRUE(io._is_nil());
}

TEST_F(Zoo, PassesInterfaces) {
  const zoo::LoudNode a = zoo::LoudNode::_create();
  zoo::Named o, io = zoo::Node::_create();
  const zoo::Named before = io;
  const zoo::Named result = types.m(a, o, io);
  EXPECT_TRUE(result.isSame(before));
  EXPECT_TRUE(o.isSame(a));
  EXPECT_TRUE(io.isSame(a));
}

TEST_F(Zoo, PassesArrays) {
  const double data[] = {1, 2};
  sidl::array<double> d = sidl::array<double>::create1d(2, data);
  EXPECT_EQ(types.same(d)._get_ior(), d._get_ior());
  EXPECT_EQ(d._get_baseior()->d_refcount, 1);
  EXPECT_TRUE(types.same(sidl::array<double>())._is_nil());

  sidl::array<double> a = sidl::array<double>::create2dRow(2, 2), o;
  sidl::array<double> io = sidl::array<double>::create2dRow(1, 1);
  a(1, 0) = 5.0;
  EXPECT_EQ(types.ad(a, o, io)._get_ior(), a._get_ior());
  EXPECT_EQ(o.get(1, 0), 5.0);
  EXPECT_TRUE(io._is_nil());
}

TEST_F(Zoo, PassesOneVariableTwice) {
  sidl::array<double> a = sidl::array<double>::create2dRow(1, 1), o;
  a(0, 0) = 4.0;
  const sidl::array<double> result = types.ad(a, o, a);
  EXPECT_EQ(result.get(0, 0), 4.0);
  EXPECT_EQ(o.get(0, 0), 4.0);
  EXPECT_TRUE(a._is_nil());
}

TEST_F(Zoo, PassesArraysOfConvertedElements) {
  const std::string words[] = {"x", "y"};
  const sidl::array<std::string> a = sidl::array<std::string>::create1d(2, words);
  sidl::array<std::string> o, io = sidl::array<std::string>::create1d(1);
  EXPECT_EQ(types.astr(a, o, io).get(1), "y");
  EXPECT_EQ(o.get(1), "y");
  EXPECT_EQ(io.get(0), "x");

  const zoo::Color colors[] = {zoo::Color_blue};
  const sidl::array<zoo::Color> c = sidl::array<zoo::Color>::create1d(1, colors);
  sidl::array<zoo::Color> co, cio;
  EXPECT_EQ(types.ae(c, co, cio).get(0), zoo::Color_blue);
  EXPECT_EQ(co.get(0), zoo::Color_blue);
}

TEST_F(Zoo, OverloadsByShortName) {
  types.over();
  EXPECT_EQ(types.over(1), 2);
  EXPECT_EQ(types.over("one"), "one!");
}

TEST_F(Zoo, TellsInheritedNamesakesApart) {
  zoo::Both both = zoo::LoudBoth::_create();
  EXPECT_EQ(both.read(int32_t{2}), 2000);
  EXPECT_EQ(both.read(2.0), 1.0);
  zoo::Meter meter = both;
  zoo::Gauge gauge = both;
  EXPECT_EQ(meter.read(3), 3000);
  EXPECT_EQ(gauge.read(3.0), 1.5);
  EXPECT_EQ(gauge.version(), "1.2");
}

TEST_F(Zoo, InheritsImplementations) {
  zoo::LoudNode loud = zoo::LoudNode::_create();
  loud.setName("node");
  EXPECT_EQ(loud.getName(), "loud node!");
  EXPECT_EQ(zoo::Node(loud).getName(), "loud node!");
  EXPECT_EQ(zoo::Named(loud).getName(), "loud node!");
  loud.link(zoo::Node::_create());
  EXPECT_EQ(loud.count(), 2);
  zoo::Square square = zoo::Square::_create();
  square.setSide(3.0);
  const zoo::Shape shape = square;
  EXPECT_EQ(shape.area(), 9.0);
  EXPECT_EQ(shape.describe(), "area 9");
}

// ---- exceptions --------------------------------------------------------------------------------

class Fails : public Zoo {
 protected:
  void fail(const std::string& kind) {
    o = 1;
    io = "kept";
    a = sidl::array<int32_t>::create1d(1);
    types.fail(kind, o, io, a);
  }
  template <class Exception>
  std::string note(const std::string& kind) {
    try {
      fail(kind);
    } catch (const Exception& ex) {
      EXPECT_EQ(o, 0);
      EXPECT_EQ(io, "kept");
      EXPECT_TRUE(a._is_nil());
      return ex.what();
    }
    return "nothing thrown";
  }

  int32_t o = 0;
  std::string io;
  sidl::array<int32_t> a;
};

TEST_F(Fails, WithWhatIsDeclared) {
  EXPECT_EQ(note<zoo::DeepFailure>("deep"), "asked for");
  EXPECT_EQ(note<zoo::Failure>("failure"), "asked for");
  EXPECT_EQ(note<std::exception>("failure"), "asked for");
  EXPECT_EQ(note<sidl::BaseException>("failure"), "asked for");
  try {
    fail("failure");
  } catch (const zoo::DeepFailure&) {
    FAIL();
  } catch (const zoo::Failure& failure) {
    EXPECT_EQ(failure.getCode(), 42);
    EXPECT_NE(failure.getTrace().find("zoo.Types.fail"), std::string::npos) << failure.getTrace();
  }
}

TEST_F(Fails, WithRuntimeExceptions) {
  EXPECT_EQ(note<sidl::RuntimeException>("network"), "wire cut");
  EXPECT_EQ(note<sidl::RuntimeException>("std"), "plain C++");
  EXPECT_EQ(note<sidl::RuntimeException>("int"), "C++ exception of type int");
  EXPECT_EQ(note<sidl::RuntimeException>("nil"), "nil exception");
  EXPECT_EQ(note<sidl::RuntimeException>("nil call"), "call on a nil handle of zoo.Node");
  try {
    fail("memory");
  } catch (const sidl::RuntimeException& ex) {
    EXPECT_TRUE(babel_cast<sidl::MemAllocException>(ex)._not_nil());
  }
  try {
    types.missing(1, "x");
    FAIL();
  } catch (const sidl::RuntimeException& ex) {
    EXPECT_TRUE(babel_cast<sidl::NotImplementedException>(ex)._not_nil());
    EXPECT_STREQ(ex.what(), "not implemented: zoo.Types.missing");
  }
}

TEST_F(Fails, InsideAnotherImpl) {
  EXPECT_EQ(types.relay(types, "fine"), "fine");
  EXPECT_EQ(types.relay(types, "deep"), "deep: asked for");
  EXPECT_EQ(types.relay(types, "failure"), "failure: asked for");
  EXPECT_EQ(types.relay(types, "int"), "std: C++ exception of type int");
  EXPECT_EQ(types.relay(zoo::Types(), "int"), "std: call on a nil handle of zoo.Types");
}

TEST(FromC, PassesValues) {
  EXPECT_STREQ(from_c_values(), nullptr);
}
TEST(FromC, PassesObjects) {
  EXPECT_STREQ(from_c_objects(), nullptr);
}
TEST(FromC, CallsRenamedMethods) {
  EXPECT_STREQ(from_c_renamed(), nullptr);
}
TEST(FromC, SeesExceptions) {
  EXPECT_STREQ(from_c_exceptions(), nullptr);
}

}  // namespace
