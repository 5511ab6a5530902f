/**
 * Servers whose threads are all taken: by clients that do not answer, or by long calls.
 *
 * Others go on. Until now no test had a client that took more threads than there were and kept
 * them: those that did not answer were one at a time, or went away at once.
 */
#include <gtest/gtest.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>

#include <filesystem>
#include <future>
#include <thread>

#include "raw_connection.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

/** A client that is called back, several times over, and does not answer. */
class Silent : public RawConnection {
 public:
  explicit Silent(TestServer& server, int calls) : RawConnection(server) {
    name("slowly_back");
    for (int id = 1; id <= calls; ++id) {
      Encoder body;
      body.put_string("public");
      body.put(std::int32_t{0});
      send(FrameType::request, body, 1, 0, static_cast<std::uint64_t>(id));
    }
  }
};

std::size_t threads_of_process() {
  using Each = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(Each("/proc/self/task"), Each()));
}

}  // namespace

TEST(Crowded, AClientThatDoesNotAnswerHoldsUpNobodyElse) {
  TestServer server(two_threads());
  const std::size_t before = threads_of_process();
  {
    constexpr int calls = 40;
    Silent silent(server, calls);
    EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == calls; }));
    for (int i = 0; i < 4; ++i) {
      const auto peer = server.peer();
      Call noop("public", "noop");
      noop.deadline = milliseconds(10000);
      EXPECT_NO_THROW(noop.run(*peer));
    }
  }
  // The threads that took the place of others are not kept.
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  EXPECT_TRUE(eventually([&] { return threads_of_process() <= before + 1; }));
}

namespace {

/** Servers at which a session may have few threads that wait. */
ServerOptions few_may_wait(unsigned most) {
  ServerOptions options = two_threads();
  options.limits.waiting_threads = most;
  return options;
}

std::string failure_of(Call& call, Callee& callee) {
  try {
    call.run(callee);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

/** It could have all threads that may wait, and nobody else any. */
TEST(Crowded, ASessionHasAShareOfTheThreadsThatMayWait) {
  constexpr int most = 4;
  TestServer server(few_may_wait(most));
  const Id128 session = random_id();
  {
    RawConnection silent(server, session);
    silent.name("slowly_back");
    silent.name("noop");
    const auto call = [&](std::uint16_t method, std::uint64_t id) {
      Encoder body;
      body.put_string("public");
      if (method == 1) body.put(std::int32_t{0});
      silent.send(FrameType::request, body, method, 0, id);
    };
    for (std::uint64_t id = 1; id <= most; ++id) call(1, id);
    const auto others = server.server.ledger().open(session, milliseconds(1000));
    EXPECT_TRUE(eventually([&] { return others->waiting == most; }));
    // Its own calls are refused, over this connection and others.
    call(2, most + 1);
    EXPECT_EQ(silent.next_answer_to_call().type, static_cast<std::uint8_t>(FrameType::error));
    // Those of others go on, even if they wait for their callers.
    TestClient client(server);
    EXPECT_NO_THROW(Call("public", "slowly_back").with(std::int32_t{0}).run(*client.peer));
    EXPECT_EQ(others->waiting, std::uint32_t{most});
    server.server.ledger().say_goodbye(*others);
    static_cast<void>(server.server.ledger().close(others));
  }
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
}

/** Each session has its share only, and all together have all. */
TEST(Crowded, ManyClientsThatDoNotAnswerHoldUpNobodyElse) {
  constexpr int each = 128;  // as many calls as one may have in work
  TestServer server(two_threads());
  {
    std::vector<std::unique_ptr<Silent>> crowd;
    for (std::uint32_t i = 0; i <= most_waiting_threads / each; ++i) {
      crowd.push_back(std::make_unique<Silent>(server, each));
    }
    TestClient client(server);
    Call noop("public", "noop");
    noop.deadline = milliseconds(10000);
    EXPECT_NO_THROW(noop.run(*client.peer));
    EXPECT_TRUE(eventually([&] {
      Call back("public", "slowly_back");
      back.with(std::int32_t{0});
      return failure_of(back, *client.peer).find("threads that wait for peers in calls of") !=
             std::string::npos;
    }));
    EXPECT_NO_THROW(noop.run(*client.peer));
  }
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
}

/**
 * Calls that were read while all threads were at work waited for the first of them to end, if that
 * waited for its caller.
 */
TEST(Crowded, CallsThatWereReadByTheWayDoNotWaitForOneThatWaits) {
  TestServer server(two_threads());
  const Id128 session = random_id();
  {
    RawConnection silent(server, session);
    silent.name("slowly_back");
    silent.name("noop");
    const auto call_back = [&](std::uint64_t id) {
      Encoder body;
      body.put_string("public");
      body.put(std::int32_t{0});
      silent.send(FrameType::request, body, 1, 0, id);
    };
    call_back(1);
    silent.await_first_byte();
    std::vector<std::thread> holders;
    for (int i = 0; i < 2; ++i) {
      holders.emplace_back([&] { Call("public", "hold").run(*server.peer()); });
    }
    EXPECT_TRUE(eventually([&] { return server.host.holding == 2; }));
    call_back(2);
    Encoder body;
    body.put_string("public");
    silent.send(FrameType::request, body, 2, 0, 3);
    EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 5; }));
    server.host.release_holds();
    for (std::thread& each : holders) each.join();
    EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 2; }));
  }
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
}

