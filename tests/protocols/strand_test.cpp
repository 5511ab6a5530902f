/**
 * Calls that run one at a time, and chains of calls, which pass what they hold themselves.
 *
 * The tests of load had called objects that anybody may call at any time, and none had two servers
 * that called each other.
 */
#include <gtest/gtest.h>

#include <thread>

#include "core/object_strands.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

/** A server that runs one call of an object at a time. */
struct Serial : TestServer {
  explicit Serial(unsigned threads = 32) : TestServer(options_of(threads)) {
    host.serializes = true;
  }
  static ServerOptions options_of(unsigned threads) {
    ServerOptions options;
    options.threads = threads;
    options.spare_threads = 0;
    return options;
  }
};

/** Two servers that call each other. */
struct Circle {
  explicit Circle(unsigned threads = 2) : a(threads), b(threads) {
    a.host.next = b.peer();
    b.host.next = a.peer();
  }
  ~Circle() {
    a.host.release_holds();
    b.host.release_holds();
  }
  bool is_at_rest() { return a.server.calls_in_work() == 0 && b.server.calls_in_work() == 0; }
  Serial a, b;
};

int go_round(Callee& callee, int depth) {
  Message answer = Call("public", "circle").with(std::int32_t{depth}).run(callee);
  return Decoder(answer).get<std::int32_t>();
}

std::string failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

template <class Action>
void in_threads(int count, Action action) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back(action);
  for (std::thread& each : threads) each.join();
}

}  // namespace

/** Calls that waited when their server ended told a connection that was gone that they were over.
 */
TEST(Strand, ACallThatWaitsEndsBeforeItsConnection) {
  struct Connection final : CallCounter {
    explicit Connection(int& all) : ended(all) {}
    void call_ended(bool) noexcept override { ++ended; }
    int& ended;
  };
  int ended = 0;
  const auto waiting = [&ended] {
    const auto counter = std::make_shared<Connection>(ended);
    IncomingCall call;
    call.count = CountedCall(*counter);
    // Nobody but the call that waits has the connection.
    return QueuedCall(std::move(call), std::shared_ptr<Link>(counter, nullptr));
  };
  { const QueuedCall dropped = waiting(); }
  EXPECT_EQ(ended, 1);
  QueuedCall replaced = waiting();
  replaced = waiting();
  EXPECT_EQ(ended, 2);
}

TEST(Strand, CallsOfAnObjectRunOneAtATime) {
  Serial server;
  in_threads(8, [&] {
    const auto peer = server.peer();
    for (int i = 0; i < 30; ++i) Call("public", "alone").with(i % 3).run(*peer);
  });
  EXPECT_EQ(server.host.overlaps, 0);
  EXPECT_EQ(ObjectStrands::of_process().report().waiting, 0);
}

TEST(Strand, CallsOfOthersGoOn) {
  Serial server(2);
  const auto peer = server.peer();
  const std::string other = peer->create("test.Thing").id;
  std::thread holds([&] { Call("public", "hold").run(*server.peer()); });
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  std::vector<std::unique_ptr<PendingCall>> waiting;
  const auto many = server.peer();
  for (int i = 0; i < 40; ++i) waiting.push_back(Call("public", "noop").begin(*many));
  std::thread also([&] { Call("public", "noop").run(*server.peer()); });
  EXPECT_TRUE(eventually([&] { return ObjectStrands::of_process().report().waiting == 2; }));
  EXPECT_EQ(ObjectStrands::of_process().report().longest, 2);
  Call noop(other, "noop");
  noop.deadline = milliseconds(10000);
  EXPECT_NO_THROW(noop.run(*peer));
  server.host.release_holds();
  for (const auto& each : waiting) EXPECT_NO_THROW(each->answer());
  holds.join();
  also.join();
  EXPECT_EQ(ObjectStrands::of_process().report().waiting, 0);
}

/** What a client does that loses patience: the second call does not meet the first. */
TEST(Strand, ACallThatIsTriedAgainDoesNotMeetTheFirst) {
  Serial server;
  const auto peer = server.peer();
  Call first("public", "alone");
  first.with(std::int32_t{300}).deadline = milliseconds(50);
  EXPECT_NE(failure_of([&] { first.run(*peer); }), "");
  Call again("public", "alone");
  EXPECT_NO_THROW(again.with(std::int32_t{0}).run(*peer));
  EXPECT_EQ(server.host.overlaps, 0);
}

TEST(Strand, DeadlinesHoldForCallsThatWait) {
  Serial server;
  std::thread holds([&] { Call("public", "hold").run(*server.peer()); });
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  // The connection stays: calls of one that has ended leave the queue before their time is up.
  const auto peer = server.peer();
  peer->create("test.Thing");
  Call late("public", "note");
  late.with(std::int32_t{0}).with(7).deadline = milliseconds(50);
  EXPECT_NE(failure_of([&] { late.run(*peer); }), "");
  // To the server, which counts from when it has read the call, it is over a little later.
  EXPECT_TRUE(eventually([&] { return ObjectStrands::of_process().report().waiting == 1; }));
  std::this_thread::sleep_for(milliseconds(60));
  server.host.release_holds();
  holds.join();
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  EXPECT_TRUE(server.host.notes().empty());
}

