/**
 * What an identity may use is limited by the policy: calls, bytes, objects and connections.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "bouncer.hpp"
#include "core/policy.hpp"
#include "greedy_clients.hpp"
#include "raw_connection.hpp"
#include "sidl_trust.h"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

namespace {

/** A server whose clients, who have proved nothing, have this quota. */
ServerOptions with_quota(const Quota& quota) {
  ServerOptions options;
  options.policy = [quota] {
    Role role;
    role.name = "guests";
    role.who = Patterns({"anyone"});
    role.create = role.attach = role.call = role.refer = Patterns({"*"});
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

void go(RawConnection& connection) {
  Encoder done;
  done.put(std::int32_t{0});
  done.put_string("done");
  connection.send(FrameType::goodbye, done);
}

/**
 * Only the first few hundred of them were looked at when others might call, and what was read while
 * they waited was charged at once; answers were held back as others were to follow. Who came first
 * when there was something left was a matter of luck.
 */
TEST(Quota, CallsASecondOfManyConnections) {
  constexpr int calls_each = 250;  // more than may run at once, however long this test stood still
  Quota quota;
  quota.calls_per_second = 200;
  TestServer server(with_quota(quota));
  std::vector<std::unique_ptr<RawConnection>> connections;
  for (std::int32_t i = 0; i < 400; ++i) {
    connections.push_back(std::make_unique<RawConnection>(server));
    send_notes(*connections.back(), i, calls_each);
  }
  const std::size_t before = server.host.notes().size();
  std::vector<bool> served(connections.size());
  std::vector<int> calls(connections.size());  // since all of them wait
  std::size_t unserved = connections.size(), counted = 0;
  EXPECT_TRUE(eventually([&] {
    const std::vector<int> notes = server.host.notes();
    for (; counted < notes.size() && unserved > 0; ++counted) {
      const auto note = static_cast<std::size_t>(notes[counted]);
      if (!served[note]) --unserved;
      served[note] = true;
      if (counted >= before) ++calls[note];
    }
    return unserved == 0;
  }));
  EXPECT_LE(*std::ranges::max_element(calls), 10);
  // Answers are not held back because others are to follow.
  for (const auto& each : connections) {
    EXPECT_EQ(each->next_answer().type, static_cast<std::uint8_t>(FrameType::reply));
  }
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
      const auto begin = Clock::now();  // calls run while others are sent
      {
        RawConnection connection(server);
        send_notes(connection, 1, 6000, type, strand);
        go(connection);
      }
      std::this_thread::sleep_for(milliseconds(500));
      const std::size_t notes = server.host.notes().size();
      const auto most =
          210 + 200 * std::chrono::duration<double>(Clock::now() - begin).count() * 1.5;
      EXPECT_LE(notes, most) << static_cast<int>(type) << " " << strand;
    }
  }
}

/** A client that never answered a call back made as many others meanwhile as it liked. */
TEST(Quota, CallsWithinACall) {
  Quota quota;
  quota.calls_per_second = 100;
  TestServer server(with_quota(quota));
  Bouncer client(server);
  const std::uint64_t parent = client.called_back();
  const auto begin = Clock::now();
  for (std::uint64_t id = 2; id < 182; ++id) {
    client.nest_sleep(parent, id, 0);
    EXPECT_EQ(client.called_back(), 0u);
  }
  EXPECT_GE(Clock::now() - begin, milliseconds(700));
  client.answer(parent);
  EXPECT_EQ(client.next_answer().request, 1u);
}

/** Nor were its bytes counted. */
TEST(Quota, BytesWithinACall) {
  Quota quota;
  quota.bytes_per_second = 1 << 20;
  TestServer server(with_quota(quota));
  Bouncer client(server);
  const std::uint64_t parent = client.called_back();
  const auto begin = Clock::now();
  Encoder much;
  const std::vector<std::byte> bytes(32 << 10);
  much.put_bytes(bytes.data(), bytes.size());
  for (int i = 0; i < 64; ++i) client.send(FrameType::ping, much);
  client.answer(parent);
  EXPECT_EQ(client.next_answer().request, 1u);
  EXPECT_GE(Clock::now() - begin, milliseconds(700));
}

void send_pings(RawConnection& connection, int pings, std::size_t bytes_each) {
  Encoder much;
  const std::vector<std::byte> bytes(bytes_each);
  much.put_bytes(bytes.data(), bytes.size());
  for (int i = 0; i < pings; ++i) connection.send(FrameType::ping, much);
}

