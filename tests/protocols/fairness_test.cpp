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

#include "core/policy.hpp"
#include "raw_connection.hpp"
#include "sidl_trust.h"
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

/** Begins calls that do not return, each over a connection of its own. */
class Greedy {
 public:
  Greedy(TestServer& server, std::size_t calls) : session_(random_id()) {
    for (std::size_t i = 0; i < calls; ++i) {
      connections_.push_back(
          std::make_unique<RawConnection>(server, session_, static_cast<std::uint64_t>(i + 1)));
      connections_.back()->name("hold");
      Encoder body;
      body.put_string("public");
      connections_.back()->send(FrameType::request, body, 1, 0, 1);
    }
  }
  RawConnection& connection(std::size_t i) { return *connections_[i]; }

 private:
  const Id128 session_;
  std::vector<std::unique_ptr<RawConnection>> connections_;
};

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

/** Small messages never left it enough. */
TEST(Fairness, ALargeMessageHasItsTurnBesideSmallOnes) {
  ServerOptions options;
  options.limits.total_memory_bytes = std::uint64_t{64} << 20;
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

// ---- quotas -------------------------------------------------------------------------------------

/** A server whose clients, who have proved nothing, have this quota. */
ServerOptions with_quota(const Quota& quota) {
  ServerOptions options;
  options.policy = [quota] {
    Role role;
    role.name = "guests";
    role.who = Patterns({"anyone"});
    role.create = role.attach = role.call = Patterns({"*"});
    role.quota = quota;
    return std::make_shared<const Policy>(std::vector{std::make_shared<const Role>(role)});
  };
  return options;
}

TEST(Quota, CallsASecond) {
  Quota quota;
  quota.calls_per_second = 100;
  TestServer server(with_quota(quota));
  const auto peer = server.peer();
  const auto begin = Clock::now();
  for (int i = 0; i < 200; ++i) Call("public", "noop").run(*peer);
  // The first hundred are there at once, and none is refused.
  EXPECT_GE(Clock::now() - begin, milliseconds(800));
}

/** Calls, without waiting for their answers, that leave a note. */
void send_notes(RawConnection& connection, std::int32_t note, std::uint64_t calls,
                FrameType type = FrameType::request, std::uint16_t strand = 0) {
  connection.name("note");
  for (std::uint64_t id = 1; id <= calls; ++id) {
    Encoder body;
    body.put_string("public");
    body.put(std::int32_t{0});
    body.put(note);
    connection.send(type, body, 1, strand, type == FrameType::request ? id : 0);
  }
}

void go(RawConnection& connection) {
  Encoder done;
  done.put(std::int32_t{0});
  done.put_string("done");
  connection.send(FrameType::goodbye, done);
}

/**
 * Only the first few hundred of them were looked at when others might call, and what was read while
 * they waited was charged at once; answers were held back as others were to follow.
 */
TEST(Quota, CallsASecondOfManyConnections) {
  constexpr int calls_each = 40;
  Quota quota;
  quota.calls_per_second = 2000;
  TestServer server(with_quota(quota));
  const auto peer = server.peer();
  for (int i = 0; i < 2000; ++i) Call("public", "noop").run(*peer);
  std::vector<std::unique_ptr<RawConnection>> connections;
  for (std::int32_t i = 0; i < 400; ++i) {
    connections.push_back(std::make_unique<RawConnection>(server));
    send_notes(*connections.back(), i, calls_each);
  }
  const auto before = static_cast<std::ptrdiff_t>(server.host.notes().size());
  for (const auto& each : connections) {
    EXPECT_EQ(each->next_answer().type, static_cast<std::uint8_t>(FrameType::reply));
  }
  std::vector<int> calls(connections.size());
  const std::vector<int> notes = server.host.notes();
  std::for_each(notes.begin() + before, notes.end(),
                [&](int note) { ++calls[static_cast<std::size_t>(note)]; });
  EXPECT_LT(*std::ranges::max_element(calls), calls_each);
}

/** They were dropped as slowly as they might have run, instead of calls that somebody waits for. */
TEST(Quota, CallsOfAClientThatIsGoneAreNotCounted) {
  Quota quota;
  quota.calls_per_second = 1;
  TestServer server(with_quota(quota));
  {
    RawConnection gone(server);
    send_notes(gone, 1, 1000);
    static_cast<void>(gone.next_answer());
  }
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  EXPECT_LE(server.host.notes().size(), 20u);
}

/** Calls that follow each other on an object began behind the first one, whatever the quota said.
 */
TEST(Quota, CallsOfOneThread) {
  for (const FrameType type : {FrameType::request, FrameType::oneway}) {
    for (const std::uint16_t strand : {0, 1}) {
      Quota quota;
      quota.calls_per_second = 200;
      TestServer server(with_quota(quota));
      {
        RawConnection connection(server);
        send_notes(connection, 1, 6000, type, strand);
        go(connection);
      }
      const auto begin = Clock::now();
      std::this_thread::sleep_for(milliseconds(500));
      const auto most =
          210 + 200 * std::chrono::duration<double>(Clock::now() - begin).count() * 1.5;
      EXPECT_LE(server.host.notes().size(), most) << static_cast<int>(type) << " " << strand;
    }
  }
}

/** Whoever said goodbye came back with a quota that had not been touched. */
TEST(Quota, WhoComesBackHasNoOther) {
  Quota quota;
  quota.calls_per_second = 100;
  TestServer server(with_quota(quota));
  const auto begin = Clock::now();
  for (int i = 0; i < 3; ++i) {
    const auto peer = server.peer();
    for (int k = 0; k < 100; ++k) Call("public", "noop").run(*peer);
    say_goodbye(*peer);
    EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 0; }));
  }
  EXPECT_GE(Clock::now() - begin, milliseconds(1800));
}

