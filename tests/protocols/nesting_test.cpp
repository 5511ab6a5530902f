/**
 * Calls that nest to and fro, up to the limit and beyond.
 *
 * What passes the limit is answered, and leaves nothing behind: no thread, no count, no waiter. The
 * tests of nesting had stopped at 64, far from the limit, those of the limit had no call that
 * waited for its caller, and the raw peers of the hostile tests never called in the course of a
 * call.
 */
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "bouncer.hpp"
#include "raw_connection.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

constexpr std::uint32_t few = 2;
constexpr int deepest = few * calls_in_work_while_waiting;  ///< in work at each end

Limits of_few_calls() {
  Limits limits = one_connection();
  limits.calls_in_work = few;
  return limits;
}

ServerOptions options_with(const Limits& limits) {
  ServerOptions options;
  options.limits = limits;
  return options;
}

int to_and_fro(Callee& callee, int depth) {
  Message answer = Call("public", "bounce").with(std::int32_t{depth}).run(callee);
  return Decoder(answer).get<std::int32_t>();
}

std::string error_of(Callee& callee, int depth) {
  try {
    to_and_fro(callee, depth);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/** Runs `action` on a thread whose stack has that many bytes. */
void run_with_stack(std::size_t bytes, const std::function<void()>& action) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  pthread_t thread;
  const auto run = [](void* body) -> void* {
    (*static_cast<const std::function<void()>*>(body))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&action)),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace

TEST(Nesting, GoesAsDeepAsTheLimit) {
  TestServer server(options_with(of_few_calls()));
  TestClient client(server, of_few_calls());
  for (const int depth : {2 * deepest - 2, 2 * deepest - 1})
    EXPECT_EQ(to_and_fro(*client.peer, depth), depth);
}

TEST(Nesting, BeyondTheLimitIsAnsweredByTheServer) {
  TestServer server(options_with(of_few_calls()));
  TestClient client(server, of_few_calls());
  for (int i = 0; i < 3; ++i) {
    const std::string text = error_of(*client.peer, 2 * deepest);
    EXPECT_NE(text.find("calls in progress on a connection: 17 is above the limit of 16 (setting: "
                        "SIDL_RMI_MAX_CALLS"),
              std::string::npos)
        << text;
    // Nothing is left of it, and the connection is the same.
    EXPECT_EQ(to_and_fro(*client.peer, 2 * deepest - 1), 2 * deepest - 1);
  }
  EXPECT_EQ(server.server.connection_count(), 1u);
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
}

TEST(Nesting, BeyondTheLimitIsAnsweredByTheClient) {
  Limits more = of_few_calls();
  more.calls_in_work = 2 * few;
  TestServer server(options_with(more));
  TestClient client(server, of_few_calls());
  for (int i = 0; i < 3; ++i) {
    const std::string text = error_of(*client.peer, 2 * deepest + 1);
    EXPECT_NE(text.find("17 is above the limit of 16"), std::string::npos) << text;
    EXPECT_EQ(to_and_fro(*client.peer, 2 * deepest), 2 * deepest);
  }
  EXPECT_EQ(server.server.connection_count(), 1u);
}

TEST(Nesting, TheDefaultLimitIsReachable) {
  TestServer server;
  TestClient client(server);
  EXPECT_EQ(to_and_fro(*client.peer, 2047), 2047);
  EXPECT_NE(error_of(*client.peer, 2048), "");
  EXPECT_EQ(to_and_fro(*client.peer, 64), 64);
}

/** The stack, too, is a limit: it would have overflowed, which ends the process. */
TEST(Nesting, EndsBeforeTheStackDoes) {
  constexpr std::size_t small = 1024 * 1024;
  TestServer server;
  TestClient client(server);
  std::string text;
  int after = 0;
  run_with_stack(small, [&] {
    text = error_of(*client.peer, 2047);
    after = to_and_fro(*client.peer, 16);
  });
  EXPECT_NE(text.find("KiB of a thread's stack of 1024 KiB"), std::string::npos) << text;
  EXPECT_EQ(after, 16);
  EXPECT_EQ(server.server.connection_count(), 1u);
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
}

/** A peer that nests without end, and then says nothing more, holds a thread, and not the end. */
TEST(Nesting, ARawPeerCannotPassTheLimit) {
  TestServer server(options_with(of_few_calls()));
  Bouncer peer(server);
  std::uint64_t id = 1, parent = 0;
  while ((parent = peer.called_back()) != 0) peer.nest(parent, ++id);
  EXPECT_EQ(id, std::uint64_t{deepest} + 1);  // which was answered by an error
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == deepest; }));
  EXPECT_TRUE(server.server.stop(milliseconds(100)));
  EXPECT_TRUE(server.server.has_cut());
  EXPECT_EQ(server.server.calls_in_work(), 0);
}

/** The same, and it goes away in the middle. */
TEST(Nesting, ARawPeerThatLeavesHoldsNothing) {
  TestServer server(options_with(of_few_calls()));
  {
    Bouncer peer(server);
    for (std::uint64_t id = 2; id < 9; ++id) peer.nest(peer.called_back(), id);
    EXPECT_NE(peer.called_back(), 0u);
  }
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 0; }));
}

/** A nested call whose parent is answered before its turn has come is answered all the same. */
TEST(Nesting, OutlivesItsParent) {
  TestServer server;
  Bouncer peer(server);
  const std::uint64_t parent = peer.called_back();
  peer.nest_sleep(parent, 2, 200);
  peer.nest_sleep(parent, 3, 0);
  peer.answer(parent);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(peer.called_back(), 0u);
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
}

/** A call may end while the frame that cancels it is on its way: the server cannot know that. */
TEST(Nesting, IsGivenUpAfterManyCallsThatWereOver) {
  TestServer server;
  Bouncer peer(server);
  EXPECT_NE(peer.called_back(), 0u);
  for (std::uint64_t over = 2; over < 2000; ++over) peer.cancel(over);
  peer.cancel(1);
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
}

/** What a call in work waits for still runs, and nothing else. */
TEST(Nesting, GoesOnWhileTheServerEnds) {
  TestServer server;
  Bouncer peer(server);
  const std::uint64_t parent = peer.called_back();
  bool has_ended = false;
  std::thread end([&] { has_ended = server.server.stop(milliseconds(20000)); });
  const auto other = server.peer();
  std::optional<Error> refusal;
  const auto is_refused = [&] {
    try {
      Call("public", "noop").run(*other);
    } catch (const Error& error) {
      refusal = error;
    }
    return refusal.has_value();
  };
  EXPECT_TRUE(eventually(is_refused));
  EXPECT_EQ(refusal->fate(), Fate::not_sent);
  EXPECT_NE(std::string(refusal->what()).find("the server is shutting down"), std::string::npos);
  peer.nest_sleep(parent, 2, 0);
  EXPECT_EQ(peer.next_answer().type, static_cast<std::uint8_t>(FrameType::reply));
  peer.answer(parent);
  EXPECT_EQ(peer.next_answer().type, static_cast<std::uint8_t>(FrameType::reply));
  end.join();
  EXPECT_TRUE(has_ended);
  EXPECT_FALSE(server.server.has_cut());
}
