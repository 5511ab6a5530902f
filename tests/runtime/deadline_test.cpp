// Which deadline a call is given, seen by the loop protocol.
#include <thread>

#include "classes.hpp"
#include "loop.hpp"
#include "rt_Async.h"
#include "rt_Runner.h"
#include "sidl_rmi_Deadline.h"
#include "sidl_rmi_NetworkException.h"
#include "sidl_rmi_TimeOutException.h"
#include "support.hpp"

namespace {

using rt::Exception;
using rt::ok;
using rt::Ref;
using rt::threw;

class Deadline : public ::testing::Test {
 protected:
  void SetUp() override {
    rt::loop_start();
    runner_ = connect();
    ASSERT_TRUE(ok(ex));
  }

  void TearDown() override {
    sidl_rmi_Deadline_setForThread(-1, &ex);
    sidl_rmi_Deadline_setForProcess(0, &ex);
    EXPECT_TRUE(ok(ex));
  }

  Ref<rt_Async__object> connect() {
    char* const url = rt::loop_url(object_.get());
    Ref<rt_Async__object> proxy(sidl_connect(&rt_Async__info, url, &ex));
    sidl_String_free(url);
    return proxy;
  }

  // The deadline of a call through `runner`.
  int64_t given(const Ref<rt_Async__object>& runner) {
    rt_Async_noted(runner.get(), &ex);
    EXPECT_TRUE(ok(ex));
    return rt::loop_deadline();
  }

  void set_object(void* object, int64_t milliseconds) {
    sidl_rmi_Deadline_setForObject(static_cast<sidl_BaseInterface__object*>(object), milliseconds,
                                   &ex);
  }
  int64_t get_object(void* object) {
    return sidl_rmi_Deadline_getForObject(static_cast<sidl_BaseInterface__object*>(object), &ex);
  }

