/**
 * No code of users under a lock of ours: that builds which check it find out.
 *
 * The rest is done by all other tests, when they are run by such a build.
 */
#include <gtest/gtest.h>

#include <thread>

#include "core/checked_mutex.hpp"
#include "core/outbox.hpp"
#include "raw_connection.hpp"
#include "test_host.hpp"

using namespace shinar::wire;

class Locks : public testing::Test {
 protected:
  void SetUp() override {
    if (!SHINAR_LOCKS_ARE_CHECKED) GTEST_SKIP() << "this build does not check locks";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
  CheckedMutex<"first"> first_;
  CheckedMutex<"second"> second_;
};
using LocksDeathTest = Locks;

namespace {

Pin something() {
  static char object;
  return Pin(&object, [](void*) {});
}

}  // namespace

TEST_F(LocksDeathTest, AnObjectThatGoesUnderALockEndsTheProcess) {
  const auto drop = [&] {
    Pin pin = something();
    const std::lock_guard lock(first_);
    pin.reset();
  };
  EXPECT_DEATH(drop(), "releasing an object begins while .* the first of them 'first'");
}

TEST_F(LocksDeathTest, SoDoesWhatNobodyRefersToAnyMore) {
  const auto drop = [&] {
    const std::lock_guard lock(second_);
    Ended(std::make_shared<int>(1));
  };
  EXPECT_DEATH(drop(), "the destruction of unreferenced objects .* 'second'");
}

TEST_F(LocksDeathTest, SoDoesWhatWasSent) {
  const auto drop = [&] {
    const std::lock_guard lock(second_);
    Spent().add(std::make_shared<int>(1));
  };
  EXPECT_DEATH(drop(), "releasing what was sent .* 'second'");
}

TEST_F(LocksDeathTest, TheLockThatIsStillHeldIsNamed) {
  const auto drop = [&] {
    std::unique_lock one(first_, std::try_to_lock);
    const std::lock_guard two(second_);
    one.unlock();
    assert_no_lock_held("a method");
  };
  EXPECT_DEATH(drop(), "a method begins while this thread holds 1 .* 'second'");
}

TEST_F(LocksDeathTest, SoDoesAWaitAgainstTheOrder) {
  CheckedMutex<"Ledger"> ledger;
  CheckedMutex<"Disposal"> disposal;
  {
    const std::lock_guard first(disposal);
    const std::lock_guard second(ledger);
  }
  const auto wait = [&] {
    const std::lock_guard first(ledger);
    const std::lock_guard second(disposal);
  };
  EXPECT_DEATH(wait(), "holds the lock 'Ledger' waits for 'Disposal'");
  const auto wait_for_another = [&] {
    CheckedMutex<"Disposal"> other;
    const std::lock_guard first(disposal);
    const std::lock_guard second(other);
  };
  EXPECT_DEATH(wait_for_another(), "holds the lock 'Disposal' waits for 'Disposal'");
  const std::lock_guard first(ledger);
  const std::unique_lock second(disposal, std::try_to_lock);
  EXPECT_TRUE(second.owns_lock());
}

TEST_F(Locks, ThoseOfOtherThreadsDoNotMatter) {
  const std::lock_guard lock(first_);
  std::thread([] { assert_no_lock_held("a method"); }).join();
}

TEST_F(Locks, ThoseThatWereGivenUpDoNotMatter) {
  {
    const std::lock_guard lock(first_);
    std::unique_lock other(second_, std::try_to_lock);
    EXPECT_TRUE(other.owns_lock());
  }
  // More than a thread remembers by name, as in a fork.
  std::vector<CheckedMutex<"many">> many(40);
  for (auto& each : many) each.lock();
  for (auto& each : many) each.unlock();
  assert_no_lock_held("a method");
}

namespace {

/** A host whose results count those of them that are let go of while the connection is free. */
class Owning : public TestHost {
 public:
  void call(IncomingCall& call, Answer& answer) override {
    if (call.method->name != "owned") return TestHost::call(call, answer);
    auto values = std::make_unique<std::vector<double>>(std::size_t{1} << 20, 1.5);
    ArrayShape shape;
    shape.kind = Kind::double_;
    shape.order = Order::row;
    shape.dimension = 1;
    shape.upper[0] = static_cast<std::int32_t>(values->size()) - 1;
    auto* const data = values->data();
    const std::size_t bytes = values->size() * sizeof(double);
    std::shared_ptr<void> owner(values.release(), [this](std::vector<double>* each) {
      // Another thread may send over the same connection meanwhile.
      std::thread([this] {
        if (eventually([this] { return can_send(); })) ++ended;
      }).join();
      delete each;
    });
    link = RunningCall::innermost()->link().shared_from_this();
    is_linked = true;
    answer.body.put_array(shape, Bulk::owned(data, bytes, owner));
  }
  bool can_send() const { return std::unique_lock(link->write, std::try_to_lock).owns_lock(); }
  bool is_write_blocked() const {
    if (!is_linked) return false;
    const std::lock_guard lock(link->write);
    return link->is_write_blocked;
  }
  std::shared_ptr<Link> link;  ///< that of the call, once there is one
  std::atomic<bool> is_linked{false};
  std::atomic<int> ended{0};
};

}  // namespace

/** It was not: the thread that sent the last of it did so under the connection's write lock. */
TEST(SlowReader, WhatWasSentIsLetGoOfWithoutALock) {
  Owning host;
  Server server(host, {});
  server.start();
  {
    RawConnection client(server.endpoint());
    client.name("owned");
    Encoder body;
    body.put_string("public");
    client.send(FrameType::request, body, 1, 0, 1);
    EXPECT_TRUE(eventually([&] { return host.is_write_blocked(); }));
    EXPECT_EQ(client.next_answer().request, 1u);
    EXPECT_TRUE(eventually([&] { return host.ended == 1; }));
    host.link.reset();
  }
  EXPECT_TRUE(server.stop(std::chrono::seconds(20)));
}
