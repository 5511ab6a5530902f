// copy, oneway and strings: what concerns other processes, and works in one.
#include "support.hpp"
#include "ty_Calls.hxx"
#include "ty_Value.hxx"

namespace {

class Calls : public ty_test::Both {};

ty::Value value(int32_t number) {
  ty::Value made = ty::Value::_create();
  made.set(number);
  return made;
}

TEST_P(Calls, CopiesAreMadeForOtherProcessesOnly) {
  const ty::Value v = value(4);
  ty::Value io = value(10);
  const ty::Value before = io;
  const ty::Value result = object<ty::Calls>().twice(v, io);
  const bool copied = ty_test::server() != nullptr;
  EXPECT_EQ(result.get(), 8);
  EXPECT_EQ(io.get(), 11);
  EXPECT_EQ(v.get(), copied ? 4 : 8);
  EXPECT_EQ(result.isSame(v), !copied);
  EXPECT_EQ(io.isSame(before), !copied);
  EXPECT_TRUE(result._isLocal()) << "it came by value";
}

TEST_P(Calls, Oneway) {
  const ty::Calls calls = object<ty::Calls>();
  calls.note(3);
  calls.note(4);
  EXPECT_EQ(calls.noted(), 7) << "calls on one object run in order";
}

TEST_P(Calls, StringsOfCxxAreNeverNull) {
  std::string o = "before", io;
  EXPECT_EQ(object<ty::Calls>().text("", o, io), "");
  EXPECT_EQ(o, "");
  EXPECT_EQ(io, "");
  EXPECT_EQ(object<ty::Calls>().text("text", o, io), "text");
  EXPECT_EQ(o, "text");
}

TEST_P(Calls, FromC) {
  from_c(from_c_calls);
}

IN_BOTH_LANGUAGES(Calls);

}  // namespace