/**
 * Who began to read on behind a call that waits while some bytes were left read all there was: that
 * they were used up meanwhile was not noticed.
 */
TEST(Quota, BytesBehindACallThatWaits) {
  Quota quota;
  quota.calls_in_work = 1;
  quota.bytes_per_second = 64 << 10;
  TestServer server(with_quota(quota));
  const Greedy greedy(server, 1);
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  RawConnection waiting(server);
  waiting.name("noop");
  Encoder body;
  body.put_string("public");
  waiting.send(FrameType::request, body, 1, 0, 1);
  std::this_thread::sleep_for(milliseconds(50));  // it is not read now, but now and then
  const auto begin = Clock::now();
  send_pings(waiting, 12, 15 << 10);
  waiting.settle();
  EXPECT_GE(Clock::now() - begin, milliseconds(900));
}

/** The thread that reads when all others are busy had not asked for it, and came back at once. */
TEST(Quota, BytesWhileAllThreadsAreBusy) {
  Quota quota;
  quota.bytes_per_second = 64 << 10;
  ServerOptions options = with_quota(quota);
  options.threads = 1;
  options.spare_threads = 0;
  TestServer server(options);
  const Greedy greedy(server, 1);
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  RawConnection connection(server);
  const auto begin = Clock::now();
  send_pings(connection, 12, 15 << 10);
  connection.settle();
  EXPECT_GE(Clock::now() - begin, milliseconds(900));
}

/** Each of them was read on slowly for itself. */
TEST(Quota, BytesOfManyConnections) {
  Quota quota;
  quota.bytes_per_second = 128 << 10;
  TestServer server(with_quota(quota));
  std::vector<std::unique_ptr<RawConnection>> connections;
  for (int i = 0; i < 8; ++i) connections.push_back(std::make_unique<RawConnection>(server));
  const auto begin = Clock::now();
  for (const auto& each : connections) send_pings(*each, 3, 15 << 10);
  for (const auto& each : connections) each->settle();
  EXPECT_GE(Clock::now() - begin, milliseconds(1200));
}

/** The rest of a message that had come, but that was not read, was missed. */
TEST(Quota, WhoWaitsForItIsNotSilent) {
  Quota quota;
  quota.bytes_per_second = 64 << 10;
  ServerOptions options = with_quota(quota);
  options.limits.keepalive_ms = 150;
  TestServer server(options);
  RawConnection slow(server), fast(server);
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::ping);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(&header, 1));
  ::send(slow.fd(), bytes.data(), 4, MSG_NOSIGNAL);
  std::this_thread::sleep_for(milliseconds(150));  // no thread waits for the rest any more
  send_pings(fast, 1, 192 << 10);  // which is read to its end, and then nothing for long
  std::this_thread::sleep_for(milliseconds(30));
  ::send(slow.fd(), bytes.data() + 4, bytes.size() - 4, MSG_NOSIGNAL);
  fast.settle();
  slow.settle();
  EXPECT_FALSE(server.host.logged("the rest of a message has not come"));
}

