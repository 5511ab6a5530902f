/** Observers of nonblocking calls: told once, whoever waits, and by few threads. */
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <thread>

#include "raw_connection.hpp"
#include "raw_frames.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

using SharedCalls = std::vector<std::shared_ptr<PendingCall>>;

std::ptrdiff_t count_threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

/** The failure that a call ended with. */
Failure ended_with(PendingCall& call) {
  try {
    call.answer();
  } catch (const Error& error) {
    return error.failure();
  }
  ADD_FAILURE() << "no error";
  return Failure::protocol;
}

/** Observes calls, with the threads of a client. */
class Observing {
 public:
  std::shared_ptr<PendingCall> begin(Callee& callee, const std::string& method,
                                     milliseconds deadline = {}) {
    Call call("public", method);
    call.deadline = deadline;
    return call.begin(callee);
  }
  void observe(PendingCall& call) {
    call.observe(exports, [this] { ++told; });
  }
  /** So many were told, and none of them twice. */
  bool are_told(int count) {
    const bool enough = eventually([&] { return told >= count; });
    std::this_thread::sleep_for(milliseconds(10));
    return enough && told == count;
  }

  std::atomic<int> told{0};
  TestHost host;
  Exports exports{host, 1000};
};

Endpoint address_over(const std::string& transport) {
  if (transport == "tcp") return {"127.0.0.1", 0};
  const std::string path = testing::TempDir() + "observed_" + std::to_string(::getpid());
  if (transport == "unix") return {.path = path};
  if (transport == "pipes") return {.path = path, .via = transport};
  if (transport == "shm") return {.host = "observed." + std::to_string(::getpid()), .via = "shm"};
  return {.host = "127.0.0.1", .via = transport};
}

ServerOptions served_over(const std::string& transport) {
  ServerOptions options;
  options.listen = address_over(transport);
  return options;
}

Limits pinging_often() {
  Limits limits;
  limits.keepalive_ms = 60;
  return limits;
}

}  // namespace

/** Over each transport. */
class ObservedOver : public testing::TestWithParam<const char*> {};

TEST_P(ObservedOver, ManyCallsTakeFewThreads) {
  constexpr int count = 2000;
  Observing observing;
  ServerOptions options = served_over(GetParam());
  options.limits.calls_in_work = count + 1;  // else it would not read them all
  TestServer server(options);
  const auto peer = server.peer(one_connection());
  SharedCalls calls;
  calls.push_back(observing.begin(*peer, "hold"));  // the others are behind it
  EXPECT_TRUE(eventually([&] { return server.host.holding == 1; }));
  observing.observe(*calls.front());
  const auto before = count_threads();
  for (int i = 1; i < count; ++i) {
    calls.push_back(Call("public", "add").with(std::int32_t{i}).with(std::int32_t{1}).begin(*peer));
    observing.observe(*calls.back());
  }
  EXPECT_LT(count_threads() - before, 20);
  EXPECT_EQ(observing.told, 0);
  server.host.release_holds();
  EXPECT_TRUE(observing.are_told(count)) << observing.told;
  for (int i = 1; i < count; ++i) {
    EXPECT_EQ(Decoder(calls[static_cast<std::size_t>(i)]->answer()).get<std::int32_t>(), i + 1);
  }
}

TEST_P(ObservedOver, BigAnswersAreRead) {
  Observing observing;
  TestServer server(served_over(GetParam()));
  const auto peer = server.peer(one_connection());
  const std::vector<double> values(std::size_t{1} << 19, 2.5);  // 4 MiB
  SharedCalls calls;
  for (int i = 0; i < 6; ++i) {
    Call call("public", "echo");
    put_doubles(call.encoder, values);
    calls.push_back(call.begin(*peer));
    observing.observe(*calls.back());
  }
  EXPECT_TRUE(observing.are_told(6));
  for (const auto& call : calls) EXPECT_EQ(get_doubles(call->answer()), values);
}

TEST_P(ObservedOver, CallsEndWithTheConnection) {
  Observing observing;
  TestServer server(served_over(GetParam()));
  const auto peer = server.peer();
  SharedCalls calls;
  for (int i = 0; i < 20; ++i) {
    calls.push_back(observing.begin(*peer, "hold"));
    observing.observe(*calls.back());
  }
  EXPECT_TRUE(eventually([&] { return server.host.holding != 0; }));
  server.server.stop(milliseconds(0));
  EXPECT_TRUE(observing.are_told(20));
  for (const auto& call : calls) EXPECT_EQ(ended_with(*call), Failure::unexpected_close);
  server.host.release_holds();
  EXPECT_TRUE(eventually([&] { return server.host.holding == 0; }));
}

