/** Client and server in one process: calls, sharing, liveness, ends. */
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <optional>
#include <thread>

#include "raw_connection.hpp"
#include "raw_frames.hpp"
#include "rough_transport.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

namespace {

int add(Peer& peer, const std::string& object, int a, int b) {
  Call call(object, "add");
  call.encoder.put(a);
  call.encoder.put(b);
  Message message = call.run(peer);
  return Decoder(message).get<std::int32_t>();
}

/** The error a call ends with. */
template <class Action>
Error error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(Failure::protocol, "");
}

}  // namespace

TEST(Connection, CreateCallRelease) {
  TestServer server;
  const auto peer = server.peer();
  const auto created = peer->create("test.Thing");
  EXPECT_EQ(created.type, "test.Thing");
  EXPECT_EQ(add(*peer, created.id, 2, 3), 5);
  EXPECT_EQ(server.host.object_count(), 1u);
  const auto again = peer->attach(created.id, true);
  EXPECT_EQ(again.id, created.id);
  peer->release(created.id, 1);
  EXPECT_EQ(add(*peer, created.id, 2, 3), 5);
  peer->release(created.id, 1);
  EXPECT_TRUE(eventually([&] { return server.host.object_count() == 0; }));
  const Error gone = error_of([&] { add(*peer, created.id, 1, 1); });
  EXPECT_EQ(gone.failure(), Failure::object_does_not_exist);
}

TEST(Connection, EveryMessageSize) {
  TestServer server;
  const auto peer = server.peer();
  const auto object = peer->create("test.Thing").id;
  for (const std::size_t size : {0, 1, 511, 512, 513, 2047, 2048, 100000, 1 << 18, 3000000}) {
    std::vector<double> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<double>(i) * 0.5;
    Call call(object, "echo");
    put_doubles(call.encoder, values);
    Message message = call.run(*peer);
    EXPECT_EQ(get_doubles(message), values) << size;
  }
}

/** The file of a server went when somebody ended that, and stayed where a program just ended. */
TEST(UnixSocketDeathTest, GoesWithTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string path = testing::TempDir() + "shinar_unix_socket_death_test";
  const auto serve_and_end = [&] {
    static TestHost host;
    ServerOptions options;
    options.listen = Endpoint{.path = path};
    static Server* const never_ended = new Server(host, options);
    static_cast<void>(never_ended->endpoint());
    std::exit(::access(path.c_str(), F_OK) == 0 ? 0 : 1);
  };
  EXPECT_EXIT(serve_and_end(), testing::ExitedWithCode(0), "");
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
}

TEST(Connection, ErrorsCarryPlaceAndFate) {
  TestServer server;
  const auto peer = server.peer();
  const Error unknown = error_of([&] { peer->create("test.Other"); });
  EXPECT_NE(std::string(unknown.what()).find("'test.Other' is not exported"), std::string::npos);
  const auto object = peer->create("test.Thing").id;
  const Error failed = error_of([&] {
    Call call(object, "fail");
    call.encoder.put_string("out of luck");
    call.run(*peer);
  });
  EXPECT_EQ(failed.fate(), Fate::executed);
  const std::string text = failed.what();
  EXPECT_NE(text.find("calling 'fail' at " + server.server.endpoint().text()), std::string::npos);
  EXPECT_NE(text.find("out of luck; the method was run"), std::string::npos) << text;
}

TEST(Connection, ThreadsShareOneConnection) {
  TestServer server;
  const auto peer = server.peer(one_connection());
  const auto object = peer->create("test.Thing").id;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        if (add(*peer, object, t * 1000, i) != t * 1000 + i) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(server.server.connection_count(), 1u);
}

TEST(Connection, ALongCallDoesNotHoldUpOthersOnItsConnection) {
  TestServer server;
  const auto peer = server.peer(one_connection());
  const auto object = peer->create("test.Thing").id;
  std::thread slow([&] { Call(object, "hold").run(*peer); });
  ASSERT_TRUE(eventually([&] { return server.host.holding == 1; }));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(add(*peer, object, i, 1), i + 1);
  EXPECT_EQ(server.host.holding, 1);
  server.host.release_holds();
  slow.join();
}