TEST(Strand, ACallThatWaitsCanBeCancelled) {
  Serial server;
  std::thread holds([&] { Call("public", "hold").run(*server.peer()); });
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  const auto pending = Call("public", "note").with(std::int32_t{0}).with(7).begin(*server.peer());
  EXPECT_TRUE(eventually([&] { return ObjectStrands::of_process().report().waiting == 1; }));
  EXPECT_TRUE(pending->cancel());
  EXPECT_TRUE(eventually([&] { return ObjectStrands::of_process().report().waiting == 0; }));
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 1; }));
  server.host.release_holds();
  holds.join();
  EXPECT_TRUE(server.host.notes().empty());
}

TEST(Strand, OneWayCallsKeepTheirOrderAndAreNotLost) {
  Serial server;
  std::vector<int> expected;
  const auto peer = server.peer();
  std::thread others([&] {
    const auto other = server.peer();
    for (int i = 0; i < 200; ++i) Call("public", "alone").with(std::int32_t{0}).run(*other);
  });
  for (int i = 0; i < 300; ++i) {
    expected.push_back(i);
    Call("public", "note").with(std::int32_t{0}).with(i).send(*peer);
  }
  Call("public", "noop").run(*peer);
  others.join();
  EXPECT_EQ(server.host.notes(), expected);
}

/** Nobody who waits is overtaken for ever by one who comes again and again. */
TEST(Strand, WhoComesFirstIsServedFirst) {
  Serial server;
  std::atomic<bool> done{false};
  std::vector<std::thread> busy;
  for (int t = 0; t < 4; ++t) {
    busy.emplace_back([&] {
      const auto peer = server.peer();
      while (!done) Call("public", "alone").with(std::int32_t{1}).run(*peer);
    });
  }
  const auto peer = server.peer();
  for (int i = 0; i < 20; ++i) {
    Call modest("public", "noop");
    modest.deadline = milliseconds(10000);
    EXPECT_NO_THROW(modest.run(*peer));
  }
  done = true;
  for (std::thread& each : busy) each.join();
}

TEST(Strand, CallbacksPassTheObjectTheyComeFrom) {
  Serial server;
  TestClient client(server);
  client.host.serializes = true;
  Message answer = Call("public", "bounce").with(std::int32_t{64}).run(*client.peer);
  EXPECT_EQ(Decoder(answer).get<std::int32_t>(), 64);
}

TEST(Chain, GoesInACircleDeeperThanThereAreThreads) {
  Circle circle;
  EXPECT_EQ(go_round(*circle.a.peer(), 200), 200);
  EXPECT_EQ(go_round(*circle.a.peer(), 200), 200);
  EXPECT_TRUE(eventually([&] { return circle.is_at_rest(); }));
}

TEST(Chain, GoesInACircleWhereCallsAreNotSerialized) {
  Circle circle;
  circle.a.host.serializes = circle.b.host.serializes = false;
  EXPECT_EQ(go_round(*circle.a.peer(), 200), 200);
}

/**
 * A callback tells the object from which it was called something one way, and then asks it: the
 * question waited behind what it had told, and that for the end of the call which waited for both.
 */
TEST(Chain, OneWayCallsPassWhatIsWaitedForBehindThem) {
  class Telling : public TestHost {
   public:
    void call(IncomingCall& call, Answer& answer) override {
      for (int i = 1; i <= 3; ++i) {
        Call("public", "note").with(std::int32_t{0}).with(std::int32_t{i}).send(*answer.caller);
      }
      Call asks("public", "add");
      asks.deadline = milliseconds(10000);  // so that a fault fails, and does not hang
      sum = Decoder(*std::make_unique<Message>(asks.with(3).with(4).run(*answer.caller)))
                .get<std::int32_t>();
      told = server->notes();
      TestHost::call(call, answer);
    }
    TestHost* server = nullptr;
    std::vector<int> told;
    int sum = 0;
  };
  Serial server(2);
  Telling client;
  client.server = &server.host;
  Exports exports(client, 1000);
  const auto peer = std::make_shared<Peer>(server.server.endpoint(), Limits(), &exports);
  Message answer = Call("public", "bounce").with(std::int32_t{1}).run(*peer);
  EXPECT_EQ(Decoder(answer).get<std::int32_t>(), 1);
  EXPECT_EQ(client.sum, 7);
  EXPECT_EQ(client.told, (std::vector<int>{1, 2, 3}));
  say_goodbye(*peer);
}

/**
 * A call that runs on a thread which waits in the midst of another one has a deadline of its own,
 * or none: calls that were to take as long as they want ended by that of one that had been given
 * up.
 */
