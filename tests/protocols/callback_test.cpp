/** The server calls objects of a client that runs no server. */
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

int bounce(Callee& callee, int depth) {
  Message answer = Call("public", "bounce").with(std::int32_t{depth}).run(callee);
  return Decoder(answer).get<std::int32_t>();
}

Limits impatient() {
  Limits limits;
  limits.keepalive_ms = 100;
  return limits;
}

/** A server that remembers its client; the client has lent something, so that it is watched. */
struct Pair {
  explicit Pair(Limits limits = {}) {
    ServerOptions options;
    options.limits = limits;
    server = std::make_unique<Server>(host, options);
    server->start();
    peer = std::make_shared<Peer>(server->endpoint(), limits, &exports);
    Call("public", "noop").run(*peer);
    peer->lender();
  }
  ~Pair() {
    client.release_holds();
    host.release_holds();
    say_goodbye(*peer);
    if (server != nullptr) server->stop(std::chrono::seconds(20));
  }
  Remembering host;
  TestHost client;
  Exports exports{client, 1000};
  std::unique_ptr<Server> server;
  std::shared_ptr<Peer> peer;
};

Limits few_calls(std::uint32_t most) {
  Limits limits = impatient();
  limits.pool_connections = 1;
  limits.calls_in_work = most;
  return limits;
}

/** Threads of a server that each call hold() of its client. */
struct Holders {
  explicit Holders(Pair& pair) : pair_(pair) {}
  ~Holders() {
    for (std::thread& each : threads_) each.join();
  }
  void add() {
    threads_.emplace_back([this] {
      try {
        Call("public", "hold").run(*pair_.host.caller);
        ++returned;
      } catch (const Error&) {
        ++failed;
      }
    });
  }
  std::atomic<int> returned{0}, failed{0};

 private:
  Pair& pair_;
  std::vector<std::thread> threads_;
};

Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(Failure::protocol, "");
}

}  // namespace

TEST(Callback, NestedCallsRunOnTheThreadsThatWait) {
  TestServer server;
  TestClient client(server);
  EXPECT_EQ(bounce(*client.peer, 64), 64);
  EXPECT_EQ(client.host.bouncers(), 1u);
  EXPECT_EQ(server.host.bouncers(), 1u);
  // The server notices later that one of two was left behind for shared memory.
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 1; }));
}

/**
 * The program lets go of all that lives at the server while a method runs that the server called,
 * and which calls back. Programs of the tests had handles for as long as anything ran.
 */
TEST(Callback, MethodsOutliveTheHandlesOfTheirCaller) {
  class Patient : public TestHost {
   public:
    void call(IncomingCall&, Answer& answer) override {
      ++holding;
      let_go.get_future().wait();
      Call failing("public", "fail");
      failing.encoder.put_string("as it should");
      EXPECT_THROW(failing.run(*answer.caller), Error);  // whose text names the caller
      has_called = true;
    }
    std::promise<void> let_go;
    std::atomic<bool> has_called{false};
  };
  TestServer server;
  Patient client;
  Exports exports(client, 1000);
  {
    const auto peer = std::make_shared<Peer>(server.server.endpoint(), Limits(), &exports);
    Call("public", "slowly_back_to_hold").send(*peer);
    peer->lender();
    EXPECT_TRUE(eventually([&] { return client.holding == 1; }));
  }
  client.let_go.set_value();
  EXPECT_TRUE(eventually([&] { return client.has_called.load(); }));
}

/**
 * What is lent to a server that has restarted was booked to the session of the old one, and
 * refused: until another connection was made, which the tests with many threads did.
 */
TEST(Callback, AServerThatHasRestartedIsLentObjects) {
  TestHost host, client;
  Exports exports(client, 1000);
  ServerOptions options;
  auto server = std::make_unique<Server>(host, options);
  server->start();
  options.listen = server->endpoint();
  const auto peer = std::make_shared<Peer>(options.listen, one_connection(), &exports);
  Call("public", "noop").run(*peer);
  exports.ledger().book(*peer->lender().session, "lent to the old one", 1);
  server->stop(std::chrono::seconds(20));
  server.reset();
  server = std::make_unique<Server>(host, options);
  server->start();
  EXPECT_TRUE(eventually([&] {
    try {
      Call("public", "noop").run(*peer);
      return true;
    } catch (const Error&) {
      return false;  // it finds that the connection has ended
    }
  }));
  EXPECT_NO_THROW(exports.ledger().book(*peer->lender().session, "lent to the new one", 1));
  say_goodbye(*peer);
  server->stop(std::chrono::seconds(20));
}