TEST(Connection, MoreLongCallsThanFirstWorkers) {
  TestServer server;
  const auto peer = server.peer(one_connection());
  const auto object = peer->create("test.Thing").id;
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i) threads.emplace_back([&] { Call(object, "hold").run(*peer); });
  EXPECT_TRUE(eventually([&] { return server.host.holding == 12; }));
  EXPECT_EQ(add(*peer, object, 1, 1), 2);
  server.host.release_holds();
  for (std::thread& thread : threads) thread.join();
}

TEST(Connection, AllWorkersBusyIsNotDead) {
  ServerOptions options;
  options.threads = 2;
  options.spare_threads = 0;
  options.limits.keepalive_ms = 100;
  TestServer server(options);
  const auto peer = server.peer();
  const auto object = peer->create("test.Thing").id;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back([&] { Call(object, "hold").run(*peer); });
  ASSERT_TRUE(eventually([&] { return server.host.holding == 2; }));
  int sum = 0;
  std::thread waiting([&] { sum = add(*peer, object, 20, 3); });  // nobody has time for it
  std::this_thread::sleep_for(milliseconds(1000));                // more than three intervals
  server.host.release_holds();
  for (std::thread& thread : threads) thread.join();
  waiting.join();
  EXPECT_EQ(sum, 23);
}

/** Its connection has been there before, and what it asks lies there unread. */
TEST(Connection, AllWorkersBusyIsNotDeadForAnOldConnection) {
  ServerOptions options;
  options.threads = 2;
  options.spare_threads = 0;
  options.limits.keepalive_ms = 100;
  TestServer server(options);
  const auto peer = server.peer();
  EXPECT_EQ(add(*peer, "public", 1, 2), 3);
  const auto first = Call("public", "hold").begin(*server.peer());
  const auto second = Call("public", "hold").begin(*server.peer());
  ASSERT_TRUE(eventually([&] { return server.host.holding == 2; }));
  std::thread release([&] {
    std::this_thread::sleep_for(milliseconds(1000));  // more than three intervals
    server.host.release_holds();
  });
  int sum = 0;
  EXPECT_NO_THROW(sum = add(*peer, "public", 20, 3));
  release.join();
  EXPECT_EQ(sum, 23);
}

namespace {

/** Objects take as long to make as `released` is false. */
class SlowToCreate : public TestHost {
 public:
  Instance create(std::string_view type, Answer& answer) override {
    const Instance made = TestHost::create(type, answer);
    eventually([this] { return released.load(); });
    return made;
  }
  std::atomic<bool> released{false};
};

}  // namespace

/** It waited, with its reference, until the client called again. */
TEST(Connection, AnAnswerThatIsLateIsReadThoughNobodyCalls) {
  SlowToCreate host;
  Server server(host, {});
  server.start();
  TestHost own;
  Exports exports(own, 1000);
  {
    const auto peer = std::make_shared<Peer>(server.endpoint(), one_connection(), &exports);
    EXPECT_THROW(peer->create("test.Thing", milliseconds(30)), Error);
    EXPECT_EQ(host.object_count(), 1u);
    host.released = true;
    EXPECT_TRUE(eventually([&] { return server.calls_in_work() == 0; }));
    EXPECT_TRUE(eventually([&] { return server.ledger().reference_count() == 0; }));
    EXPECT_TRUE(eventually([&] { return host.object_count() == 0; }));
    EXPECT_EQ(server.connection_count(), 1u);
  }
  EXPECT_TRUE(server.stop(std::chrono::seconds(20)));
}

namespace {

/** Destructors wait until `released`. */
class SlowToForget : public TestHost {
 public:
  std::shared_ptr<void> forget(const std::string& id) override {
    TestHost::forget(id);
    return {this, [this](void*) {
              ++waiting;
              eventually([this] { return released.load(); });
              ++destroyed;
            }};
  }
  std::atomic<int> waiting{0}, destroyed{0};
  std::atomic<bool> released{false};
};

}  // namespace