TEST(Chain, WhatRunsWithinAnotherCallIsKnown) {
  class Noting : public TestHost {
   public:
    void call(IncomingCall& call, Answer& answer) override {
      within.push_back(answer.is_within);
      left.push_back(answer.milliseconds_left >= 0);
      TestHost::call(call, answer);
    }
    std::vector<bool> within, left;
  };
  TestServer server;
  Noting client;
  Exports exports(client, 1000);
  const auto peer = std::make_shared<Peer>(server.server.endpoint(), Limits(), &exports);
  Call("public", "bounce").with(std::int32_t{5}).run(*peer);
  EXPECT_EQ(client.within, (std::vector<bool>{false, true, true}));
  EXPECT_EQ(client.left, (std::vector<bool>{false, false, false}));
  say_goodbye(*peer);
}

/**
 * A client that knows one server by two addresses. What it is called back for by one it passes on
 * by the other: each call that comes is nested in one for whose answer a thread waits, at either
 * end, but has long gone on to wait for another, of the other session. It was left to that thread
 * where that did not look, and there was no end.
 */
class TwoDoors : public TestHost {
 public:
  std::shared_ptr<Peer> one, other;

 protected:
  Callee& back(Answer& answer) override {
    return answer.caller->serial == one->serial ? *other : *one;
  }
};

class Doors : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(All, Doors, testing::Values(false, true));

TEST_P(Doors, ChainsGoInAndOutByBoth) {
  Serial server(2);
  TwoDoors client;
  Exports exports(client, 1000);
  server.host.serializes = client.serializes = GetParam();
  client.one = std::make_shared<Peer>(server.server.endpoint(), Limits(), &exports);
  client.other = std::make_shared<Peer>(server.server.endpoint(), Limits(), &exports);
  for (const int depth : {3, 4, 5, 6, 7, 60}) {
    Call call("public", "bounce");
    call.deadline = milliseconds(20000);  // so that a fault fails, and does not hang
    Message answer = call.with(std::int32_t{depth}).run(*client.one);
    ASSERT_EQ(Decoder(answer).get<std::int32_t>(), depth);
  }
  // From threads of their own, too, which find that all is at rest.
  std::atomic<int> wrong{0};
  in_threads(4, [&] {
    for (int i = 0; i < 10; ++i) {
      Call call("public", "bounce");
      call.deadline = milliseconds(20000);
      Message answer = call.with(std::int32_t{9}).run(i % 2 == 0 ? *client.one : *client.other);
      wrong += Decoder(answer).get<std::int32_t>() != 9;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  say_goodbye(*client.one);
  say_goodbye(*client.other);
}

TEST(Chain, ManyGoInCircles) {
  Circle circle;
  circle.a.host.serializes = circle.b.host.serializes = false;
  std::atomic<int> wrong{0};
  in_threads(8, [&] {
    const auto peer = circle.a.peer();
    for (int i = 0; i < 10; ++i) wrong += go_round(*peer, 24) != 24;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Chain, BeyondTheLimitIsAnsweredByAnError) {
  Circle circle;
  const std::string text = failure_of([&] { go_round(*circle.a.peer(), 100000); });
  EXPECT_NE(text.find("nested calls of a chain: 1025 is above the limit of 1024 (setting: "
                      "SIDL_RMI_MAX_CALLS"),
            std::string::npos)
      << text;
  EXPECT_EQ(go_round(*circle.a.peer(), 20), 20);
  EXPECT_TRUE(eventually([&] { return circle.is_at_rest(); }));
}

/** The caller goes away while the chain is deep: all waits end, only what runs is let finish. */
TEST(Chain, EndsWithItsCaller) {
  Circle circle;
  const auto peer = circle.a.peer();
  std::thread caller([&] {
    EXPECT_NE(
        failure_of([&] { Call("public", "circle_to_hold").with(std::int32_t{21}).run(*peer); }),
        "");
  });
  EXPECT_TRUE(eventually([&] { return circle.b.host.holding == 1; }));
  say_goodbye(*peer);
  caller.join();
  // Those at whose end nothing runs are gone; the last one holds.
  EXPECT_TRUE(eventually([&] { return circle.a.server.calls_in_work() == 0; }));
  circle.b.host.release_holds();
  EXPECT_TRUE(eventually([&] { return circle.is_at_rest(); }));
}

/** The same if it gives the call up. */
TEST(Chain, EndsWhenItIsCancelled) {
  Circle circle;
  const auto pending =
      Call("public", "circle_to_hold").with(std::int32_t{1}).begin(*circle.a.peer());
  EXPECT_TRUE(eventually([&] { return circle.b.host.holding == 1; }));
  EXPECT_TRUE(pending->cancel());
  EXPECT_TRUE(eventually([&] { return circle.a.server.calls_in_work() == 0; }));
  circle.b.host.release_holds();
  EXPECT_TRUE(eventually([&] { return circle.is_at_rest(); }));
}