namespace {

constexpr const char* observed_over[] = {
    "tcp", "unix", "shm", "rough", "pipes",
#ifdef SHINAR_HAS_UCX
    "ucx",
#endif
};

}  // namespace

INSTANTIATE_TEST_SUITE_P(All, ObservedOver, testing::ValuesIn(observed_over),
                         [](const auto& info) { return std::string(info.param); });

TEST(Observed, WhatIsOverIsToldAtOnce) {
  Observing observing;
  TestServer server;
  const auto peer = server.peer();
  const auto answered = observing.begin(*peer, "noop");
  answered->answer();
  const auto cancelled = observing.begin(*peer, "hold");
  EXPECT_TRUE(cancelled->cancel());
  std::thread::id teller;
  for (const auto& call : {answered, cancelled}) {
    call->observe(observing.exports, [&] {
      ++observing.told;
      teller = std::this_thread::get_id();
    });
    EXPECT_EQ(std::exchange(teller, {}), std::this_thread::get_id());
  }
  EXPECT_TRUE(observing.are_told(2));
  server.host.release_holds();
}

TEST(Observed, EachOfSeveralObserversIsTold) {
  Observing observing;
  TestServer server;
  const auto peer = server.peer();
  const auto call = observing.begin(*peer, "hold");
  for (int i = 0; i < 5; ++i) observing.observe(*call);
  std::thread waits([&] { EXPECT_NO_THROW(call->answer()); });
  for (int i = 0; i < 5; ++i) observing.observe(*call);
  EXPECT_EQ(observing.told, 0);
  server.host.release_holds();
  EXPECT_TRUE(observing.are_told(10));
  waits.join();
}

TEST(Observed, CancelledItIsTold) {
  Observing observing;
  TestServer server;
  const auto peer = server.peer();
  const auto call = observing.begin(*peer, "hold", milliseconds(60000));
  observing.observe(*call);
  EXPECT_TRUE(call->cancel());
  EXPECT_TRUE(observing.are_told(1));
  EXPECT_EQ(ended_with(*call), Failure::cancelled);
  server.host.release_holds();
}

TEST(Observed, DeadlinesAreKept) {
  Observing observing;
  TestServer server;
  const auto peer = server.peer();
  SharedCalls calls;
  for (const int deadline : {60000, 40, 20}) {
    calls.push_back(observing.begin(*peer, "hold", milliseconds(deadline)));
    observing.observe(*calls.back());
  }
  EXPECT_TRUE(observing.are_told(2));
  EXPECT_EQ(ended_with(*calls[1]), Failure::time_out);
  EXPECT_EQ(ended_with(*calls[2]), Failure::time_out);
  server.host.release_holds();
  EXPECT_TRUE(observing.are_told(3));
  EXPECT_NO_THROW(calls[0]->answer());
}

TEST(Observed, ADroppedTicketIsTold) {
  Observing observing;
  TestServer server;
  const auto peer = server.peer();
  auto call = observing.begin(*peer, "hold");
  const std::weak_ptr<PendingCall> kept = call;
  observing.observe(*call);
  call.reset();
  EXPECT_FALSE(kept.expired());
  server.host.release_holds();
  EXPECT_TRUE(observing.are_told(1));
  EXPECT_TRUE(eventually([&] { return kept.expired(); }));
}

TEST(Observed, SlowObserversHoldUpNoAnswers) {
  Observing observing;
  TestServer server;
  const auto peer = server.peer(one_connection());
  std::promise<void> promise;
  const std::shared_future<void> go_on = promise.get_future().share();
  std::atomic<int> slow{0};
  SharedCalls calls;
  for (std::size_t i = 0; i < Tellers::most_threads; ++i) {
    calls.push_back(Call("public", "sleep").with(20).begin(*peer));  // not over yet
    calls.back()->observe(observing.exports, [&] {
      ++slow;
      go_on.wait();
    });
    const bool is_last = i + 1 == Tellers::most_threads;
    EXPECT_TRUE(eventually([&] { return slow == static_cast<int>(i) + 1; }));
    if (is_last) break;
    observing.observe(*observing.begin(*peer, "noop"));
    EXPECT_TRUE(observing.are_told(static_cast<int>(i) + 1)) << "others are told meanwhile";
  }
  const std::shared_ptr<PendingCall> last = Call("public", "sleep").with(20).begin(*peer);
  observing.observe(*last);
  EXPECT_TRUE(eventually([&] { return last->is_over(); }));
  EXPECT_NO_THROW(Call("public", "noop").run(*peer));
  promise.set_value();
  EXPECT_TRUE(observing.are_told(static_cast<int>(Tellers::most_threads)));
}