TEST(Connection, ADestructorAtTheEndOfALeaseHoldsNobodyUp) {
  SlowToForget host;
  ServerOptions options;
  options.limits.keepalive_ms = 60;
  options.limits.lease_ms = 50;
  Server server(host, options);
  server.start();
  const auto peer = std::make_shared<Peer>(server.endpoint());
  {
    const Socket lost = connect_to(server.endpoint(), milliseconds(5000));
    Hello hello;
    hello.session = random_id();
    perform_handshake(lost.fd(), hello, 5000);
    Encoder body;
    body.put_string("test.Thing");
    FrameHeader header;
    header.type = static_cast<std::uint8_t>(FrameType::create);
    header.request = 1;
    header.body = static_cast<std::uint32_t>(body.body_size());
    send_frame(lost.fd(), {}, header, body);
    EXPECT_TRUE(eventually([&] { return host.object_count() == 1; }));
  }
  EXPECT_TRUE(eventually([&] { return host.waiting == 1; }));  // what was created
  EXPECT_NO_THROW(Call("public", "sleep").with(std::int32_t{500}).run(*peer));
  host.released = true;
  EXPECT_TRUE(eventually([&] { return host.destroyed == 1; }));
  say_goodbye(*peer);
  EXPECT_TRUE(server.stop(std::chrono::seconds(20)));
}

TEST(Connection, ALongCallOutlivesSilence) {
  ServerOptions options;
  options.limits.keepalive_ms = 60;
  TestServer server(options);
  const auto peer = server.peer();
  const auto object = peer->create("test.Thing").id;
  Call call(object, "sleep");
  call.encoder.put(std::int32_t{600});
  EXPECT_NO_THROW(call.run(*peer));
}

TEST(Connection, DeadlineEndsTheWaitAndLateRepliesAreDropped) {
  TestServer server;
  const auto peer = server.peer(one_connection());
  const auto object = peer->create("test.Thing").id;
  const Error late = error_of([&] {
    Call call(object, "sleep");
    call.encoder.put(std::int32_t{1000});
    call.deadline = milliseconds(100);
    call.run(*peer);
  });
  EXPECT_EQ(late.failure(), Failure::time_out);
  EXPECT_EQ(late.fate(), Fate::may_have_executed);
  EXPECT_EQ(server.server.calls_in_work(), 1u);  // it waited no longer than it said
  EXPECT_TRUE(eventually([&] { return server.server.calls_in_work() == 0; }));
  EXPECT_EQ(add(*peer, object, 4, 5), 9);
}

/**
 * What the callee may want is held until it has answered, also for who does not wait that long; or
 * until the connection has ended, if it never will.
 */
TEST(Connection, WhatACallHoldsGoesWithItsAnswer) {
  TestServer server;
  const auto peer = server.peer(one_connection());
  const auto held_by = [&](std::int32_t sleeps, auto make) {
    auto thing = std::make_shared<int>(1);
    const std::weak_ptr<int> left = thing;
    Call call("public", "sleep");
    call.with(sleeps).held = std::move(thing);
    make(call);
    call.held.reset();
    return left;
  };
  const auto ends = [&](const std::weak_ptr<int>& held) {
    return eventually([&] {
      add(*peer, "public", 1, 1);  // reads what has come
      return held.expired();
    });
  };
  EXPECT_TRUE(held_by(0, [&](Call& call) { call.run(*peer); }).expired());
  const auto late = held_by(300, [&](Call& call) {
    call.deadline = milliseconds(20);
    EXPECT_EQ(error_of([&] { call.run(*peer); }).failure(), Failure::time_out);
  });
  EXPECT_FALSE(late.expired());
  const auto dropped = held_by(300, [&](Call& call) { call.begin(*peer); });
  EXPECT_FALSE(dropped.expired());
  const auto cancelled =
      held_by(300, [&](Call& call) { EXPECT_TRUE(call.begin(*peer)->cancel()); });
  EXPECT_FALSE(cancelled.expired());
  EXPECT_TRUE(ends(late) && ends(dropped) && ends(cancelled));
  const auto lost = held_by(300, [&](Call& call) { call.begin(*peer); });
  say_goodbye(*peer);
  EXPECT_TRUE(lost.expired());
}

