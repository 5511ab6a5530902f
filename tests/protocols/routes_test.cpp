/**
 * The ways to a server: which are known, which is tried first, and what happens when one fails.
 */
#include "core/routes.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "core/peer.hpp"
#include "core/probe.hpp"
#include "raw_frames.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

namespace {

Endpoint tcp_at(const char* host, std::uint16_t port) {
  return {.host = host, .port = port};
}

Routes routes_with(const char* order, const char* doors, const Endpoint& named) {
  Limits limits;
  limits.local_doors = true;
  Routes routes(named, RouteOrder(order, limits));
  routes.learn(doors);
  return routes;
}

/** URLs of those to try, in order. */
std::vector<std::string> to_try(const Routes& routes, Clock::time_point now = Clock::now()) {
  std::vector<std::string> urls;
  for (const Routes::Route& each : routes.to_try(now)) urls.push_back(each.url);
  return urls;
}

using Urls = std::vector<std::string>;
constexpr const char* doors =
    "simhandle+unix:///tmp/door\nsimhandle://*:4711\nsimhandle+shm://abc:0\nsimhandle://"
    "10.1.1.1:5\n";

}  // namespace

TEST(Routes, TheBestComesFirst) {
  const Endpoint named = tcp_at("node7", 4711);
  EXPECT_EQ(to_try(routes_with(nullptr, doors, named)),
            (Urls{"simhandle+shm://abc:0", "simhandle://node7:4711", "simhandle://10.1.1.1:5"}));
  EXPECT_EQ(to_try(routes_with("unix,shm,tcp", doors, named)),
            (Urls{"simhandle+unix:///tmp/door", "simhandle+shm://abc:0", "simhandle://node7:4711",
                  "simhandle://10.1.1.1:5"}));
  EXPECT_EQ(to_try(routes_with("", doors, named)), Urls{"simhandle://node7:4711"});
  EXPECT_EQ(to_try(routes_with("nonsense,,shm", doors, named)),
            (Urls{"simhandle+shm://abc:0", "simhandle://node7:4711"}));
}

/** The URL's word counts, but what is better than TCP is better than a transport not in the order.
 */
TEST(Routes, TheNamedOneIsAlwaysThere) {
  const Endpoint named{.path = "/tmp/door"};
  EXPECT_EQ(to_try(routes_with(nullptr, doors, named)),
            (Urls{"simhandle+shm://abc:0", "simhandle+unix:///tmp/door",
                  "simhandle://localhost:4711", "simhandle://10.1.1.1:5"}));
  // "tcp" kept a client on the Unix-domain socket of its URL, or on UCX.
  EXPECT_EQ(
      to_try(routes_with("tcp", doors, named)),
      (Urls{"simhandle://localhost:4711", "simhandle://10.1.1.1:5", "simhandle+unix:///tmp/door"}));
}

TEST(Routes, WhatIsNotToBeUsedIsKnownWithTheReason) {
  const Endpoint named = tcp_at("node7", 1);
  const Routes routes = routes_with(
      nullptr, "ucx://*:2 slow\nsimhandle://127.0.0.1:3\nsimhandle+unix:///tmp/door\n", named);
  EXPECT_EQ(to_try(routes), Urls{"simhandle://node7:1"});
  ASSERT_EQ(routes.all().size(), 4u);
  for (const Routes::Route& each : routes.all()) {
    EXPECT_EQ(each.why_not.empty(), each.is_named) << each.url;
  }
  EXPECT_EQ(routes.all()[1].url, "ucx://node7:2");
}

TEST(Routes, WhatFailedIsLeftAloneForAWhile) {
  Routes routes = routes_with(nullptr, doors, tcp_at("node7", 4711));
  const auto now = Clock::now();
  const Endpoint memory = routes.to_try(now).front().at;
  routes.failed(memory, "it is not there", now);
  EXPECT_EQ(to_try(routes, now).front(), "simhandle://node7:4711");
  routes.learn(doors);  // as with every connection
  EXPECT_EQ(to_try(routes, now).front(), "simhandle://node7:4711");
  EXPECT_EQ(to_try(routes, now + seconds(60)).front(), "simhandle+shm://abc:0");
  routes.works(memory);
  EXPECT_EQ(to_try(routes, now).front(), "simhandle+shm://abc:0");
  EXPECT_EQ(routes.in_use(), memory);
}

