/** Calls over connections that break, take a part and no more, or are late, as they are told to. */
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <memory>
#include <thread>

#include "core/peer.hpp"
#include "core/server.hpp"
#include "rough_transport.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

namespace {

ServerOptions over_it() {
  ServerOptions options;
  options.listen = {.host = "127.0.0.1", .via = "rough"};
  return options;
}

}  // namespace

/** A server behind such a transport. */
class Rough : public testing::Test {
 protected:
  TestServer server{over_it()};

  /** Of a call with a deadline of some 100 ms, whatever there is no room for. */
  template <class Action>
  static void in_time(Action action) {
    const auto since = Clock::now();
    action();
    EXPECT_LT(Clock::now() - since, milliseconds(2000));
  }
  template <class Run>
  static void expect_time_out(Run run, Fate fate) {
    in_time([&] {
      try {
        run();
        ADD_FAILURE() << "it was not late";
      } catch (const Error& error) {
        EXPECT_EQ(error.failure(), Failure::time_out) << error.what();
        EXPECT_EQ(error.fate(), fate) << error.what();
      }
    });
  }
};

/** Connections break all the time: calls run at most once, and what was lent or made is settled. */
TEST_F(Rough, CallsAndBooksOverConnectionsThatBreak) {
  const auto peer = server.peer();
  int made = 0, failed = 0;
  rough::bytes_to_a_cut = 5000;
  for (int i = 0; i < 400; ++i) {
    try {
      const auto created = peer->create("test.Thing");
      ++made;
      Call("public", "note").with(std::int32_t{0}).with(std::int32_t{i}).run(*peer);
      peer->release(created.id, 1);
    } catch (const Error&) {
      ++failed;
    }
  }
  rough::bytes_to_a_cut = 0;
  EXPECT_GT(rough::cuts, 10);
  EXPECT_GT(made, failed);
  std::vector<int> notes = server.host.notes();
  EXPECT_TRUE(std::is_sorted(notes.begin(), notes.end()));
  EXPECT_EQ(std::adjacent_find(notes.begin(), notes.end()), notes.end()) << "a call ran twice";
  // Those whose note failed were not given back.
  const std::size_t most = static_cast<std::size_t>(failed);
  EXPECT_TRUE(eventually([&] {
    try {
      Call("public", "noop").run(*peer);
    } catch (const Error&) {
      return false;
    }
    return server.host.object_count() <= most;
  }));
  say_goodbye(*peer);
}

/** One that waits to be sent while another is sent slowly. The connection stays. */
TEST_F(Rough, DeadlinesHoldForCallsThatWaitToBeSent) {
  const auto peer = server.peer(one_connection());
  Call("public", "noop").run(*peer);
  const std::vector<double> values(1 << 20, 0.5);
  Call big("public", "echo");
  put_doubles(big.encoder, values);
  rough::delay_ms = 20;
  std::thread sends([&] { EXPECT_NO_THROW(big.run(*peer)); });
  std::this_thread::sleep_for(milliseconds(100));
  Call late("public", "note");
  late.with(std::int32_t{0}).with(7).deadline = milliseconds(200);
  expect_time_out([&] { late.run(*peer); }, Fate::not_sent);
  rough::delay_ms = 0;
  sends.join();
  Call("public", "noop").run(*peer);
  EXPECT_TRUE(server.host.notes().empty());
  say_goodbye(*peer);
}

/** Of a frame that the server has taken a part of, the thread does not wait for the rest. */
TEST_F(Rough, DeadlinesHoldInTheMiddleOfAFrame) {
  const TestClient client(server, one_connection());
  Peer& peer = *client.peer;
  Call("public", "note").with(std::int32_t{0}).with(0).run(peer);
  for (int i = 1; i <= 10; ++i) {
    rough::room = 3 * i;
    Call late("public", "note");
    late.with(std::int32_t{0}).with(i).deadline = milliseconds(100);
    if (i % 2 == 0) {
      in_time([&] { EXPECT_NO_THROW(late.send(peer)); });
    } else {
      expect_time_out([&] { late.run(peer); }, Fate::may_have_executed);
    }
    Call next("public", "note");  // of which nothing can be sent
    next.with(std::int32_t{0}).with(1000).deadline = milliseconds(100);
    EXPECT_THROW(next.run(peer), Error);
    rough::room = -1;
    // Nothing else is sent that would take the rest along.
    const auto has_come = [&] {
      const std::vector<int> notes = server.host.notes();
      return std::find(notes.begin(), notes.end(), i) != notes.end();
    };
    EXPECT_TRUE(i % 2 != 0 || eventually(has_come)) << i;
    Call("public", "noop").run(peer);
  }
  EXPECT_EQ(std::ranges::count(server.host.notes(), 1000), 0);
  say_goodbye(peer);
}

/** The same of one with an array, which its caller may free at once. */
TEST_F(Rough, DeadlinesHoldInTheMiddleOfAnArray) {
  const TestClient client(server, one_connection());
  Peer& peer = *client.peer;
  Call("public", "noop").run(peer);
  for (const int room : {0, 1, 40, 5000, 300000}) {
    auto values = std::make_unique<std::vector<double>>(50000, 0.5);
    auto late = std::make_unique<Call>("public", "echo");
    put_doubles(late->encoder, *values);
    late->deadline = milliseconds(100);
    rough::room = room;
    in_time([&] { EXPECT_THROW(late->run(peer), Error) << room; });
    std::fill(values->begin(), values->end(), -1);
    values.reset();
    late.reset();
    rough::room = -1;
    Call next("public", "echo");
    const std::vector<double> more(3000, 7.25);
    put_doubles(next.encoder, more);
    Message answer = next.run(peer);
    EXPECT_EQ(get_doubles(answer), more);
  }
  say_goodbye(peer);
}