TEST(Callback, NestedDeeplyByMoreThreadsThanTheServerHas) {
  ServerOptions options;
  options.threads = 2;
  options.spare_threads = 0;
  TestServer server(options);
  Limits limits;
  limits.pool_connections = 2;
  TestClient client(server, limits);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) wrong += bounce(*client.peer, 16) != 16;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

/** Objects whose destructors give back what they hold of a server's. */
class Holding : public TestHost {
 public:
  std::shared_ptr<void> forget(const std::string& id) override {
    TestHost::forget(id);
    return {nullptr, [this](void*) {
              holds->release("public", 1);
              ++ended;
            }};
  }
  std::shared_ptr<Peer> holds;
  std::atomic<int> ended{0};
};

/** A server that was started again knows nothing of what was lent to the last one. What it held in
 *  turn is given back to the same peer, which is connecting at that moment: nobody waits for ever.
 *  No test had an object that holds another one of the server's when that is started again. */
TEST(Callback, AListenerThatHoldsAnObjectOfARestartedServer) {
  auto first = std::make_unique<TestServer>();
  const Endpoint endpoint = first->server.endpoint();
  Holding host;
  Exports exports(host, 1000);
  host.holds = std::make_shared<Peer>(endpoint, impatient(), &exports);
  const Callee::Lender lender = host.holds->lender();
  lender.ledger->book(*lender.session, "listener", 1);
  first.reset();
  ServerOptions same;
  same.listen = endpoint;
  TestServer second(same);
  // The first call may still go to the server that is gone; nobody knows then whether it has run.
  EXPECT_TRUE(eventually([&] {
    try {
      Call("public", "noop").run(*host.holds);
      return true;
    } catch (const Error&) {
      return false;
    }
  }));
  EXPECT_TRUE(eventually([&] { return host.ended == 1; }));
  EXPECT_NO_THROW(Call("public", "noop").run(*host.holds));
  say_goodbye(*host.holds);
  host.holds.reset();
}

TEST(Callback, ALongCallbackIsNotADeadClient) {
  ServerOptions options;
  options.limits = impatient();
  TestServer server(options);
  TestClient client(server, impatient());
  client.peer->create("test.Thing");
  client.peer->lender();
  EXPECT_NO_THROW(Call("public", "slowly_back").with(std::int32_t{700}).run(*client.peer));
}

TEST(Callback, AClientThatWaitsForNothingServes) {
  Pair pair;
  EXPECT_EQ(bounce(*pair.host.caller, 9), 9);
  EXPECT_EQ(pair.client.bouncers(), 1u);  // those that are nested run where the first waits
  EXPECT_EQ(bounce(*pair.host.caller, 9), 9);
  // A thread that has answered is not at rest yet: it has sent, and drops what it held, which may
  // take long. A call that comes at that moment must not wait for it: hence a second one.
  EXPECT_LE(pair.client.bouncers(), 2u);
}

/** Beyond the limit a client that waits for nothing reads on only when a call has ended. */
TEST(Callback, CallsInWorkAreLimitedAtTheClient) {
  constexpr int limit = 3;
  Pair pair(few_calls(limit));
  {
    Holders holders(pair);
    for (int i = 0; i < limit - 1; ++i) holders.add();
    EXPECT_TRUE(eventually([&] { return pair.client.holding == limit - 1; }));
    EXPECT_EQ(bounce(*pair.host.caller, 0), 0);  // one below the limit
    holders.add();
    EXPECT_TRUE(eventually([&] { return pair.client.holding == limit; }));
    holders.add();
    std::this_thread::sleep_for(milliseconds(500));  // more than three intervals
    EXPECT_EQ(pair.client.holding, limit);
    EXPECT_EQ(holders.failed, 0);
    pair.client.release_holds();
    EXPECT_TRUE(eventually([&] { return holders.returned == limit + 1; }));
  }
  EXPECT_EQ(bounce(*pair.host.caller, 3), 3);
}

/** While it waits for an answer it must read on; too much of that ends the connection. */
TEST(Callback, CallsInWorkAreLimitedAtAClientThatWaits) {
  constexpr int limit = 1, most = 8 * limit;
  Pair pair(few_calls(limit));
  std::thread waits([&] {
    const Error error = error_of([&] { Call("public", "hold").run(*pair.peer); });
    EXPECT_NE(std::string(error.what())
                  .find("calls in progress on a connection: 9 is above the limit of 8"),
              std::string::npos)
        << error.what();
  });
  EXPECT_TRUE(eventually([&] { return pair.host.holding == 1; }));
  Holders holders(pair);
  for (int i = 0; i < most; ++i) holders.add();
  EXPECT_TRUE(eventually([&] { return pair.client.holding == most; }));
  EXPECT_EQ(holders.failed, 0);
  holders.add();
  EXPECT_TRUE(eventually([&] { return holders.failed == most + 1; }));
  waits.join();
  pair.client.release_holds();
}

