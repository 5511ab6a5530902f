/**
 * One client that takes as much as it can, and others beside it. Clients of these tests prove
 * nothing, so that each session is a tenant.
 *
 * Before there were tenants, the first of each pair took all, and the second one waited for ever.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "greedy_clients.hpp"
#include "raw_connection.hpp"
#include "temporary.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

namespace {

ServerOptions with_threads(unsigned threads) {
  ServerOptions options;
  options.threads = threads;
  return options;
}

Call noop_within(milliseconds deadline) {
  Call noop("public", "noop");
  noop.deadline = deadline;
  return noop;
}

TEST(Fairness, SlowCallsOfOneLeaveThreadsToOthers) {
  TestServer server(with_threads(4));
  const Greedy greedy(server, 40);
  EXPECT_TRUE(eventually([&] { return server.host.holding >= 4; }));
  for (int i = 0; i < 50; ++i) {
    const auto peer = server.peer();
    EXPECT_NO_THROW(noop_within(milliseconds(10000)).run(*peer));
  }
}

TEST(Fairness, OneTenantGetsNoMoreThreadsThanItMay) {
  TestServer server(with_threads(8));
  const Greedy greedy(server, 60);
  EXPECT_TRUE(eventually([&] { return server.host.holding >= 8; }));
  std::this_thread::sleep_for(milliseconds(300));
  // Some have begun before they were known to take long, and there are 12 threads at all.
  EXPECT_LT(server.host.holding, 12);
  server.host.release_holds();
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
}

/** What waits for its share is read: it may be cancelled, or the client be gone. */
TEST(Fairness, CallsThatWaitForTheirShareAreCancelled) {
  TestServer server(with_threads(4));
  Greedy greedy(server, 4);
  EXPECT_TRUE(eventually([&] { return server.host.holding == 4; }));
  std::this_thread::sleep_for(milliseconds(50));
  RawConnection& some = greedy.connection(0);
  some.name("note");
  for (std::uint64_t id = 10; id < 14; ++id) {
    Encoder body;
    body.put_string("public");
    body.put(std::int32_t{0});
    body.put(static_cast<std::int32_t>(id));
    some.send(FrameType::request, body, 2, 0, id);
  }
  for (const std::uint64_t id : {11u, 13u}) {
    Encoder nothing;
    some.send(FrameType::cancel, nothing, 0, 0, id);
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(some.next_answer().type, static_cast<std::uint8_t>(FrameType::error));
  }
  server.host.release_holds();
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  EXPECT_EQ(server.host.notes(), (std::vector<int>{10, 12}));
}

TEST(Fairness, AClientGetsWhatItWaitedForWhenOthersAreDone) {
  TestServer server(with_threads(4));
  const Greedy greedy(server, 40);
  EXPECT_TRUE(eventually([&] { return server.host.holding >= 4; }));
  server.host.release_holds();
  EXPECT_TRUE(eventually([&] { return server.server.counters().calls >= 40; }));
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
}

TEST(Fairness, MessagesWaitForMemoryThatOthersHave) {
  ServerOptions options = with_threads(4);
  options.limits.total_memory_bytes = std::uint64_t{96} << 20;
  TestServer server(options);
  // Each announces 8 MiB, and sends nothing of it: at most two thirds of all are theirs.
  const Id128 session = random_id();
  std::vector<std::unique_ptr<RawConnection>> stalled;
  for (std::uint64_t i = 0; i < 20; ++i) {
    stalled.push_back(std::make_unique<RawConnection>(server, session, i + 1));
    FrameHeader header;
    header.type = static_cast<std::uint8_t>(FrameType::request);
    header.segments = 1;
    header.bulk = std::uint64_t{8} << 20;
    const std::uint64_t size = header.bulk;
    ::send(stalled.back()->fd(), &header, sizeof header, MSG_NOSIGNAL);
    ::send(stalled.back()->fd(), &size, sizeof size, MSG_NOSIGNAL);
  }
  std::this_thread::sleep_for(milliseconds(100));
  const auto peer = server.peer();
  const std::vector<double> values(std::size_t{1} << 20, 0.5);
  for (int i = 0; i < 5; ++i) {
    Call echo("public", "echo");
    put_doubles(echo.encoder, values);
    echo.deadline = milliseconds(10000);
    Message answer;
    EXPECT_NO_THROW(answer = echo.run(*peer));
    EXPECT_EQ(get_doubles(answer), values);
  }
}