/** Who has a ticket may write to the array, of which another reference was sent. */
TEST_F(Rough, WhatIsLeftOfAnArrayIsAsItWasSent) {
  const TestClient client(server, one_connection());
  Peer& peer = *client.peer;
  Call("public", "noop").run(peer);
  for (const int room : {40, 5000, 300000}) {
    const auto values = std::make_shared<std::vector<double>>(50000, 0.5);
    Call late("public", "echo");
    put_doubles(late.encoder, *values, values);
    late.deadline = milliseconds(100);
    rough::room = room;
    std::unique_ptr<PendingCall> ticket;
    in_time([&] { ticket = late.begin(peer); });
    std::fill(values->begin(), values->end(), -1);
    rough::room = -1;
    Call("public", "noop").run(peer);
    ASSERT_TRUE(ticket->is_over());
    EXPECT_EQ(get_doubles(ticket->answer()), std::vector<double>(50000, 0.5)) << room;
  }
  say_goodbye(peer);
}

/** What is larger than the rest that is copied stays with the caller until it is sent. */
TEST_F(Rough, WhatIsTooLargeToBeCopiedIsWaitedFor) {
  const TestClient client(server, one_connection());
  Peer& peer = *client.peer;
  Call("public", "noop").run(peer);
  std::vector<double> values(1 << 18, 0.5);
  Call late("public", "echo");
  put_doubles(late.encoder, values);
  late.deadline = milliseconds(100);
  rough::room = 5000;
  std::thread makes_room([] {
    std::this_thread::sleep_for(milliseconds(500));
    rough::room = -1;
  });
  const auto since = Clock::now();
  EXPECT_THROW(late.run(peer), Error);
  EXPECT_GE(Clock::now() - since, milliseconds(400));
  makes_room.join();
  std::fill(values.begin(), values.end(), 7.25);
  Call next("public", "echo");
  put_doubles(next.encoder, values);
  Message answer = next.run(peer);
  EXPECT_EQ(get_doubles(answer), values);
  say_goodbye(peer);
}

/** What was counted and then not sent would never have been read, and what waits for it not run. */
TEST_F(Rough, AReleaseDoesNotWaitForWhatWasNotSent) {
  Limits limits;
  limits.pool_connections = 2;
  const auto peer = server.peer(limits);
  std::promise<std::string> object;
  std::thread other([&] {
    Call("public", "hold").run(*peer);  // over a connection of this thread's
    peer->release(object.get_future().get(), 1);
  });
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  Call("public", "noop").run(*peer);
  rough::room = 0;
  Call late("public", "note");
  late.with(std::int32_t{0}).with(0).deadline = milliseconds(100);
  EXPECT_THROW(late.run(*peer), Error);
  rough::room = -1;
  object.set_value(peer->create("test.Thing").id);
  EXPECT_EQ(server.host.object_count(), 1u);
  server.host.release_holds();
  other.join();
  EXPECT_TRUE(eventually([&] { return server.host.object_count() == 0; }));
  EXPECT_TRUE(server.host.notes().empty());
  say_goodbye(*peer);
}

/** The answer to a callback is sent later, whether the server or another thread is in its way. */
TEST_F(Rough, DeadlinesHoldForWhoRunsACallback) {
  for (const bool another_sends : {false, true}) {
    TestClient client(server, one_connection());
    Peer& peer = *client.peer;
    Call("public", "noop").run(peer);
    std::thread caller([&] {
      Call late("public", "slowly_back_to_hold");
      late.deadline = milliseconds(300);
      expect_time_out([&] { late.run(peer); }, Fate::may_have_executed);
    });
    EXPECT_TRUE(eventually([&] { return client.host.holding == 1; }));
    rough::room = 0;
    std::thread sends;
    if (another_sends) {
      sends = std::thread([&] {
        const std::vector<double> values(1 << 18, 0.5);
        Call big("public", "echo");
        put_doubles(big.encoder, values);
        EXPECT_NO_THROW(big.run(peer));
      });
      std::this_thread::sleep_for(milliseconds(50));
    }
    client.host.release_holds();
    caller.join();
    rough::room = -1;
    if (another_sends) sends.join();
    EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
    Call("public", "noop").run(peer);
    say_goodbye(peer);
  }
}

/** A thread whose connection was lost says so before its first call over another one. */
TEST_F(Rough, DeadlinesHoldAfterALostConnection) {
  const auto peer = server.peer(one_connection());
  for (const bool one_way : {false, true}) {
    Call("public", "note").with(std::int32_t{0}).with(1).send(*peer);
    rough::bytes_to_a_cut = 1;
    EXPECT_THROW(Call("public", "noop").run(*peer), Error);
    rough::bytes_to_a_cut = 0;
    std::thread([&] { Call("public", "noop").run(*peer); }).join();
    rough::room = 0;
    Call late("public", "note");
    late.with(std::int32_t{0}).with(2).deadline = milliseconds(300);
    const auto run = [&] { one_way ? late.send(*peer) : void(late.run(*peer)); };
    expect_time_out(run, Fate::not_sent);
    rough::room = -1;
    Call("public", "note").with(std::int32_t{0}).with(3).run(*peer);
    EXPECT_EQ(std::ranges::count(server.host.notes(), 2), 0);
  }
  say_goodbye(*peer);
}
