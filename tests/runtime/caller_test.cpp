// Whom sidl.rmi.Caller asks, where there are several protocols.
#include <cstring>
#include <string>

#include "sidl_String.h"
#include "sidl_protocol.h"
#include "sidl_rmi_Caller.h"
#include "support.hpp"

namespace {

using rt::ok;
using rt::threw;

/** A protocol that runs a call while `runs`. */
template <char which>
struct Protocol {
  static inline thread_local bool runs = false;
  static inline bool has_memory = true;

  static sidl_bool is_there() { return runs ? TRUE : FALSE; }
  template <char what>
  static char* text() {
    return has_memory ? ::strdup((std::string{which} + what).c_str()) : nullptr;
  }
  static void add() {
    static sidl_rmi_origin functions{is_there, text<'n'>, text<'p'>, text<'a'>, nullptr};
    static const bool is_added = [] {
      ::sidl_rmi_add_origin(&functions);
      return true;
    }();
    EXPECT_TRUE(is_added);
  }
};

class Caller : public ::testing::Test {
 protected:
  void SetUp() override {
    Protocol<'1'>::add();
    Protocol<'2'>::add();
  }
  void TearDown() override { Protocol<'1'>::runs = Protocol<'2'>::runs = false; }

  /** All that is known. */
  std::string asked() {
    const bool is_remote = sidl_rmi_Caller_isRemote(&ex) != FALSE;
    EXPECT_TRUE(ok(ex));
    std::string all = is_remote ? "remote:" : "";
    for (const auto get :
         {sidl_rmi_Caller_getName, sidl_rmi_Caller_getProof, sidl_rmi_Caller_getAddress}) {
      char* const text = get(&ex);
      EXPECT_TRUE(ok(ex));
      all += text;
      sidl_String_free(text);
    }
    return all;
  }

  sidl_BaseInterface ex = nullptr;
};

TEST_F(Caller, IsNobodyWhereTheThreadRunsNoCall) {
  EXPECT_EQ(asked(), "");
}

TEST_F(Caller, IsWhomTheProtocolKnowsThatRunsTheCall) {
  Protocol<'1'>::runs = true;
  EXPECT_EQ(asked(), "remote:1n1p1a");
  Protocol<'2'>::runs = true;
  EXPECT_EQ(asked(), "remote:2n2p2a");
  Protocol<'1'>::runs = false;
  EXPECT_EQ(asked(), "remote:2n2p2a");
}

TEST_F(Caller, CannotBeToldWithoutMemory) {
  Protocol<'1'>::runs = true;
  Protocol<'1'>::has_memory = false;
  EXPECT_EQ(sidl_rmi_Caller_getName(&ex), nullptr);
  EXPECT_TRUE(threw(ex, "sidl.MemAllocException"));
  Protocol<'1'>::has_memory = true;
}

}  // namespace
