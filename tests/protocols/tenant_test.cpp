/** Shares of what is scarce, and turns: no server, no threads. */
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "core/ready_queue.hpp"
#include "core/tenant.hpp"

using namespace shinar::wire;
using std::chrono::microseconds;

namespace {

constexpr Resource scarce = Resource::threads;

/** Takes one at a time of so many as long as that is allowed; how many it has then. */
std::uint64_t take_all(Tenant& tenant, std::uint64_t all, std::uint64_t& used) {
  while (used < all && tenant.try_take(scarce, 1, all - used - 1)) ++used;
  return tenant.used(scarce);
}

TEST(Tenant, AloneItGetsTwoThirds) {
  Tenant one;
  std::uint64_t used = 0;
  EXPECT_EQ(take_all(one, 48, used), 32u);
}

TEST(Tenant, WhoeverComesFindsSomething) {
  std::vector<std::unique_ptr<Tenant>> crowd;
  std::uint64_t used = 0;
  for (int i = 0; i < 5; ++i) {
    crowd.push_back(std::make_unique<Tenant>());
    EXPECT_GT(take_all(*crowd.back(), 1000, used), 0u) << i;
  }
  EXPECT_LT(used, 1000u);
}

TEST(Tenant, WhatIsGivenBackIsThereForOthers) {
  Tenant one, other;
  std::uint64_t used = 0;
  take_all(one, 48, used);
  const std::uint64_t before = take_all(other, 48, used);
  one.give_back(scarce, 32);
  used -= 32;
  EXPECT_GT(take_all(other, 48, used), before);
  EXPECT_EQ(one.used(scarce), 0u);
}

TEST(Tenant, WhoWeighsMoreMayTakeMore) {
  Tenant light, heavy;
  heavy.set_weight(4);
  std::uint64_t used = 0;
  EXPECT_EQ(take_all(light, 90, used), 60u);
  used = 0;
  EXPECT_EQ(take_all(heavy, 90, used), 80u);
}

/** Sessions of those who have proved nothing leave something to those who have. */
TEST(Tenant, AGroupIsATenantAsWell) {
  const auto group = std::make_shared<Tenant>(nullptr, Tenant::times_of_group);
  std::vector<std::unique_ptr<Tenant>> sessions;
  std::uint64_t used = 0;
  for (int i = 0; i < 100; ++i) {
    sessions.push_back(std::make_unique<Tenant>(group));
    take_all(*sessions.back(), 90, used);
  }
  EXPECT_EQ(group->used(scarce), 80u);
  EXPECT_EQ(used, 80u);
  Tenant other;
  EXPECT_GT(take_all(other, 90, used), 0u);
}

TEST(Tenant, AFloorIsForAllAsLongAsThereIsAny) {
  Tenant one;
  EXPECT_FALSE(one.may_take(scarce, 1, 0));
  EXPECT_TRUE(one.may_take(scarce, 16, 0, 16));
  EXPECT_FALSE(one.may_take(scarce, 17, 0, 16));
}

TEST(Tenant, MuchIsNoOverflow) {
  Tenant one;
  EXPECT_TRUE(one.may_take(Resource::memory, std::uint64_t{1} << 60, ~std::uint64_t{0}));
}

// ---- turns --------------------------------------------------------------------------------------

struct TwoLines {
  ReadyQueue queue;
  std::shared_ptr<ReadyLine> busy = std::make_shared<ReadyLine>();
  std::shared_ptr<ReadyLine> quiet = std::make_shared<ReadyLine>();

  void add(const std::shared_ptr<ReadyLine>& line) {
    queue.add({nullptr, std::chrono::steady_clock::now(), line});
  }
  /** The next turn, which takes so long; whose it was. */
  ReadyLine* turn(microseconds time) {
    ReadyLine* const line = queue.next([](const ReadyLine&) { return true; });
    const Ready ready = queue.take(*line);
    queue.done(*ready.line, time);
    return ready.line.get();
  }
};

TEST(ReadyQueue, WhoAsksForLittleDoesNotWaitBehindWhoAsksForMuch) {
  TwoLines lines;
  for (int i = 0; i < 1000; ++i) lines.add(lines.busy);
  EXPECT_EQ(lines.turn(microseconds(1000)), lines.busy.get());
  for (int i = 0; i < 100; ++i) {
    lines.add(lines.quiet);
    EXPECT_EQ(lines.turn(microseconds(5)), lines.quiet.get()) << i;
  }
}

TEST(ReadyQueue, WhoComesAfterAPauseHasNoMoreClaimsThanOthers) {
  TwoLines lines;
  for (int i = 0; i < 1000; ++i) lines.add(lines.busy);
  for (int i = 0; i < 500; ++i) lines.turn(microseconds(100));
  for (int i = 0; i < 100; ++i) lines.add(lines.quiet);
  int of_quiet = 0;
  for (int i = 0; i < 100; ++i) of_quiet += lines.turn(microseconds(100)) == lines.quiet.get();
  EXPECT_NEAR(of_quiet, 50, 2);
}

TEST(ReadyQueue, TurnsAreByWeight) {
  TwoLines lines;
  lines.busy->weight = 3;
  for (int i = 0; i < 1000; ++i) {
    lines.add(lines.busy);
    lines.add(lines.quiet);
  }
  int of_busy = 0;
  for (int i = 0; i < 400; ++i) of_busy += lines.turn(microseconds(30)) == lines.busy.get();
  EXPECT_NEAR(of_busy, 300, 4);
}

TEST(ReadyQueue, AllThatEnteredLeaveOnce) {
  TwoLines lines;
  for (int i = 0; i < 300; ++i) {
    lines.add(i % 3 == 0 ? lines.quiet : lines.busy);
    if (i % 5 == 0) lines.turn(microseconds(i));
  }
  lines.queue.remove_if(
      [count = 0](const ReadyLine&, const Ready&) mutable { return ++count % 2 == 0; });
  std::size_t left = 0;
  lines.queue.for_each([&](const Ready&) { ++left; });
  EXPECT_EQ(left, lines.queue.size());
  for (; left > 0; --left) lines.turn(microseconds(1));
  EXPECT_TRUE(lines.queue.empty());
}

}  // namespace