TEST(Connection, DeadlinesOfThreadsThatShareAConnection) {
  TestServer server;
  const auto peer = server.peer(one_connection());
  std::atomic<int> answered{0}, late{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 40; ++i) {
        Call call("public", "sleep");
        call.encoder.put(std::int32_t{(t * 7 + i * 5) % 20});
        call.deadline = milliseconds(12);
        try {
          answered += call.run(*peer).type() == FrameType::reply;
        } catch (const Error& error) {
          EXPECT_EQ(error.failure(), Failure::time_out) << error.what();
          ++late;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answered + late, 8 * 40);
  EXPECT_GT(late, 0) << "some sleep longer than their callers wait";
}

TEST(Connection, NobodyListens) {
  Endpoint endpoint{"127.0.0.1", 0};
  { Socket socket = listen_on(endpoint); }
  Peer peer(endpoint, Limits());
  const Error error = error_of([&] { peer.create("test.Thing"); });
  EXPECT_EQ(error.failure(), Failure::connect);
  EXPECT_EQ(error.fate(), Fate::not_sent);
  EXPECT_EQ(error.err(), ECONNREFUSED);
}

/**
 * The server says that it runs nothing more, and goes. A thread reads that, for another one, too;
 * a third, which could not send, ended the connection before it had.
 */
TEST(Connection, WhatWasSaidLastCountsThoughAThreadCannotSend) {
  Endpoint endpoint{"127.0.0.1", 0};
  Socket listener = listen_on(endpoint);
  std::optional<Socket> socket;
  std::thread server([&] { socket = greet_client(listener, 1000); });
  endpoint.via = "rough";
  const auto peer = std::make_shared<Peer>(endpoint, one_connection());
  std::optional<Error> failed[2];
  std::vector<std::thread> callers;
  for (std::optional<Error>& each : failed) {
    callers.emplace_back([&] { each = error_of([&] { Call("public", "noop").run(*peer); }); });
  }
  server.join();
  // Both calls have come, and are never read.
  EXPECT_TRUE(eventually([&] {
    FrameHeader frames[5];
    return ::recv(socket->fd(), frames, sizeof frames, MSG_PEEK | MSG_DONTWAIT) > 120;
  }));
  std::this_thread::sleep_for(milliseconds(20));  // their threads wait
  listener = Socket();                            // and cannot call again
  rough::delay_ms = 80;
  Encoder text;
  text.put<std::uint32_t>(0);
  text.put_string("the server is shutting down");
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::goodbye);
  header.body = static_cast<std::uint32_t>(text.body_size());
  send_frame(socket->fd(), {}, header, text);
  socket.reset();  // what is unread resets the connection: nothing can be sent from now on
  std::this_thread::sleep_for(milliseconds(20));
  const Error sends = error_of([&] { Call("public", "noop").run(*peer); });
  for (std::thread& each : callers) each.join();
  rough::delay_ms = 0;
  EXPECT_EQ(sends.fate(), Fate::not_sent) << sends.what();
  for (const auto& each : failed) EXPECT_EQ(each->fate(), Fate::not_sent) << each->what();
}

/** Of several threads that want a connection one makes it; the others do not share its deadline. */
TEST(Connection, ACallersImpatienceIsItsOwn) {
  Endpoint silent{"127.0.0.1", 0};
  const Socket listener = listen_on(silent);
  Limits limits = one_connection();
  limits.connect_ms = 1500;
  Peer peer(silent, limits);
  std::thread hurried([&] {
    EXPECT_EQ(error_of([&] { peer.create("test.Thing", milliseconds(500)); }).failure(),
              Failure::time_out);
  });
  EXPECT_EQ(wait_for(listener.fd(), POLLIN, Clock::now() + milliseconds(10000)), 1);
  const std::string text = error_of([&] { peer.create("test.Thing"); }).what();
  EXPECT_NE(text.find("within the limit of 1500 ms"), std::string::npos) << text;
  hurried.join();
}

TEST(Connection, UnknownHost) {
  Peer peer({"no-such-host.invalid", 4711}, Limits());
  EXPECT_EQ(error_of([&] { peer.create("x.Y"); }).failure(), Failure::unknown_host);
}