/** From a server that is newer, or lies. */
TEST(Routes, NonsenseIsNoDoor) {
  std::string many;
  for (int i = 1; i < 200; ++i) many += "simhandle://10.0.0.1:" + std::to_string(i) + "\n";
  const Endpoint named = tcp_at("node7", 4711);
  EXPECT_LE(to_try(routes_with(nullptr, many.c_str(), named)).size(), 20u);
  for (const char* const text :
       {"\n\n\n", "slow", " slow", "http://x:1", "simhandle://", "simhandle://a", "simhandle://:1",
        "simhandle+nothing://x:1", "simhandle+../../x://y:1", "://*:", "ucx://", "tcp://x:1",
        "simhandle+shm://", "simhandle+unix://", "simhandle+unix://relative", "\x01\xff slow"}) {
    for (const char* const order : {static_cast<const char*>(nullptr), "shm,unix,tcp,nothing"}) {
      EXPECT_EQ(to_try(routes_with(order, text, named)), Urls{"simhandle://node7:4711"}) << text;
    }
  }
}

namespace {

/** A way to a server that can be closed: it carries what comes, until it is destroyed. */
class Tunnel {
 public:
  explicit Tunnel(Endpoint to) : to_(std::move(to)), listener_(listen_on(endpoint)) {
    thread_ = std::thread([this] { run(); });
  }
  ~Tunnel() {
    is_over_ = true;
    listener_.shut_down();
    for (const Socket& each : ends_) each.shut_down();
    thread_.join();
    for (std::thread& each : carriers_) each.join();
  }

  Endpoint endpoint{"127.0.0.1", 0};
  std::atomic<int> connections{0};

 private:
  void run() {
    while (!is_over_) {
      if (!wait_for(listener_.fd(), POLLIN, Clock::now() + milliseconds(20))) continue;
      Socket near(::accept(listener_.fd(), nullptr, nullptr));
      if (!near.is_open()) continue;
      Socket far = connect_to(to_, milliseconds(5000));
      ++connections;
      const int a = near.fd(), b = far.fd();
      ends_.push_back(std::move(near));
      ends_.push_back(std::move(far));
      carriers_.emplace_back([=] { carry(a, b); });
      carriers_.emplace_back([=] { carry(b, a); });
    }
  }
  static void carry(int from, int to) {
    char part[4096];
    for (;;) {
      const ssize_t got = ::recv(from, part, sizeof part, 0);
      if (got <= 0) break;
      if (::send(to, part, static_cast<std::size_t>(got), MSG_NOSIGNAL) != got) break;
    }
    ::shutdown(to, SHUT_WR);
  }

  const Endpoint to_;
  std::atomic<bool> is_over_{false};
  Socket listener_;
  std::vector<Socket> ends_;
  std::vector<std::thread> carriers_;
  std::thread thread_;
};

Endpoint unix_endpoint() {
  static std::atomic<int> count{0};
  return {.path = testing::TempDir() + "route" + std::to_string(::getpid()) + "." +
                  std::to_string(++count)};
}

/** SIDL_RMI_ROUTES for a while. */
class UsersOrder {
 public:
  explicit UsersOrder(const char* text) { ::setenv("SIDL_RMI_ROUTES", text, 1); }
  ~UsersOrder() { ::unsetenv("SIDL_RMI_ROUTES"); }
};

}  // namespace

/** In the midst of a program's life: neither calls nor references are lost. */
TEST(Routes, AnotherOneIsTakenWhenOneFails) {
  const UsersOrder order(RouteOrder::standard);
  TestServer server;
  auto tunnel = std::make_unique<Tunnel>(server.server.endpoint());
  const auto peer = std::make_shared<Peer>(tunnel->endpoint, one_connection());
  const auto object = peer->create("test.Thing").id;
  Call("public", "noop").run(*peer);
  EXPECT_EQ(peer->routes().in_use, tunnel->endpoint);
  EXPECT_EQ(tunnel->connections, 1);
  tunnel.reset();
  EXPECT_TRUE(eventually([&] {
    try {
      Call(object, "noop").run(*peer);
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::unexpected_close) << error.what();  // the call under way
      return false;
    }
  }));
  EXPECT_EQ(peer->routes().in_use, server.server.endpoint());
  say_goodbye(*peer);
}