TEST(Fairness, AMessageThatWaitedForMemoryIsRead) {
  ServerOptions options = with_threads(4);
  options.limits.total_memory_bytes = std::uint64_t{96} << 20;
  TestServer server(options);
  const auto echo_all = [&](Peer& peer) {
    const std::vector<double> values(std::size_t{3} << 20, 0.5);
    std::vector<std::unique_ptr<PendingCall>> begun;
    for (int i = 0; i < 8; ++i) {
      Call echo("public", "echo");
      put_doubles(echo.encoder, values);
      begun.push_back(echo.begin(peer));
    }
    for (const auto& each : begun) EXPECT_EQ(get_doubles(each->answer()), values);
  };
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&] { echo_all(*server.peer()); });
  }
  for (std::thread& each : clients) each.join();
}

/**
 * A connection that waited for memory, and got it while it was read ahead, went on to wait for as
 * much again.
 */
TEST(Fairness, NobodyWaitsForEverForMemoryAndThreads) {
  ServerOptions options = with_threads(2);
  options.limits.total_memory_bytes = std::uint64_t{64} << 20;
  TestServer server(options);
  std::vector<std::thread> clients;
  for (int i = 0; i < 2; ++i) {
    const auto peer = server.peer();
    for (std::size_t k = 0; k < 2; ++k) {
      clients.emplace_back([peer, k] {
        for (std::size_t size = 10; size < 30; ++size) {
          Call noop("public", "sleep");
          noop.with(5);
          const std::vector<double> values((k == 0 ? size : 40 - size) << 17);
          put_doubles(noop.encoder, values);
          EXPECT_NO_THROW(noop.run(*peer));
        }
      });
    }
  }
  for (std::thread& each : clients) each.join();
}

/**
 * Small messages never left it enough: those of others, or those of the same user, as whom clients
 * are known who connect over shared memory.
 */
class LargeMessage : public testing::TestWithParam<bool> {};

TEST_P(LargeMessage, HasItsTurnBesideSmallOnes) {
  ServerOptions options;
  options.limits.total_memory_bytes = std::uint64_t{64} << 20;
  const TemporaryFolder folder;
  if (GetParam()) options.listen = Endpoint{.path = folder.file("door")};
  TestServer server(options);
  std::atomic<bool> is_over{false};
  std::vector<std::thread> floods;
  for (const auto& peer : {server.peer(), server.peer()}) {
    for (int i = 0; i < 4; ++i) {
      floods.emplace_back([&is_over, peer] {
        const std::vector<double> values(std::size_t{3} << 17);
        while (!is_over) {
          Call sleep("public", "sleep");
          sleep.with(20);
          put_doubles(sleep.encoder, values);
          EXPECT_NO_THROW(sleep.run(*peer));
        }
      });
    }
  }
  std::this_thread::sleep_for(milliseconds(100));
  const auto peer = server.peer();
  for (int i = 0; i < 2; ++i) {
    Call noop("public", "noop");
    const std::vector<double> values(std::size_t{40} << 17);
    put_doubles(noop.encoder, values);
    EXPECT_NO_THROW(noop.run(*peer));
  }
  is_over = true;
  for (std::thread& each : floods) each.join();
}

INSTANTIATE_TEST_SUITE_P(All, LargeMessage, testing::Bool());

TEST(Fairness, AMessageThatCanNeverBeIsRefused) {
  ServerOptions options = with_threads(4);
  options.limits.total_memory_bytes = std::uint64_t{48} << 20;
  TestServer server(options);
  const auto peer = server.peer();
  const std::vector<double> values(std::size_t{5} << 20);
  Call echo("public", "echo");
  put_doubles(echo.encoder, values);
  try {
    echo.run(*peer);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("SIDL_RMI_TOTAL_MEMORY"), std::string::npos)
        << error.what();
  }
  EXPECT_NO_THROW(Call("public", "noop").run(*peer));
}