TEST(Connection, PortInUse) {
  TestServer server;
  ServerOptions options;
  options.listen = server.server.endpoint();
  const Error error = error_of([&] { Server other(server.host, options); });
  EXPECT_EQ(error.failure(), Failure::bind);
  EXPECT_EQ(error.err(), EADDRINUSE);
}

TEST(Connection, GracefulStopFinishesCalls) {
  auto server = std::make_unique<TestServer>();
  const auto peer = server->peer();
  const auto object = peer->create("test.Thing").id;
  bool done = false;
  std::thread call([&] {
    Call(object, "hold").run(*peer);
    done = true;
  });
  ASSERT_TRUE(eventually([&] { return server->host.holding == 1; }));
  std::thread release([&] {
    std::this_thread::sleep_for(milliseconds(100));
    server->host.release_holds();
  });
  EXPECT_TRUE(server->server.stop(std::chrono::seconds(10)));
  call.join();
  release.join();
  EXPECT_TRUE(done);
  EXPECT_EQ(server->host.object_count(), 0u);
  const Error error = error_of([&] { add(*peer, object, 1, 1); });
  EXPECT_EQ(error.failure(), Failure::connect);
}

TEST(Connection, ReconnectsWithinTheSession) {
  ServerOptions options;
  TestServer server(options);
  const auto peer = server.peer();
  const auto object = peer->create("test.Thing").id;
  say_goodbye(*peer);  // closes the connections and drops the references
  EXPECT_TRUE(eventually([&] { return server.host.object_count() == 0; }));
  EXPECT_EQ(peer->create("test.Thing").type, "test.Thing");
}

TEST(Connection, GoodbyeDropsReferencesAtOnce) {
  TestServer server;
  const auto peer = server.peer();
  for (int i = 0; i < 10; ++i) peer->create("test.Thing");
  EXPECT_EQ(server.host.object_count(), 10u);
  say_goodbye(*peer);
  EXPECT_TRUE(eventually([&] { return server.host.object_count() == 0; }));
}

TEST(Connection, ResultsBeyondALimitAreAnError) {
  TestServer server;
  Limits limits;
  limits.message_bytes = 100000;
  const auto peer = server.peer(limits);
  const auto object = peer->create("test.Thing").id;
  const Error error = error_of([&] {
    Call call(object, "grow");
    call.encoder.put(std::int64_t{20000});
    call.run(*peer);
  });
  EXPECT_EQ(error.fate(), Fate::executed);
  EXPECT_NE(std::string(error.what()).find("SIDL_RMI_MAX_MESSAGE"), std::string::npos);
  EXPECT_EQ(add(*peer, object, 1, 2), 3);
}

TEST(Connection, PublishedNames) {
  TestServer server;
  const auto peer = server.peer();
  EXPECT_EQ(peer->attach("public", true).id, "public");
  EXPECT_EQ(add(*peer, "public", 1, 2), 3);
  const Error error = error_of([&] { peer->attach("nobody", true); });
  EXPECT_EQ(error.failure(), Failure::object_does_not_exist);
  EXPECT_EQ(server.server.ledger().reference_count(), 1u);
}

TEST(Connection, AForkedChildHasASessionOfItsOwn) {
  TestServer server;
  const auto peer = Peer::find(server.server.endpoint());  // known to the fork handlers
  const auto object = peer->create("test.Thing").id;
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      const bool works = add(*peer, object, 2, 3) == 5 && peer->create("test.Thing").id != object;
      say_goodbye(*peer);
      ::_exit(works ? 0 : 1);
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      ::_exit(2);
    }
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(add(*peer, object, 4, 5), 9);
  EXPECT_TRUE(eventually([&] { return server.host.object_count() == 1; }));
}

TEST(Connection, OverIpv6) {
  ServerOptions options;
  options.listen.host = "::1";
  std::unique_ptr<TestServer> server;
  try {
    server = std::make_unique<TestServer>(options);
  } catch (const Error& error) {
    GTEST_SKIP() << "no IPv6 here: " << error.what();
  }
  const auto peer = server->peer();
  EXPECT_EQ(peer->create("test.Thing").type, "test.Thing");
}