  Exception ex = nullptr;
  Ref<void> object_{sidl_create(&rt_Runner__info, &ex)};
  Ref<rt_Async__object> runner_;
};

TEST_F(Deadline, ThreadBeforeObjectBeforeProcess) {
  EXPECT_EQ(given(runner_), -1);
  sidl_rmi_Deadline_setForProcess(3000, &ex);
  EXPECT_EQ(given(runner_), 3000);
  set_object(runner_.get(), 2000);
  EXPECT_EQ(given(runner_), 2000);
  EXPECT_EQ(given(connect()), 3000) << "another reference";
  sidl_rmi_Deadline_setForThread(1000, &ex);
  EXPECT_EQ(given(runner_), 1000);
  std::thread([this] { EXPECT_EQ(given(runner_), 2000); }).join();
  sidl_rmi_Deadline_setForThread(0, &ex);
  EXPECT_EQ(given(runner_), -1) << "0 is as long as it wants";
  sidl_rmi_Deadline_setForThread(-1, &ex);
  set_object(runner_.get(), 0);
  EXPECT_EQ(given(runner_), -1);
  set_object(runner_.get(), -1);
  EXPECT_EQ(given(runner_), 3000);
}

TEST_F(Deadline, WhatIsSetCanBeAskedFor) {
  EXPECT_EQ(sidl_rmi_Deadline_getForThread(&ex), -1);
  EXPECT_EQ(sidl_rmi_Deadline_getForProcess(&ex), 0);
  EXPECT_EQ(get_object(runner_.get()), -1);
  sidl_rmi_Deadline_setForThread(1, &ex);
  sidl_rmi_Deadline_setForProcess(2, &ex);
  set_object(runner_.get(), 3);
  EXPECT_EQ(sidl_rmi_Deadline_getForThread(&ex), 1);
  EXPECT_EQ(sidl_rmi_Deadline_getForProcess(&ex), 2);
  EXPECT_EQ(get_object(runner_.get()), 3);
  EXPECT_TRUE(ok(ex));
}

TEST_F(Deadline, LocalObjectsHaveNone) {
  set_object(object_.get(), 5);
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(get_object(object_.get()), -1);
}

TEST_F(Deadline, CastsKeepIt) {
  set_object(runner_.get(), 700);
  rt::loop_pretend_type("rt.Runner");
  const Ref<void> base(sidl_cast(runner_.get(), &sidl_BaseInterface__info, &ex));
  EXPECT_EQ(get_object(base.get()), 700);
  rt::loop_pretend_type(nullptr);
}

TEST_F(Deadline, NonsenseIsRefused) {
  std::string note;
  sidl_rmi_Deadline_setForThread(-2, &ex);
  EXPECT_TRUE(threw(ex, "sidl.rmi.NetworkException", &note));
  EXPECT_EQ(note,
            "-2 is not a valid deadline: it must be a number of milliseconds, or 0 for none, "
            "or -1 to remove it");
  sidl_rmi_Deadline_setForProcess(-1, &ex);
  EXPECT_TRUE(threw(ex, "sidl.rmi.NetworkException"));
  set_object(runner_.get(), -9);
  EXPECT_TRUE(threw(ex, "sidl.rmi.NetworkException"));
  set_object(nullptr, 1);
  EXPECT_TRUE(threw(ex, "sidl.rmi.NetworkException"));
}

TEST_F(Deadline, NonblockingCallsHaveIt) {
  set_object(runner_.get(), 600);
  const Ref<void> ticket(rt_Async_add_send(runner_.get(), 1, &ex));
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(rt::loop_deadline(), 600);
}

TEST_F(Deadline, OnewayCallsHaveNone) {
  sidl_rmi_Deadline_setForProcess(600, &ex);
  rt_Async_note(runner_.get(), 1, &ex);
  EXPECT_TRUE(ok(ex));
  EXPECT_EQ(rt::loop_deadline(), -1);
}

TEST_F(Deadline, WhatAMethodCallsHasWhatIsLeft) {
  const auto nested = [this] {
    const int64_t deadline = rt_Async_deadlineOfCalls(runner_.get(), runner_.get(), &ex);
    EXPECT_TRUE(ok(ex));
    return deadline;
  };
  EXPECT_EQ(nested(), -1);
  sidl_rmi_Deadline_setForThread(INT64_C(1) << 40, &ex);
  const int64_t left = nested();
  EXPECT_GT(left, 0) << "the thread's own deadline is not the method's, what is left of it is";
  EXPECT_LE(left, INT64_C(1) << 40);
  sidl_rmi_Deadline_setForProcess(5000, &ex);
  EXPECT_EQ(nested(), 5000) << "the shorter one";
  EXPECT_EQ(sidl_rmi_Deadline_getForThread(&ex), INT64_C(1) << 40) << "restored";
  EXPECT_EQ(given(runner_), INT64_C(1) << 40) << "and nothing inherited any more";
}

TEST_F(Deadline, PairsNest) {
  const int64_t outer = sidl_deadline_inherit(INT64_MAX);
  EXPECT_EQ(given(runner_), -1) << "too far away to matter";
  const int64_t inner = sidl_deadline_inherit(0);
  rt_Async_noted(runner_.get(), &ex);
  std::string note;
  EXPECT_TRUE(threw(ex, "sidl.rmi.TimeOutException", &note));
  EXPECT_EQ(note, "not sent: the deadline of the call that this thread is running has passed");
  const int64_t none = sidl_deadline_inherit(-1);
  EXPECT_EQ(given(runner_), -1);
  sidl_deadline_restore(none);
  rt_Async_noted(runner_.get(), &ex);
  EXPECT_TRUE(threw(ex, "sidl.rmi.TimeOutException"));
  sidl_deadline_restore(inner);
  EXPECT_EQ(given(runner_), -1);
  sidl_deadline_restore(outer);
}

// Run by test_runtime.py.
TEST(Environment, DISABLED_Deadline) {
  Exception ex = nullptr;
  EXPECT_EQ(sidl_rmi_Deadline_getForProcess(&ex), std::atol(std::getenv("RT_EXPECTED_DEADLINE")));
}

}  // namespace
