/** Connections that take longer to be made than their callers wait. */
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <climits>
#include <thread>
#include <vector>

#include "raw_frames.hpp"
#include "test_host.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

/** Between a client and a server; the server's first bytes of the first connections are held back.
 */
class SlowGreeter {
 public:
  SlowGreeter(const Endpoint& server, milliseconds delay, int slow_ones = INT_MAX)
      : server_(server), delay_(delay), slow_ones_(slow_ones), listener_(listen_on(endpoint_)) {
    accepter_ = std::jthread([this](const std::stop_token& stop) { accept_all(stop); });
  }
  ~SlowGreeter() {
    accepter_ = {};
    lines_.clear();
  }
  const Endpoint& endpoint() const { return endpoint_; }
  int connections() const { return connections_; }

 private:
  static bool has_something(int fd, milliseconds patience) {
    pollfd one{fd, POLLIN, 0};
    return ::poll(&one, 1, static_cast<int>(patience.count())) > 0;
  }
  /** False at the end. */
  static bool forward(const Socket& from, const Socket& to) {
    std::array<std::byte, 4096> bytes{};
    const ssize_t count = ::recv(from.fd(), bytes.data(), bytes.size(), 0);
    return count > 0 &&
           ::send(to.fd(), bytes.data(), static_cast<std::size_t>(count), MSG_NOSIGNAL) == count;
  }
  void accept_all(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (!has_something(listener_.fd(), milliseconds(5))) continue;
      const milliseconds delay = ++connections_ <= slow_ones_ ? delay_ : milliseconds(0);
      lines_.emplace_back(
          [this, delay, client = Socket(::accept(listener_.fd(), nullptr, nullptr))](
              const std::stop_token& ends) { carry(client, delay, ends); });
    }
  }
  void carry(const Socket& client, milliseconds delay, const std::stop_token& stop) const {
    const Socket server = connect_to(server_, milliseconds(5000));
    bool is_first = true;
    while (!stop.stop_requested()) {
      if (has_something(client.fd(), milliseconds(1)) && !forward(client, server)) return;
      if (!has_something(server.fd(), milliseconds(1))) continue;
      const auto until = std::chrono::steady_clock::now() + (is_first ? delay : milliseconds(0));
      while (!stop.stop_requested() && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(milliseconds(1));
      }
      is_first = false;
      if (!forward(server, client)) return;
    }
  }

  const Endpoint server_;
  const milliseconds delay_;
  const int slow_ones_;
  Endpoint endpoint_{"127.0.0.1", 0};
  Socket listener_;
  std::atomic<int> connections_{0};
  std::vector<std::jthread> lines_;
  std::jthread accepter_;
};

/** "": it was answered. */
std::string outcome(Peer& peer, milliseconds deadline) {
  Call noop("public", "noop");
  noop.deadline = deadline;
  try {
    noop.run(peer);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

/** They began anew each time, and never got a connection. */
TEST(Connecting, GoesOnWhenCallersGiveUp) {
  TestServer server;
  SlowGreeter between(server.server.endpoint(), milliseconds(600));
  const auto peer = std::make_shared<Peer>(between.endpoint(), Limits());
  const std::string first = outcome(*peer, milliseconds(50));
  EXPECT_NE(first.find("the deadline passed before the connection was established"),
            std::string::npos)
      << first;
  EXPECT_TRUE(eventually([&] { return outcome(*peer, milliseconds(200)).empty(); }));
  EXPECT_EQ(between.connections(), 1);  // all waited for the same one
}

/** What came to nothing was waited for, for as long as connecting may take. */
TEST(Connecting, AnotherAttemptFollowsOneWithoutAnswer) {
  TestServer server;
  SlowGreeter between(server.server.endpoint(), milliseconds(60000), 1);
  const auto peer = std::make_shared<Peer>(between.endpoint(), Limits());
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(eventually([&] { return outcome(*peer, milliseconds(100)).empty(); }));
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(Limits().connect_ms));
  EXPECT_EQ(between.connections(), 2);
}

/** Many of them, who call at once. */
TEST(Connecting, CallersWithDeadlinesWaitTogether) {
  TestServer server;
  SlowGreeter between(server.server.endpoint(), milliseconds(100));
  const auto peer = std::make_shared<Peer>(between.endpoint(), Limits());
  std::atomic<int> answered{0};
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < 8; ++i) {
      callers.emplace_back([&] { answered += outcome(*peer, milliseconds(5000)).empty(); });
    }
  }
  EXPECT_EQ(answered, 8);
}

/** Nobody listens: those who wait hear why, at once. */
TEST(Connecting, FailuresComeToAllWhoWait) {
  Endpoint endpoint{"127.0.0.1", 0};
  listen_on(endpoint);  // for a moment only
  const auto peer = std::make_shared<Peer>(endpoint, Limits());
  for (int i = 0; i < 3; ++i) {
    const std::string why = outcome(*peer, milliseconds(5000));
    EXPECT_NE(why.find("refused"), std::string::npos) << why;
  }
}