TEST(Quota, BytesASecond) {
  Quota quota;
  quota.bytes_per_second = 1 << 20;
  TestServer server(with_quota(quota));
  const auto peer = server.peer();
  const std::vector<double> values(std::size_t{1} << 16);
  const auto begin = Clock::now();
  for (int i = 0; i < 4; ++i) {
    Call echo("public", "echo");
    put_doubles(echo.encoder, values);
    echo.run(*peer);
  }
  EXPECT_GE(Clock::now() - begin, milliseconds(400));
}

/** Calls alone were counted, and what came besides was read as fast as it came. */
TEST(Quota, BytesOfWhatIsNoCall) {
  Quota quota;
  quota.bytes_per_second = 1 << 20;
  TestServer server(with_quota(quota));
  RawConnection connection(server);
  connection.name("noop");
  const auto begin = Clock::now();
  Encoder much;
  const std::vector<std::byte> bytes(32 << 10);
  much.put_bytes(bytes.data(), bytes.size());
  for (int i = 0; i < 64; ++i) connection.send(FrameType::ping, much);
  Encoder body;
  body.put_string("public");
  connection.send(FrameType::request, body, 1, 0, 1);
  connection.await(FrameType::reply, 1);
  EXPECT_GE(Clock::now() - begin, milliseconds(700));
}

/** They kept their memory and their descriptors until their calls had their turn, any number. */
TEST(Quota, ConnectionsThatHaveEnded) {
  Quota quota;
  quota.calls_per_second = 1;
  std::atomic<bool> is_lifted{false};
  ServerOptions options = with_quota(quota);
  options.policy = [&, limited = options.policy] {
    return is_lifted ? with_quota(Quota()).policy() : limited();
  };
  TestServer server(options);
  std::string why;
  for (int i = 0; i < 2000 && why.empty(); ++i) {
    try {
      RawConnection connection(server);
      send_notes(connection, i, 10, FrameType::oneway);
      go(connection);
    } catch (const Error& error) {
      why = error.what();
    }
  }
  EXPECT_NE(why.find("have ended still wait for the quota of role 'guests'"), std::string::npos)
      << why;
  EXPECT_LT(server.server.connection_count(), 500u);
  is_lifted = true;
  ::sidl_trust_reload();
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
}

TEST(Quota, CallsInWork) {
  Quota quota;
  quota.calls_in_work = 3;
  TestServer server(with_quota(quota));
  {
    const Greedy greedy(server, 10);
    EXPECT_TRUE(eventually([&] { return server.host.holding == 3; }));
    std::this_thread::sleep_for(milliseconds(100));
    EXPECT_EQ(server.host.holding, 3);
    server.host.release_holds();
    EXPECT_TRUE(eventually([&] {
      return server.server.counters().calls == 10 && server.server.calls_in_work() == 0;
    }));
  }
}

TEST(Quota, Objects) {
  Quota quota;
  quota.objects = 5;
  TestServer server(with_quota(quota));
  const auto one = server.peer(), other = server.peer();
  for (int i = 0; i < 3; ++i) static_cast<void>(one->create("test.Thing"));
  const auto kept = other->create("test.Thing");
  static_cast<void>(other->create("test.Thing"));
  try {
    static_cast<void>(other->create("test.Thing"));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::not_allowed);
    EXPECT_NE(std::string(error.what()).find("quota 'objects' of role 'guests'"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(server.host.object_count(), 5u);  // what could not be handed out is gone
  say_goodbye(*one);
  EXPECT_TRUE(eventually([&] { return server.host.object_count() == 2; }));
  EXPECT_NO_THROW(static_cast<void>(other->create("test.Thing")));
}

TEST(Quota, Connections) {
  Quota quota;
  quota.connections = 2;
  TestServer server(with_quota(quota));
  const RawConnection one(server);
  auto other = std::make_unique<RawConnection>(server);
  try {
    const RawConnection third(server);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("quota 'connections' of role 'guests'"),
              std::string::npos)
        << error.what();
    EXPECT_EQ(error.failure(), Failure::not_allowed);
  }
  other.reset();
  EXPECT_TRUE(eventually([&] {
    try {
      const RawConnection third(server);
      return true;
    } catch (const Error&) {
      return false;
    }
  }));
}

}  // namespace
