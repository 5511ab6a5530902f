// Who has to do with whom in collective calls, and in which order these run.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "calls/agenda.hpp"
#include "calls/partners.hpp"

namespace {

using shinar::par::Agenda;
using shinar::par::CallKey;
using shinar::par::children_of;
using shinar::par::driven_by;
using shinar::par::drivers_of;

TEST(Partners, AreTheSameSeenFromBothSides) {
  for (int clients = 1; clients <= 12; ++clients) {
    for (int servers = 1; servers <= 12; ++servers) {
      std::set<std::pair<int, int>> seen_by_clients;
      std::set<std::pair<int, int>> seen_by_servers;
      for (int client = 0; client < clients; ++client) {
        const auto driven = driven_by(client, clients, servers);
        EXPECT_FALSE(driven.empty());
        EXPECT_LE(static_cast<int>(driven.size()), (servers + clients - 1) / clients);
        for (const int each : driven) seen_by_clients.emplace(client, each);
      }
      for (int server = 0; server < servers; ++server) {
        const auto drivers = drivers_of(server, clients, servers);
        EXPECT_FALSE(drivers.empty());
        EXPECT_TRUE(std::ranges::is_sorted(drivers));
        for (const int each : drivers) seen_by_servers.emplace(each, server);
      }
      EXPECT_EQ(seen_by_clients, seen_by_servers) << clients << " x " << servers;
      EXPECT_TRUE(seen_by_clients.contains({0, 0}));
    }
  }
}

TEST(Partners, ReachAllFromRankZero) {
  for (int ranks = 1; ranks <= 40; ++ranks) {
    std::set<int> reached{0};
    for (int rank = 0; rank < ranks; ++rank) {
      EXPECT_TRUE(reached.contains(rank)) << "told before it tells others";
      for (const int each : children_of(rank, ranks)) EXPECT_TRUE(reached.insert(each).second);
    }
    EXPECT_EQ(static_cast<int>(reached.size()), ranks);
  }
}

Agenda with_clients() {
  Agenda agenda;
  for (const char* const each : {"a", "b", "c", "d"}) agenda.welcome(each);
  return agenda;
}

TEST(TheAgenda, RunsCallsByPosition) {
  Agenda agenda = with_clients();
  const CallKey first{"a", 1};
  const CallKey second{"b", 1};
  agenda.enqueue(2, second);
  EXPECT_FALSE(agenda.is_next(second)) << "position 1 is not known yet";
  agenda.enqueue(1, first);
  EXPECT_TRUE(agenda.is_next(first));
  agenda.start(first);
  EXPECT_FALSE(agenda.is_next(first)) << "it runs already";
  EXPECT_FALSE(agenda.is_next(second));
  EXPECT_FALSE(agenda.give_up(first, {"too late"}));
  agenda.finish(first);
  EXPECT_TRUE(agenda.is_next(second));
  EXPECT_EQ(agenda.next_position(), 3);
}

TEST(TheAgenda, SkipsCallsThatAreGivenUp) {
  Agenda agenda = with_clients();
  const CallKey before{"a", 1};
  const CallKey given_up{"a", 2};
  const CallKey unknown{"b", 1};
  const CallKey last{"a", 3};
  agenda.enqueue(1, before);
  agenda.enqueue(2, given_up);
  EXPECT_TRUE(agenda.give_up(given_up, {"somebody died"}));
  EXPECT_TRUE(agenda.give_up(unknown, {"before it is known here"}));
  ASSERT_NE(agenda.given_up(given_up), nullptr);
  EXPECT_EQ(agenda.given_up(given_up)->text, "somebody died");
  agenda.enqueue(3, unknown);
  agenda.enqueue(4, last);
  EXPECT_TRUE(agenda.is_next(before));
  agenda.start(before);
  agenda.finish(before);
  EXPECT_TRUE(agenda.is_next(last)) << "both before it are skipped";
  agenda.start(last);
  agenda.finish(last);
  EXPECT_TRUE(agenda.has_run(given_up)) << "a later one has";
  EXPECT_EQ(agenda.given_up(given_up), nullptr) << "what is over is not kept";
}

TEST(TheAgenda, ForgetsClients) {
  Agenda agenda = with_clients();
  const CallKey gone{"a", 1};
  const CallKey stays{"b", 1};
  agenda.enqueue(1, gone);
  agenda.enqueue(2, stays);
  agenda.forget("a");
  EXPECT_TRUE(agenda.is_next(stays));
  EXPECT_FALSE(agenda.has_run(gone));
}

TEST(TheAgenda, SkipsCallsOfClientsThatAreGone) {
  Agenda agenda = with_clients();
  agenda.forget("a");
  EXPECT_TRUE(agenda.give_up({"a", 7}, {"it has gone"}));
  EXPECT_EQ(agenda.given_up({"a", 7}), nullptr) << "nothing is kept of it";
  agenda.enqueue(1, {"a", 8});
  agenda.enqueue(2, {"b", 1});
  EXPECT_TRUE(agenda.is_next({"b", 1}));
}

TEST(TheAgenda, KnowsWhatOthersWaitFor) {
  Agenda agenda = with_clients();
  agenda.grant("a");
  agenda.stop();
  EXPECT_FALSE(agenda.first()) << "nothing begins";
  agenda.settle(2);
  agenda.enqueue(1, {"b", 1});
  agenda.enqueue(2, {"a", 4});
  EXPECT_EQ(agenda.first(), (CallKey{"a", 2})) << "it has begun elsewhere";
  EXPECT_EQ(agenda.earlier_than({"a", 5}), (std::vector<CallKey>{{"a", 2}, {"a", 4}}));
  EXPECT_EQ(agenda.earlier_than({"a", 2}), std::vector<CallKey>());
  agenda.start({"a", 2});
  EXPECT_FALSE(agenda.first()) << "it runs";
  agenda.finish({"a", 2});
  EXPECT_EQ(agenda.first(), (CallKey{"b", 1}));
  EXPECT_EQ(agenda.earlier_than({"a", 5}), (std::vector<CallKey>{{"a", 4}}));
}

TEST(TheAgenda, NumbersCallsAlikeOnRanksThatSkipSome) {
  Agenda all = with_clients();
  Agenda some = with_clients();
  for (Agenda* const each : {&all, &some}) {
    each->grant("a");
    each->settle(0);
    each->enqueue(1, {"a", 1});
    each->enqueue(2, {"b", 1});
    each->enqueue(3, {"a", 2});
  }
  EXPECT_TRUE(some.give_up({"b", 1}, {"its deadline has passed"}));
  std::int64_t last = 0;
  for (const CallKey& key : {CallKey{"a", 1}, CallKey{"b", 1}, CallKey{"a", 2}}) {
    const std::int64_t sequence = all.start(key);
    EXPECT_GE(sequence, last + Agenda::kWithin);
    last = sequence;
    all.finish(key);
    if (key.client == "b") continue;
    EXPECT_EQ(some.start(key), sequence);
    some.finish(key);
  }
}

// In a chain of three objects the numbers of the second one's calls are places in the order of its
// own ones.
TEST(TheAgenda, NumbersWhatIsCalledWithinCallsWithinCalls) {
  Agenda first = with_clients();
  first.grant("a");
  Agenda second = with_clients();
  second.grant("a");
  std::int64_t last = 0;
  std::int64_t last_inner = 0;
  for (std::int64_t number = 1; number <= 3; ++number) {
    const CallKey outer{"a", number};
    const CallKey inner{"a", first.start(outer) + 1};
    EXPECT_GT(inner.number, std::int64_t{1} << 31);
    const std::int64_t sequence = second.start(inner);
    EXPECT_GE(sequence, last + Agenda::kWithin);
    EXPECT_LT(sequence, std::int64_t{1} << 59) << "exchanges are numbered within it";
    last = sequence;
    last_inner = inner.number;
    second.finish(inner);
    first.finish(outer);
  }
  // When a second client comes.
  second.settle(last_inner);
  second.enqueue(1, {"b", 1});
  EXPECT_GE(second.start({"b", 1}), last + Agenda::kWithin);
  second.finish({"b", 1});
  const CallKey too_far{"a", std::int64_t{1} << 58};
  Agenda third = with_clients();
  third.grant("a");
  EXPECT_EQ(third.start(too_far), 0) << "too many to tell";
}

TEST(TheAgenda, WithdrawsCallsThatHaveNotBegun) {
  Agenda agenda = with_clients();
  agenda.grant("a");
  agenda.start({"a", 1});
  agenda.finish({"a", 1});
  agenda.start({"a", 2});
  agenda.withdraw({"a", 2}, {"its arguments do not fit"});
  EXPECT_EQ(agenda.stop(), 1);
  EXPECT_EQ(agenda.last_run("a"), 1);
  EXPECT_FALSE(agenda.has_run({"a", 2}));
  ASSERT_NE(agenda.given_up({"a", 2}), nullptr);
  agenda.settle(1);
  agenda.enqueue(1, {"b", 1});
  agenda.enqueue(2, {"c", 1});
  ASSERT_TRUE(agenda.is_next({"b", 1}));
  agenda.start({"b", 1});
  agenda.withdraw({"b", 1}, {"its neither"});
  EXPECT_TRUE(agenda.is_next({"c", 1}));
}

TEST(TheAgenda, DoesNotWaitForClientsThatDoNotCallHere) {
  Agenda agenda;
  agenda.grant("a");
  agenda.welcome("b");
  agenda.stop();
  agenda.settle(3);
  agenda.enqueue(1, {"b", 1});
  EXPECT_TRUE(agenda.is_next({"b", 1}));
  agenda.welcome("a");
  EXPECT_TRUE(agenda.is_next({"b", 1})) << "it has begun without this rank";
}

TEST(TheAgenda, LeavesPlacesToOthersWhateverNumbersAClientHas) {
  Agenda agenda = with_clients();
  agenda.grant("a");
  const std::int64_t most = Agenda::kEndOfNumbers - 1;
  EXPECT_TRUE(Agenda::is_number(most));
  for (const std::int64_t each : {std::int64_t{0}, std::int64_t{-1}, most + 1}) {
    EXPECT_FALSE(Agenda::is_number(each)) << each;
  }
  agenda.start({"a", most});
  agenda.settle(agenda.stop());
  agenda.finish({"a", most});
  EXPECT_TRUE(agenda.is_near(1));
  EXPECT_FALSE(agenda.is_near(most));
  agenda.enqueue(1, {"b", 1});
  agenda.enqueue(2, {"c", 1});
  const std::int64_t first = agenda.start({"b", 1});
  EXPECT_GT(first, 0);
  agenda.finish({"b", 1});
  EXPECT_GE(agenda.start({"c", 1}), first + Agenda::kWithin);
}

TEST(TheAgenda, RunsCallsOfTheOnlyClientWithoutPositions) {
  Agenda agenda = with_clients();
  agenda.grant("a");
  EXPECT_EQ(agenda.granted(), "a");
  for (std::int64_t number = 1; number <= 3; ++number) {
    const CallKey key{"a", number};
    EXPECT_FALSE(agenda.needs_position(key));
    ASSERT_TRUE(agenda.is_next(key));
    agenda.start(key);
    agenda.finish(key);
  }
  EXPECT_TRUE(agenda.needs_position({"b", 1}));
  EXPECT_FALSE(agenda.is_next({"b", 1}));
}

TEST(TheAgenda, SettlesWhatHasBegunElsewhere) {
  Agenda agenda = with_clients();
  agenda.grant("a");
  const CallKey first{"a", 1};
  const CallKey second{"a", 2};
  const CallKey third{"a", 3};
  const CallKey other{"b", 1};
  agenda.start(first);
  EXPECT_EQ(agenda.stop(), 1) << "it has begun";
  agenda.finish(first);
  EXPECT_FALSE(agenda.is_next(second)) << "none begins";
  EXPECT_FALSE(agenda.needs_position(second)) << "that is not known yet";
  agenda.enqueue(1, other);
  EXPECT_FALSE(agenda.is_next(other));
  agenda.settle(2);
  EXPECT_EQ(agenda.granted(), "");
  EXPECT_TRUE(agenda.needs_position(third));
  EXPECT_FALSE(agenda.is_next(other)) << "the second call has begun on another rank";
  ASSERT_TRUE(agenda.is_next(second));
  agenda.start(second);
  agenda.finish(second);
  EXPECT_FALSE(agenda.is_next(third));
  ASSERT_TRUE(agenda.is_next(other));
  agenda.start(other);
  agenda.finish(other);
  agenda.enqueue(2, third);
  EXPECT_TRUE(agenda.is_next(third));
}

TEST(TheAgenda, DoesNotWaitForSettledCallsThatAreGivenUp) {
  for (const bool is_forgotten : {false, true}) {
    Agenda agenda = with_clients();
    agenda.grant("a");
    agenda.stop();
    agenda.settle(1);
    const CallKey other{"b", 1};
    agenda.enqueue(1, other);
    EXPECT_FALSE(agenda.is_next(other));
    if (is_forgotten) {
      agenda.forget("a");
    } else {
      EXPECT_TRUE(agenda.give_up({"a", 1}, {"why"}));
    }
    EXPECT_TRUE(agenda.is_next(other));
  }
}

// Whatever the order in which positions and failures become known, all that is not given up runs,
// by position.
TEST(TheAgenda, LosesNothingInAnyOrder) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const int count = 1 + static_cast<int>(random() % 12);
    std::vector<int> positions(static_cast<std::size_t>(count));
    std::iota(positions.begin(), positions.end(), 1);
    std::ranges::shuffle(positions, random);
    Agenda agenda;
    std::set<int> given_up;
    std::vector<int> run;
    // Each client has one call, so that numbers say nothing of the order.
    for (int each = 1; each <= count; ++each) agenda.welcome(std::to_string(each));
    const auto key = [](int position) { return CallKey{std::to_string(position), 1}; };
    const auto run_what_can = [&] {
      for (int each = 1; each <= count; ++each) {
        if (!agenda.is_next(key(each))) continue;
        agenda.start(key(each));
        agenda.finish(key(each));
        run.push_back(each);
        each = 0;
      }
    };
    for (const int position : positions) {
      if (random() % 4 == 0 && agenda.give_up(key(position), {"why"})) given_up.insert(position);
      agenda.enqueue(position, key(position));
      run_what_can();
      const int other = 1 + static_cast<int>(random() % static_cast<unsigned>(count));
      if (random() % 4 == 0 && agenda.give_up(key(other), {"why"})) given_up.insert(other);
      run_what_can();
    }
    EXPECT_TRUE(std::ranges::is_sorted(run));
    EXPECT_EQ(run.size() + given_up.size(), positions.size());
  }
}

}  // namespace