TEST(Observed, AnObserverMayEndItsThread) {
  Observing observing;
  TestServer server;
  const auto peer = server.peer();
  for (int i = 0; i < 6; ++i) {
    const std::shared_ptr<PendingCall> call = Call("public", "sleep").with(20).begin(*peer);
    call->observe(observing.exports, [&, test = std::this_thread::get_id()] {
      ++observing.told;
      if (std::this_thread::get_id() != test) ::pthread_exit(nullptr);
    });
    EXPECT_TRUE(observing.are_told(2 * i + 1));
    observing.observe(*observing.begin(*peer, "noop"));
    EXPECT_TRUE(observing.are_told(2 * i + 2));
  }
}

TEST(Observed, ObserversMayCall) {
  Observing observing;
  TestServer server;
  const auto peer = server.peer(one_connection());
  for (int i = 0; i < 20; ++i) {
    observing.begin(*peer, "noop")->observe(observing.exports, [&] {
      EXPECT_NO_THROW(Call("public", "noop").run(*peer));
      observing.observe(*observing.begin(*peer, "noop"));
    });
  }
  EXPECT_TRUE(observing.are_told(20));
}

/** A server says nothing any more, but its host still keeps the connection. */
TEST(Observed, AFrozenServerIsFound) {
  Observing observing;
  Endpoint endpoint{"127.0.0.1", 0};
  Socket listener = listen_on(endpoint);
  std::promise<void> promise;
  std::thread server([&] {
    const Socket socket = greet_client(listener, 60);
    promise.get_future().wait();
  });
  const auto peer = std::make_shared<Peer>(endpoint, pinging_often());
  const auto call = observing.begin(*peer, "noop");
  observing.observe(*call);
  EXPECT_TRUE(observing.are_told(1));
  EXPECT_EQ(ended_with(*call), Failure::unexpected_close);
  promise.set_value();
  server.join();
}

/** It lives while it answers pings. */
TEST(Observed, ASlowServerIsWaitedFor) {
  Observing observing;
  ServerOptions options;
  options.limits = pinging_often();
  TestServer server(options);
  const auto peer = server.peer(pinging_often());
  const auto call = observing.begin(*peer, "hold");
  observing.observe(*call);
  std::this_thread::sleep_for(milliseconds(500));
  EXPECT_EQ(observing.told, 0);
  server.host.release_holds();
  EXPECT_TRUE(observing.are_told(1));
  EXPECT_NO_THROW(call->answer());
}

TEST(Observed, AnswersFollowAGoodbye) {
  Observing observing;
  Endpoint endpoint{"127.0.0.1", 0};
  Socket listener = listen_on(endpoint);
  std::promise<void> promise;
  std::thread server([&] {
    const Socket socket = greet_client(listener);
    promise.get_future().wait();
    Encoder text;
    text.put(std::uint32_t{0});
    text.put_string("the server is shutting down");
    FrameHeader header;
    header.type = static_cast<std::uint8_t>(FrameType::goodbye);
    header.body = static_cast<std::uint32_t>(text.body_size());
    send_frame(socket.fd(), {}, header, text);
    std::this_thread::sleep_for(milliseconds(50));
    FrameHeader reply;
    reply.type = static_cast<std::uint8_t>(FrameType::reply);
    reply.request = 1;
    Encoder nothing;
    send_frame(socket.fd(), {}, reply, nothing);
  });
  const auto peer = std::make_shared<Peer>(endpoint, one_connection());
  const auto answered = observing.begin(*peer, "noop");
  const auto left = observing.begin(*peer, "noop");
  for (const auto& call : {answered, left}) observing.observe(*call);
  promise.set_value();
  EXPECT_TRUE(observing.are_told(2));
  EXPECT_NO_THROW(answered->answer());
  EXPECT_EQ(ended_with(*left), Failure::unexpected_close);
  server.join();
}

TEST(Observed, ItIsToldWhenTheClientTakesLeave) {
  Observing observing;
  TestServer server;
  const auto peer = server.peer();
  const auto call = observing.begin(*peer, "hold");
  observing.observe(*call);
  say_goodbye(*peer);
  EXPECT_TRUE(observing.are_told(1));
  EXPECT_EQ(ended_with(*call), Failure::unexpected_close);
  server.host.release_holds();
}

/** Threads that call and wait take turns with the one that reads for observers. */
TEST(Observed, AmongOtherCalls) {
  Observing observing;
  TestServer server;
  const auto peer = server.peer(one_connection());
  constexpr int count = 200;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < count; ++i) {
        const auto call = observing.begin(*peer, "noop", milliseconds(i % 2 * 60000));
        observing.observe(*call);
        if (i % 4 == t) Call("public", "noop").run(*peer);
        if (i % 3 == 0) call->cancel();
        if (i % 5 == 0) call->wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(observing.are_told(4 * count));
}