TEST(Crowded, WhoHasTooManyThreadsThatWaitIsToldOfTheLimit) {
  TestServer server(few_may_wait(1));
  TestClient client(server);
  Call waits("public", "slowly_back_to_hold");
  std::thread first([&] { waits.run(*client.peer); });
  EXPECT_TRUE(eventually([&] { return client.host.holding == 1; }));
  Call noop("public", "noop");
  const std::string text = failure_of(noop, *client.peer);
  EXPECT_NE(
      text.find("threads that wait for peers in calls of one client: 2 is above the limit of 1 "
                "(setting: SIDL_RMI_MAX_WAITING)"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("the method was not run"), std::string::npos) << text;
  client.host.release_holds();
  first.join();
  Call again("public", "noop");
  EXPECT_EQ(failure_of(again, *client.peer), "");
}

TEST(Crowded, LongCallsDoNotKeepNewClientsFromBeingGreeted) {
  TestServer server(two_threads());
  const auto peer = server.peer();
  std::vector<std::thread> callers;
  for (int i = 0; i < 2; ++i) {
    callers.emplace_back([&] { Call("public", "hold").run(*peer); });
  }
  EXPECT_TRUE(eventually([&] { return server.host.holding == 2; }));
  RawConnection late(server);  // throws if it is not greeted
  late.settle();               // its ping is answered
  late.name("noop");
  Encoder body;
  body.put_string("public");
  late.send(FrameType::request, body, 1, 0, 1);
  server.host.release_holds();
  EXPECT_EQ(late.next_answer().request, 1u);
  for (std::thread& each : callers) each.join();
}

namespace {

/** Passes an array on to another server. */
class Passing : public TestHost {
 public:
  explicit Passing(std::shared_ptr<Callee> to) : to_(std::move(to)) {}
  void call(IncomingCall& call, Answer& answer) override {
    if (call.method->name != "pass") {
      TestHost::call(call, answer);
      return;
    }
    constexpr std::int32_t size = 8 << 20;  // bytes: more than sockets take
    const std::vector<char> array(size);
    ArrayShape shape;
    shape.kind = Kind::char_;
    shape.dimension = 1;
    shape.upper[0] = size - 1;
    Call echo("public", "echo");
    echo.encoder.put_array(shape, Bulk::lent(array.data(), array.size()));
    echo.run(*to_);
  }

 private:
  const std::shared_ptr<Callee> to_;
};

}  // namespace

/** Those that wait for another server to take what it is sent wait for a peer, like all others. */
TEST(Crowded, AServerThatReadsNothingHoldsUpNobodyElse) {
  Endpoint stuck{"127.0.0.1", 0};
  const Socket listener = listen_on(stuck);
  auto greets = std::async(std::launch::async, [&] { return greet_client(listener); });
  const auto to = std::make_shared<Peer>(stuck, one_connection());
  Passing host(to);
  Server server(host, two_threads());
  server.start();
  RawConnection caller(server.endpoint());
  caller.name("pass");
  constexpr int many = 8;
  for (std::uint64_t id = 1; id <= many; ++id) {
    Encoder body;
    body.put_string("public");
    caller.send(FrameType::request, body, 1, 0, id);
  }
  EXPECT_TRUE(eventually([&] { return server.calls_in_work() == many; }));
  const auto other = std::make_shared<Peer>(server.endpoint());
  Call noop("public", "noop");
  noop.deadline = milliseconds(20000);
  EXPECT_NO_THROW(noop.run(*other));
  greets.get().shut_down();
  EXPECT_TRUE(eventually([&] { return server.calls_in_work() == 0; }));
  EXPECT_TRUE(server.stop(milliseconds(20000)));
}

/** What a client says of a server that was stopped (SIGSTOP): it accepts, as the kernel does. */
TEST(Crowded, AServerThatDoesNotGreetIsNotTakenForAnotherProgram) {
  Endpoint endpoint{"127.0.0.1", 0};
  const Socket listener = listen_on(endpoint);
  Limits limits;
  limits.connect_ms = 100;
  try {
    Call("public", "noop").run(*std::make_shared<Peer>(endpoint, limits));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::no_server);
    const std::string text = error.what();
    EXPECT_NE(text.find("accepted the connection but did not answer the handshake"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("within the limit of 100 ms (setting: SIDL_RMI_CONNECT_MS)"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("no simhandle server"), std::string::npos) << text;
  }
}

namespace {

/** A client greets a server that says no more than this much, and has little patience. */
void greet_slow_server(std::size_t bytes_of_welcome) {
  Endpoint endpoint{"127.0.0.1", 0};
  const Socket listener = listen_on(endpoint);
  const Socket client = connect_to(endpoint, milliseconds(5000));
  const Socket server(::accept(listener.fd(), nullptr, nullptr));
  Welcome welcome;
  welcome.version = highest_version;
  welcome.extension = 20;
  ::send(server.fd(), encode(welcome).data(), bytes_of_welcome, 0);
  perform_handshake(client.fd(), Hello(), 50);
}

}  // namespace

/** It may stop at any moment: that time has passed is told from that it has closed the connection.
 */
TEST(Crowded, AServerThatHasNotFinishedItsGreetingIsLate) {
  for (const std::size_t bytes : {std::size_t{0}, hello_bytes / 2, hello_bytes}) {
    try {
      greet_slow_server(bytes);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.err(), ETIMEDOUT) << bytes << ": " << error.what();
    }
  }
}

namespace {

/** As long as it lives no thread can be created: none has room for such a stack. */
class NoThreads {
 public:
  NoThreads() {
    pthread_attr_t attributes;
    ::pthread_getattr_default_np(&attributes);
    ::pthread_attr_getstacksize(&attributes, &before_);
    set(std::size_t{1} << 47);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;
  ~NoThreads() { set(before_); }

 private:
  static void set(std::size_t size) {
    pthread_attr_t attributes;
    ::pthread_getattr_default_np(&attributes);
    EXPECT_EQ(::pthread_attr_setstacksize(&attributes, size), 0);
    EXPECT_EQ(::pthread_setattr_default_np(&attributes), 0);
  }

  std::size_t before_ = 0;
};

}  // namespace

/** It said "Resource temporarily unavailable". */
TEST(Crowded, WhereThereAreNoMoreThreadsThatIsSaid) {
  const NoThreads none;
  try {
    const TestServer server;
    ADD_FAILURE() << "there are threads";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot create the server: the system cannot create more threads");
  }
}