TEST(Routes, TheUsersOrderCounts) {
  ServerOptions options;
  options.listen = {"127.0.0.1", 0};
  TestHost host;
  Server server(host, options);
  const Endpoint door = unix_endpoint();
  server.listen(door);
  server.start();
  {
    const auto peer = std::make_shared<Peer>(server.endpoint(), one_connection());
    Call("public", "noop").run(*peer);
    EXPECT_EQ(peer->routes().in_use, server.endpoint());
    say_goodbye(*peer);
  }
  {
    const UsersOrder order("unix,tcp");
    const auto peer = std::make_shared<Peer>(server.endpoint(), one_connection());
    Call("public", "noop").run(*peer);
    EXPECT_EQ(peer->routes().in_use, door);
    // A door that is not there any more is no error.
    const auto other = std::make_shared<Peer>(server.endpoint(), one_connection());
    ::unlink(door.path.c_str());
    Call("public", "noop").run(*other);
    EXPECT_EQ(other->routes().in_use, server.endpoint());
    EXPECT_FALSE(other->routes().all.front().why_not.empty());
    say_goodbye(*peer);
    say_goodbye(*other);
  }
  server.stop(seconds(5));
}

/**
 * Threads whose first calls come at the same time: one knew of the doors that another had been told
 * of before it knew whose they were, took them for another server's, and stayed with TCP.
 */
TEST(Routes, AllThreadsTakeTheBestOne) {
  const UsersOrder order(RouteOrder::standard);
  ServerOptions options;
  options.limits.local_doors = true;
  TestHost host;
  Server server(host, options);
  server.start();
  Limits limits;
  limits.local_doors = true;
  for (int round = 0; round < 200; ++round) {
    const auto peer = std::make_shared<Peer>(server.endpoint(), limits);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 5; ++i) Call("public", "noop").run(*peer);
      });
    }
    for (std::thread& each : threads) each.join();
    for (const Routes::Route& each : peer->routes().all) {
      EXPECT_EQ(each.why_not, "") << each.url << ", round " << round;
    }
    say_goodbye(*peer);
  }
  EXPECT_TRUE(server.stop(seconds(20)));
}

/** A door leads to the server that told of it, or it is none. */
TEST(Routes, AnotherServersDoorIsNotTaken) {
  const Endpoint door = unix_endpoint();
  ServerOptions options;
  options.listen = {"127.0.0.1", 0};
  TestHost host;
  Server server(host, options);
  server.listen(door);
  server.start();
  ::unlink(door.path.c_str());
  ServerOptions others;
  others.listen = door;
  TestServer other(others);
  const UsersOrder order("unix,tcp");
  const auto peer = std::make_shared<Peer>(server.endpoint(), one_connection());
  Call("public", "noop").run(*peer);
  EXPECT_EQ(peer->routes().in_use, server.endpoint());
  EXPECT_THROW(probe(door, peer->routes().server, Limits(), Clock::now() + seconds(5)), Error);
  say_goodbye(*peer);
  server.stop(seconds(5));
}

TEST(Routes, AProbeMeasuresAndLeavesNothing) {
  TestServer server;
  const auto peer = server.peer();
  Call("public", "noop").run(*peer);
  const Probe found =
      probe(server.server.endpoint(), peer->routes().server, Limits(), Clock::now() + seconds(20));
  EXPECT_GT(found.round_trip.count(), 0);
  EXPECT_LT(found.round_trip.count(), 10);
  EXPECT_GT(found.bytes_per_second, 1e3);
  EXPECT_TRUE(eventually([&] { return server.server.connection_count() == 1; }));
  say_goodbye(*peer);
}

/** Somebody listens and says nothing. */
TEST(Routes, AProbeEndsInTime) {
  Endpoint endpoint{"127.0.0.1", 0};
  const Socket listener = listen_on(endpoint);
  EXPECT_THROW(probe(endpoint, Id128{}, Limits(), Clock::now() + milliseconds(100)), Error);
}