/** When the last thread that has read the connection has its own answer. */
TEST(Observed, TheWatcherTakesOver) {
  Observing observing;
  TestServer server;
  const auto peer = server.peer(one_connection());
  const auto call = observing.begin(*peer, "hold");
  observing.observe(*call);
  std::atomic<bool> over{false};
  std::thread caller([&] {
    while (!over) Call("public", "sleep").with(std::int32_t{1}).run(*peer);
  });
  std::this_thread::sleep_for(milliseconds(50));
  over = true;
  caller.join();
  server.host.release_holds();
  EXPECT_TRUE(observing.are_told(1));
}

TEST(Observed, InAForkedChildItIsOver) {
  Observing observing;
  TestServer server;
  const auto peer = Peer::find(server.server.endpoint());  // known to the fork handlers
  auto call = observing.begin(*peer, "hold");
  observing.observe(*call);
  const pid_t child = ::fork();
  if (child == 0) {
    const int before = observing.told;
    observing.observe(*call);
    call.reset();
    ::_exit(before == 0 && observing.told == 1 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(observing.told, 0);
  server.host.release_holds();
  EXPECT_TRUE(observing.are_told(1));
}

namespace {

/** A server that calls its client, and observes. */
class KeepsCaller : public TestHost {
 public:
  void call(IncomingCall& call, Answer& answer) override {
    caller = answer.caller->shared_from_this();
    TestHost::call(call, answer);
  }
  std::shared_ptr<Callee> caller;
};

struct ObservedBack {
  explicit ObservedBack(Limits limits = {}) {
    ServerOptions options;
    options.limits = limits;
    server = std::make_unique<Server>(host, options);
    server->start();
    peer = std::make_shared<Peer>(server->endpoint(), limits, &client.exports);
    Call("public", "noop").run(*peer);
    peer->lender();
  }
  ~ObservedBack() {
    client.host.release_holds();
    say_goodbye(*peer);
    server->stop(std::chrono::seconds(20));
  }
  Observing observing;
  Observing client;
  KeepsCaller host;
  std::unique_ptr<Server> server;
  std::shared_ptr<Peer> peer;
};

}  // namespace

TEST(Observed, AServersCallsOfItsClientAre) {
  ObservedBack back;
  const auto held = back.observing.begin(*back.host.caller, "hold");
  const auto late = back.observing.begin(*back.host.caller, "hold", milliseconds(30));
  for (const auto& call : {held, late}) back.observing.observe(*call);
  EXPECT_TRUE(back.observing.are_told(1));
  EXPECT_EQ(ended_with(*late), Failure::time_out);
  back.client.host.release_holds();
  EXPECT_TRUE(back.observing.are_told(2));
  EXPECT_NO_THROW(held->answer());
}

TEST(Observed, AServersCallsEndWithItsClient) {
  ObservedBack back;
  const auto held = back.observing.begin(*back.host.caller, "hold");
  back.observing.observe(*held);
  EXPECT_TRUE(eventually([&] { return back.client.host.holding == 1; }));
  say_goodbye(*back.peer);
  EXPECT_TRUE(back.observing.are_told(1));
  EXPECT_EQ(ended_with(*held), Failure::unexpected_close);
}

/** More calls than the client may have in work do not keep the answer from being read. */
TEST(Observed, AFullClientReadsAnswers) {
  Limits limits = one_connection();
  limits.calls_in_work = 2;
  ObservedBack back(limits);
  SharedCalls calls;
  for (int i = 0; i < 6; ++i) calls.push_back(back.observing.begin(*back.host.caller, "hold"));
  EXPECT_TRUE(eventually([&] { return back.client.host.holding != 0; }));
  const auto call = back.client.begin(*back.peer, "noop");
  back.client.observe(*call);
  EXPECT_TRUE(back.client.are_told(1));
  back.client.host.release_holds();
  for (const auto& each : calls) EXPECT_NO_THROW(each->answer());
}

TEST(Observed, AFrozenClientIsFound) {
  Observing observing;
  KeepsCaller host;
  ServerOptions options;
  options.limits = pinging_often();
  Server server(host, options);
  server.start();
  {
    RawConnection raw(server.endpoint());
    raw.name("noop");
    Encoder body;
    body.put_string("public");
    raw.send(FrameType::request, body, 1, 0, 1);
    raw.await(FrameType::reply, 1);
    const auto call = observing.begin(*host.caller, "noop");
    observing.observe(*call);
    EXPECT_TRUE(observing.are_told(1));
    EXPECT_EQ(ended_with(*call), Failure::unexpected_close);
  }
  server.stop(std::chrono::seconds(20));
}