/** That the server ends they were told one by one, as slowly as they might have run. */
TEST(Quota, DoesNotDelayTheEnd) {
  for (const FrameType type : {FrameType::request, FrameType::oneway}) {
    for (const std::uint16_t strand : {0, 1}) {
      Quota quota;
      quota.calls_per_second = 0.01;
      TestServer server(with_quota(quota));
      RawConnection connection(server);
      send_notes(connection, 1, 20, type, strand);
      EXPECT_TRUE(eventually([&] { return !server.host.notes().empty(); }));
      EXPECT_TRUE(server.server.stop(milliseconds(20000)))
          << static_cast<int>(type) << " " << strand;
      EXPECT_EQ(server.host.notes().size(), 1u);
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

/** Who found a place free took it, though others had waited for long. */
TEST(Quota, CallsInWorkOfThoseWhoWaitInTurn) {
  constexpr int calls_each = 300;
  Quota quota;
  quota.calls_in_work = 1;
  TestServer server(with_quota(quota));
  std::vector<std::unique_ptr<RawConnection>> connections;
  for (std::int32_t i = 0; i < 12; ++i) {
    connections.push_back(std::make_unique<RawConnection>(server));
    send_notes(*connections.back(), i, calls_each, FrameType::request, 0, 1);
  }
  const std::size_t before = server.host.notes().size();
  const std::size_t enough = before + 100 * connections.size();
  EXPECT_TRUE(eventually([&] { return server.host.notes().size() >= enough; }));
  std::vector<int> calls(connections.size());
  const std::vector<int> notes = server.host.notes();
  for (std::size_t i = before; i < enough; ++i) ++calls[static_cast<std::size_t>(notes[i])];
  const auto [least, most] = std::ranges::minmax(calls);
  EXPECT_LE(most - least, 30) << least << " " << most;
}

TEST(Quota, CallsInWorkOfManyWhoComeAtOnce) {
  Quota quota;
  quota.calls_in_work = 3;
  constexpr int many = 12;
  for (int round = 0; round < 20 && !testing::Test::HasFailure(); ++round) {
    TestServer server(with_quota(quota));
    std::vector<std::unique_ptr<RawConnection>> connections;
    for (int i = 0; i < many; ++i) {
      connections.push_back(std::make_unique<RawConnection>(server));
      connections.back()->name("hold");
    }
    std::barrier all_are_there(many);
    std::vector<std::thread> threads;
    for (const auto& connection : connections) {
      threads.emplace_back([&connection, &all_are_there] {
        Encoder body;
        body.put_string("public");
        all_are_there.arrive_and_wait();
        connection->send(FrameType::request, body, 1, 0, 1);
      });
    }
    for (std::thread& each : threads) each.join();
    EXPECT_TRUE(eventually([&] { return server.host.holding == 3; }));
    std::this_thread::sleep_for(milliseconds(10));
    EXPECT_EQ(server.host.holding, 3);
    server.host.release_holds();
    EXPECT_TRUE(eventually([&] { return server.server.counters().calls == many; }));
    EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  }
}

/** Those that wait for their object's turn took no part in the count, nor did they when they ran.
 */
TEST(Quota, CallsInWorkOfObjectsThatRunOneAtATime) {
  Quota quota;
  quota.calls_in_work = 2;
  TestServer server(with_quota(quota));
  server.host.serializes = true;
  const auto maker = server.peer();
  const std::string other = maker->create("test.Thing").id;
  std::atomic<int> done{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&server, &done, &other, i] {
      const auto peer = server.peer();
      for (int call = 0; call < 40; ++call) {
        Call(i % 2 == 0 ? "public" : other, "sleep").with(std::int32_t{1}).run(*peer);
        ++done;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(done, 12 * 40);
  EXPECT_LE(server.host.most_asleep, 2);
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
}

/**
 * How many calls each of them begins at once (0: it calls), whether objects run one at a time, and
 * whether it polls for the answers.
 */
class CallsWithinCalls : public testing::TestWithParam<std::tuple<int, bool, bool>> {
 protected:
  void set_up(TestHost& host) { std::tie(host.begins, host.serializes, host.polls) = GetParam(); }
};

/** A call made in the course of a call waited for the quota that the latter used. */
TEST_P(CallsWithinCalls, OfOneClient) {
  for (unsigned calls_in_work : {1U, 2U}) {
    Quota quota;
    quota.calls_in_work = calls_in_work;
    TestServer server(with_quota(quota));
    TestClient client(server);
    set_up(server.host);
    set_up(client.host);
    client.peer->lender();
    for (int round = 0; round < 5; ++round) {
      const auto pending = Call("public", "bounce").with(std::int32_t{4}).begin(*client.peer);
      Message answer = Call("public", "bounce").with(std::int32_t{5}).run(*client.peer);
      EXPECT_EQ(Decoder(answer).get<std::int32_t>(), 5);
      EXPECT_EQ(Decoder(pending->answer()).get<std::int32_t>(), 4);
    }
    EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  }
}

TEST_P(CallsWithinCalls, OfServersThatCallEachOther) {
  for (unsigned calls_in_work : {1U, 2U}) {
    Quota quota;
    quota.calls_in_work = calls_in_work;
    TestServer one(with_quota(quota)), other(with_quota(quota));
    set_up(one.host);
    set_up(other.host);
    one.host.next = other.peer();
    other.host.next = one.peer();
    for (int round = 0; round < 5; ++round) {
      Message answer = Call("public", "circle").with(std::int32_t{5}).run(*one.peer());
      EXPECT_EQ(Decoder(answer).get<std::int32_t>(), 5);
    }
    EXPECT_TRUE(eventually(
        [&] { return one.server.calls_in_work() == 0 && other.server.calls_in_work() == 0; }));
    one.host.next = other.host.next = nullptr;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CallsWithinCalls,
                         testing::Combine(testing::Values(0, 1, 2), testing::Bool(),
                                          testing::Bool()));

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