TEST(Callback, OneWayAndPendingCallsKeepTheirOrder) {
  Pair pair;
  std::vector<std::unique_ptr<PendingCall>> calls;
  std::vector<int> expected;
  for (int i = 0; i < 30; ++i) {
    expected.push_back(i);
    Call call("public", "note");
    call.with(std::int32_t{i % 7 == 0 ? 8 : 0}).with(i);
    if (i % 2 == 0) {
      call.send(*pair.host.caller);
    } else {
      calls.push_back(call.begin(*pair.host.caller));
    }
  }
  for (auto& call : calls) EXPECT_NO_THROW(call->answer());
  EXPECT_EQ(pair.client.notes(), expected);
}

TEST(Callback, ReferencesAreBookedAtTheClient) {
  Pair pair;
  const auto lender = pair.peer->lender();
  lender.ledger->book(*lender.session, "mine", 2);
  EXPECT_EQ(pair.exports.ledger().reference_count(), 2u);
  pair.host.caller->release("mine", 1);
  EXPECT_TRUE(eventually([&] { return pair.exports.ledger().reference_count() == 1; }));
  pair.host.caller->release("mine", 1);
  EXPECT_TRUE(eventually([&] { return pair.exports.ledger().reference_count() == 0; }));
}

/** The thread at the client hears of it over the connection on which it waits. */
TEST(Callback, GivenUpWhileItWaitsForTheServer) {
  Pair pair(one_connection());
  const auto pending = Call("public", "slowly_back_to_hold").begin(*pair.host.caller);
  EXPECT_TRUE(eventually([&] { return pair.host.holding == 1; }));
  EXPECT_TRUE(pending->cancel());
  Call noop("public", "noop");
  noop.deadline = milliseconds(10000);
  EXPECT_NO_THROW(noop.run(*pair.peer));
  pair.host.release_holds();
}

TEST(Callback, AClientThatIsGoneIsNotWaitedFor) {
  Pair pair;
  std::thread gone([&] {
    EXPECT_TRUE(eventually([&] { return pair.client.holding == 1; }));
    say_goodbye(*pair.peer);
  });
  const Error error = error_of([&] { Call("public", "hold").run(*pair.host.caller); });
  EXPECT_EQ(error.failure(), Failure::unexpected_close);
  EXPECT_EQ(error.fate(), Fate::may_have_executed);
  gone.join();
  const Error later = error_of([&] { Call("public", "noop").run(*pair.host.caller); });
  EXPECT_EQ(later.failure(), Failure::unexpected_close);
  EXPECT_EQ(later.fate(), Fate::not_sent);
  EXPECT_NE(std::string(later.what()).find("the client is no longer connected"), std::string::npos);
}

TEST(Callback, AServerThatIsRestartedHoldsNothing) {
  Pair pair;
  const auto lender = pair.peer->lender();
  lender.ledger->book(*lender.session, "mine", 1);
  ServerOptions options;
  options.listen = pair.server->endpoint();
  pair.server->stop(milliseconds(1000));
  pair.server.reset();
  pair.server = std::make_unique<Server>(pair.host, options);
  pair.server->start();
  EXPECT_TRUE(eventually([&] {
    try {
      Call("public", "noop").run(*pair.peer);
      return true;
    } catch (const Error&) {
      return false;
    }
  }));
  EXPECT_EQ(pair.exports.ledger().reference_count(), 0u);
  EXPECT_EQ(bounce(*pair.host.caller, 3), 3);
}

TEST(Callback, DeadlinesHoldInBothDirections) {
  Pair pair;
  Call call("public", "hold");
  call.deadline = milliseconds(50);
  EXPECT_EQ(error_of([&] { call.run(*pair.host.caller); }).failure(), Failure::time_out);
  pair.client.release_holds();
  EXPECT_EQ(bounce(*pair.host.caller, 2), 2);
}

/** The server had looked each tenth of a second only: an answer that came before that was taken. */
TEST(Callback, AnAnswerAfterItsDeadlineIsLate) {
  TestServer server;
  TestClient client(server);
  Call back("public", "slowly_back_by");
  back.with(std::int32_t{10}).with(std::int32_t{70});
  const std::string why = error_of([&] { back.run(*client.peer); }).what();
  EXPECT_NE(why.find("deadline"), std::string::npos) << why;
}