TEST(Fairness, AMessageThatStallsEndsItsConnection) {
  ServerOptions options;
  options.limits.keepalive_ms = 60;
  TestServer server(options);
  RawConnection stalled(server);
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::request);
  ::send(stalled.fd(), &header, sizeof header / 2, MSG_NOSIGNAL);
  RawConnection idle(server);
  EXPECT_TRUE(eventually([&] { return server.host.logged("the rest of a message has not come"); }));
  idle.settle();  // who has said all it wanted may be silent
}

/** A deadline for calls that have none. */
TEST(Fairness, TheServersOwnerMayLimitCalls) {
  ServerOptions options = two_threads();
  options.limits.server_deadline_ms = 300;
  TestServer server(options);
  const auto peer = server.peer(one_connection());
  const auto left_of = [&](Call call) {
    Message answer = call.run(*peer);
    return Decoder(answer).get<std::int64_t>();
  };
  const std::int64_t of_none = left_of(Call("public", "left"));
  EXPECT_GE(of_none, 0);
  EXPECT_LE(of_none, 300);
  Call own("public", "left");
  own.deadline = milliseconds(100000);
  EXPECT_GT(left_of(std::move(own)), 300);
}

TEST(Fairness, ConnectionsAreLeftToOthers) {
  ServerOptions options;
  options.limits.connections = 200;
  TestServer server(options);
  // All that have proved nothing are one identity here; one that has is another.
  std::vector<std::unique_ptr<RawConnection>> all;
  int refused = 0;
  for (int i = 0; i < 200 && refused == 0; ++i) {
    try {
      all.push_back(std::make_unique<RawConnection>(server));
    } catch (const Error& error) {
      ++refused;
      EXPECT_NE(std::string(error.what()).find("connections of one client, as others need some"),
                std::string::npos)
          << error.what();
    }
  }
  EXPECT_EQ(refused, 1);
  EXPECT_GT(all.size(), 150u);
  EXPECT_LT(all.size(), 190u);
  all.resize(100);
  EXPECT_TRUE(eventually([&] {
    try {
      const RawConnection again(server);
      return true;
    } catch (const Error&) {
      return false;
    }
  }));
}

/** One identity had sixteen, whatever there was. */
TEST(Fairness, FewConnectionsAreLeftToOthers) {
  ServerOptions options;
  options.limits.connections = 12;
  TestServer server(options);
  std::vector<std::unique_ptr<RawConnection>> all;
  EXPECT_THROW(
      for (int i = 0; i < 12; ++i) { all.push_back(std::make_unique<RawConnection>(server)); },
      Error);
  EXPECT_GE(all.size(), 6u);
}

/** Calls of a strand followed each other on the same thread as long as there were any. */
TEST(Fairness, StrandsTakeTurnsWithOthers) {
  constexpr std::uint64_t calls = 400;
  ServerOptions options = with_threads(2);
  options.spare_threads = 0;
  TestServer server(options);
  const auto newcomer = server.peer();
  Call("public", "noop").run(*newcomer);
  std::vector<std::unique_ptr<RawConnection>> busy;
  for (const int note : {1, 2}) {
    busy.push_back(std::make_unique<RawConnection>(server));
    send_notes(*busy.back(), note, calls, FrameType::oneway, 1, 1);
  }
  EXPECT_TRUE(eventually([&] { return !server.host.notes().empty(); }));
  for (int i = 0; i < 3; ++i) Call("public", "noop").run(*newcomer);
  EXPECT_LT(server.host.notes().size(), calls);
  EXPECT_TRUE(eventually([&] { return server.host.notes().size() == 2 * calls; }));
}

/** What waited behind a call whose turn did not come any more was kept for ever (LeakSanitizer). */
TEST(Fairness, StrandsEndWithTheServer) {
  for (int round = 0; round < 20; ++round) {
    ServerOptions options = with_threads(2);
    options.spare_threads = 0;
    TestServer server(options);
    std::vector<std::unique_ptr<RawConnection>> busy;
    for (int i = 0; i < 4; ++i) {
      busy.push_back(std::make_unique<RawConnection>(server));
      send_notes(*busy.back(), i, 100, FrameType::oneway, 1, 1);
    }
    EXPECT_TRUE(eventually([&] { return server.host.notes().size() >= 4; }));
    server.server.stop(milliseconds(5));
  }
}

}  // namespace
