/** Sessions, counts, leases. */
#include <gtest/gtest.h>

#include "test_host.hpp"

using namespace simhandle;
using std::chrono::milliseconds;

TEST(Ledger, CountsAndForgets) {
  TestHost host;
  Encoder body;
  Answer answer{body};
  const std::string object = host.create("test.Thing", answer).id;
  Ledger ledger(host, 10);
  const auto session = ledger.open(random_id(), milliseconds(1000));
  ledger.book(*session, object, 2);
  ledger.release(*session, object, 1);
  EXPECT_EQ(host.object_count(), 1u);
  ledger.release(*session, object, 5);  // more than it has
  EXPECT_EQ(host.object_count(), 0u);
  ledger.release(*session, object, 1);
  EXPECT_EQ(ledger.reference_count(), 0u);
}

TEST(Ledger, TwoSessionsShareAnObject) {
  TestHost host;
  Encoder body;
  Answer answer{body};
  const std::string object = host.create("test.Thing", answer).id;
  Ledger ledger(host, 10);
  const auto first = ledger.open(random_id(), milliseconds(1000));
  const auto second = ledger.open(random_id(), milliseconds(1000));
  ledger.book(*first, object, 1);
  ledger.book(*second, object, 1);
  ledger.say_goodbye(*first);
  static_cast<void>(ledger.close(first));
  EXPECT_EQ(host.object_count(), 1u);
  ledger.say_goodbye(*second);
  EXPECT_EQ(host.object_count(), 1u);  // what its connection brought may still be read
  static_cast<void>(ledger.close(second));
  EXPECT_EQ(host.object_count(), 0u);
}

TEST(Ledger, LeaseRunsFromTheLastConnection) {
  TestHost host;
  Encoder body;
  Answer answer{body};
  const std::string object = host.create("test.Thing", answer).id;
  Ledger ledger(host, 10);
  const Id128 id = random_id();
  auto session = ledger.open(id, milliseconds(1000));
  EXPECT_EQ(ledger.open(id, milliseconds(1000)), session);
  ledger.book(*session, object, 1);
  const auto later = Ledger::Clock::now() + milliseconds(5000);
  static_cast<void>(ledger.close(session));
  static_cast<void>(ledger.expire(later));
  EXPECT_EQ(host.object_count(), 1u);  // one connection is left
  static_cast<void>(ledger.close(session));
  static_cast<void>(ledger.expire(Ledger::Clock::now()));
  EXPECT_EQ(host.object_count(), 1u);
  EXPECT_EQ(ledger.open(id, milliseconds(1000)), session);  // came back in time
  static_cast<void>(ledger.expire(later));
  EXPECT_EQ(host.object_count(), 1u);
  static_cast<void>(ledger.close(session));
  static_cast<void>(ledger.expire(later));
  EXPECT_EQ(host.object_count(), 0u);
  EXPECT_EQ(ledger.session_count(), 1u);
  // A call that was still running hands something out, which nobody will ever ask for.
  ledger.book(*session, host.create("test.Thing", answer).id, 1);
  session.reset();
  static_cast<void>(ledger.expire(later));
  EXPECT_EQ(host.object_count(), 0u);
  EXPECT_EQ(ledger.session_count(), 0u);
  EXPECT_TRUE(host.logged("its lease of 1000 ms is over, references to 1 objects dropped"));
}

TEST(Ledger, ObjectsOfASessionAreLimited) {
  TestHost host;
  Ledger ledger(host, 2);
  const auto session = ledger.open(random_id(), milliseconds(1000));
  ledger.book(*session, "a", 1);
  ledger.book(*session, "b", 1);
  ledger.book(*session, "b", 1);
  EXPECT_THROW(ledger.book(*session, "c", 1), Error);
}
