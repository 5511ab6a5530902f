/**
 * Peers that send without a pause. Whoever reads them looks at the clock, and at others, all the
 * same.
 *
 * Hostile peers of other tests sent much at once or nothing at all; none went on for ever.
 */
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <future>
#include <span>
#include <thread>
#include <vector>

#include "raw_connection.hpp"
#include "temporary.hpp"
#include "test_host.hpp"
#include "transports/unix_socket.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;

namespace {

/** Frames that cost much more to read, and to answer, than to send. */
std::vector<std::byte> many_pings() {
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::ping);
  std::vector<std::byte> all(20000 * sizeof header);
  for (std::size_t at = 0; at < all.size(); at += sizeof header) {
    std::memcpy(all.data() + at, &header, sizeof header);
  }
  return all;
}

/**
 * Sends them over a socket until `is_over` or the peer has gone. One with a body goes first, so
 * that what the peer receives at once does not end with a frame.
 */
void send_pings(int fd, const std::atomic<bool>& is_over) {
  const std::vector<std::byte> frames = many_pings();
  Encoder body;
  body.put(std::uint32_t{0});
  FrameHeader first;
  first.type = static_cast<std::uint8_t>(FrameType::pong);
  first.body = static_cast<std::uint32_t>(body.body_size());
  send_frame(fd, {}, first, body);
  std::span<const std::byte> left = frames;
  while (!is_over) {
    const ssize_t sent = ::send(fd, left.data(), left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN) return;
    if (sent < 0) std::this_thread::yield();
    if (sent > 0) left = left.subspan(static_cast<std::size_t>(sent));
    if (left.empty()) left = frames;
  }
}

/**
 * Sends a method's calls without a pause until `is_over` or the peer has gone; in the course of
 * `parent`, if there is one.
 */
void send_calls(int fd, const std::atomic<bool>& is_over,
                std::optional<std::uint64_t> parent = std::nullopt) {
  Encoder body;
  body.put_string("public");
  if (parent) body.put(*parent);
  for (std::uint64_t id = 1; !is_over;) {
    std::vector<std::byte> frames;
    for (int i = 0; i < 2000; ++i) {
      FrameHeader header;
      header.type = static_cast<std::uint8_t>(FrameType::request);
      header.request = id++;
      header.flags = parent ? flag_nested : 0;
      header.method = 1;
      header.body = static_cast<std::uint32_t>(body.body_size());
      const auto frame = body.with_header(header);
      frames.insert(frames.end(), frame.begin(), frame.end());
    }
    for (std::span<const std::byte> left = frames; !left.empty() && !is_over;) {
      pollfd room{fd, POLLOUT, 0};
      ::poll(&room, 1, 10);
      const ssize_t sent = ::send(fd, left.data(), left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno != EAGAIN) return;
      if (sent > 0) left = left.subspan(static_cast<std::size_t>(sent));
    }
  }
}

/** Takes all that comes, to the end. */
void read_answers(int fd) {
  std::vector<std::byte> dropped(1 << 18);
  while (::recv(fd, dropped.data(), dropped.size(), 0) > 0) {
  }
}

/** Clients that do. */
class Flood {
 public:
  Flood(TestServer& server, int clients) {
    for (int i = 0; i < clients; ++i) {
      threads_.emplace_back([this, &server] {
        RawConnection raw(server);
        ++sending;
        send_pings(raw.fd(), is_over_);
      });
    }
    EXPECT_TRUE(eventually([&] { return sending == clients; }));
  }
  Flood(const Flood&) = delete;
  Flood& operator=(const Flood&) = delete;
  ~Flood() {
    is_over_ = true;
    for (std::thread& each : threads_) each.join();
  }

  std::atomic<int> sending{0};

 private:
  std::atomic<bool> is_over_{false};
  std::vector<std::thread> threads_;
};

}  // namespace

TEST(Flood, OfAServerDoesNotOutlastADeadlineNorAGoodbye) {
  const TemporaryFolder folder;  // what the client answers soon fills such a socket
  const Endpoint endpoint{.path = folder.file("s")};
  const Socket listener = unix_socket::listen(endpoint);
  std::atomic<bool> is_over{false};
  std::thread server([&] {
    // Three intervals the client waits for a server that takes nothing of what it was sent.
    const Socket socket = greet_client(listener, 1000);
    send_pings(socket.fd(), is_over);
  });
  const auto peer = std::make_shared<Peer>(endpoint, Limits());
  std::thread watch([&] {  // so that a fault fails, and does not hang
    EXPECT_TRUE(eventually([&] { return is_over.load(); }));
    is_over = true;
  });
  int not_sent = 0;
  for (int i = 0; i < 4; ++i) {  // the later ones find what the first one has not got rid of
    Call noop("public", "noop");
    noop.deadline = milliseconds(200);
    try {
      noop.run(*peer);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::time_out) << error.what();
      not_sent += error.fate() == Fate::not_sent ? 1 : 0;
    }
  }
  EXPECT_GT(not_sent, 0) << "the server has taken them all";
  EXPECT_FALSE(is_over) << "the flood has not ended before the calls";
  say_goodbye(*peer);
  is_over = true;
  watch.join();
  server.join();
}

/** Sends one-way calls, of which nothing is sent or all, until the server has no room for more. */
void fill(Peer& peer) {
  for (int i = 0; i < 100000; ++i) {
    Call small("public", "noop");
    small.deadline = milliseconds(200);
    try {
      small.send(peer);
    } catch (const Error& error) {
      EXPECT_EQ(error.failure(), Failure::time_out) << error.what();
      EXPECT_EQ(error.fate(), Fate::not_sent) << error.what();
      return;
    }
  }
  ADD_FAILURE() << "there is room for everything";
}

/** The names of the methods that the client defines, until it ends. */
std::vector<std::string> names_of(const Socket& socket) {
  std::vector<std::string> names;
  FrameHeader header;
  std::vector<char> body;
  while (::recv(socket.fd(), &header, sizeof header, MSG_WAITALL) == sizeof header) {
    body.resize(frame_bytes(header) - sizeof header);
    if (!body.empty()) ::recv(socket.fd(), body.data(), body.size(), MSG_WAITALL);
    if (header.type != static_cast<std::uint8_t>(FrameType::method)) continue;
    names.emplace_back(body.begin() + 12, body.end());  // behind the digest, and its length
  }
  return names;
}

/** A thread that cancelled a call, or dropped a handle, waited until the server was given up. */
TEST(Flood, NeitherCancellingNorReleasingWaitsForTheServer) {
  const TemporaryFolder folder;
  const Endpoint endpoint{.path = folder.file("s")};
  const Socket listener = unix_socket::listen(endpoint);
  std::atomic<bool> is_over{false};
  std::thread server([&] {
    // It reads nothing, and is given up after three intervals of this length.
    const Socket socket = greet_client(listener, 5000);
    while (!is_over) std::this_thread::sleep_for(milliseconds(10));
  });
  TestHost host;
  Exports exports(host, 1000);
  {
    const auto peer = std::make_shared<Peer>(endpoint, one_connection(), &exports);
    const auto pending = Call("public", "noop").begin(*peer);
    std::thread watch([&] {
      EXPECT_TRUE(eventually([&] { return is_over.load(); }));
      is_over = true;
    });
    fill(*peer);
    EXPECT_TRUE(pending->cancel());
    for (int i = 0; i < 10; ++i) peer->release("object-" + std::to_string(i), 1);
    EXPECT_FALSE(is_over) << "it waited";
    is_over = true;
    watch.join();
    server.join();
  }
}

/** Calls of the server's that are read while the client holds the lock for sending, and waits. */
TEST(Flood, CallsAreReadWhileTheServerTakesNothing) {
  const TemporaryFolder folder;
  const Endpoint endpoint{.path = folder.file("s")};
  const Socket listener = unix_socket::listen(endpoint);
  std::atomic<bool> is_over{false};
  std::thread server([&] {
    const Socket socket = greet_client(listener, 5000);
    Encoder name;
    name.put(std::uint64_t{0x1234});
    name.put_string("note");
    FrameHeader header;
    header.type = static_cast<std::uint8_t>(FrameType::method);
    header.method = 1;
    header.body = static_cast<std::uint32_t>(name.body_size());
    send_frame(socket.fd(), {}, header, name);
    for (std::uint16_t i = 0; i < 4; ++i) {
      Encoder body;
      body.put_string("public");
      body.put(std::int32_t{0});
      body.put(std::int32_t{i});
      header.type = static_cast<std::uint8_t>(FrameType::oneway);
      header.strand = i / 2;  // for each of them, one behind the other, and for none
      header.body = static_cast<std::uint32_t>(body.body_size());
      send_frame(socket.fd(), {}, header, body);
    }
    EXPECT_TRUE(eventually([&] { return is_over.load(); }));
  });
  {
    TestHost host;
    Exports exports(host, 1000);
    const auto peer = std::make_shared<Peer>(endpoint, one_connection(), &exports);
    fill(*peer);
    EXPECT_TRUE(eventually([&] { return host.notes().size() == 4; }));
    is_over = true;
    server.join();
  }
}

/** The server had been told of the method, the client thought, and called it by a number. */
TEST(Flood, AMethodOfACallThatWasNotSentIsDefinedAgain) {
  const TemporaryFolder folder;
  const Endpoint endpoint{.path = folder.file("s")};
  const Socket listener = unix_socket::listen(endpoint);
  std::atomic<bool> reads{false};
  std::vector<std::string> names;
  std::thread server([&] {
    const Socket socket = greet_client(listener, 5000);
    EXPECT_TRUE(eventually([&] { return reads.load(); }));
    names = names_of(socket);
  });
  {
    const auto peer = std::make_shared<Peer>(endpoint, one_connection());
    fill(*peer);
    Call other("public", "other");
    other.deadline = milliseconds(50);
    EXPECT_THROW(other.send(*peer), Error);
    reads = true;
    Call("public", "other").send(*peer);
    Call("public", "other").send(*peer);
    say_goodbye(*peer);
  }
  server.join();
  EXPECT_EQ(names, (std::vector<std::string>{"noop", "other"}));
}

/** Sends calls in the course of the call that comes, without reading the answers. */
void call_back_without_reading(const Socket& listener, const std::atomic<bool>& is_over) {
  const Socket socket = greet_client(listener, 1000);
  FrameHeader header;
  std::vector<std::byte> body;
  while (::recv(socket.fd(), &header, sizeof header, MSG_WAITALL) == sizeof header &&
         header.type != static_cast<std::uint8_t>(FrameType::request)) {
    body.resize(frame_bytes(header) - sizeof header);
    if (!body.empty()) ::recv(socket.fd(), body.data(), body.size(), MSG_WAITALL);
  }
  Encoder name;
  name.put(std::uint64_t{0x1234});
  name.put_string("noop");
  FrameHeader definition;
  definition.type = static_cast<std::uint8_t>(FrameType::method);
  definition.method = 1;
  definition.body = static_cast<std::uint32_t>(name.body_size());
  send_frame(socket.fd(), {}, definition, name);
  send_calls(socket.fd(), is_over, header.request);
}

/** The reader refused calls beyond the limit with the lock that it held, as it was sending. */
TEST(Flood, OfCallsInTheCourseOfACall) {
  Endpoint endpoint{"127.0.0.1", 0};
  Socket listener = listen_on(endpoint);
  std::atomic<bool> is_over{false};
  std::thread server([&] { call_back_without_reading(listener, is_over); });
  struct Client {
    TestHost host;
    Exports exports{host, 1000};
    std::shared_ptr<Peer> peer;
    std::atomic<bool> has_ended{false};
  };
  const auto client = std::make_shared<Client>();
  client->peer = std::make_shared<Peer>(endpoint, Limits(), &client->exports);
  std::thread caller([client] {
    Call noop("public", "noop");
    noop.deadline = milliseconds(500);
    EXPECT_THROW(noop.run(*client->peer), Error);
    client->has_ended = true;
  });
  const bool has_ended = eventually([&] { return client->has_ended.load(); });
  is_over = true;
  if (has_ended) {
    caller.join();
    say_goodbye(*client->peer);
  } else {
    ADD_FAILURE() << "the thread of the call waits for itself";
    caller.detach();
  }
  server.join();
}

TEST(Flood, OfClientsLeavesThreadsToOthers) {
  TestServer server(two_threads());
  const auto peer = server.peer();
  const Flood flood(server, 4);
  for (int i = 0; i < 20; ++i) {
    Call noop("public", "noop");
    noop.deadline = milliseconds(10000);
    ASSERT_NO_THROW(noop.run(*peer));
  }
}

TEST(Flood, OfClientsDoesNotKeepNewOnesFromBeingGreeted) {
  TestServer server(two_threads());
  const auto peer = server.peer();
  std::vector<std::thread> callers;
  for (int i = 0; i < 2; ++i) {
    callers.emplace_back([&] { Call("public", "hold").run(*peer); });
  }
  EXPECT_TRUE(eventually([&] { return server.host.holding == 2; }));
  {
    const Flood flood(server, 2);
    for (int i = 0; i < 3; ++i) EXPECT_NO_THROW(RawConnection{server});
  }
  server.host.release_holds();
  for (std::thread& each : callers) each.join();
}

/**
 * Whoever was to run a call that had been read looked first whether more had come, which was so
 * each time: refusing those took longer than what was seen stayed fresh.
 */
TEST(Flood, OfCallsThatAreRefusedDoesNotDelayTheEnd) {
  TestServer server(two_threads());
  const auto peer = server.peer();
  std::vector<std::thread> callers;
  for (int i = 0; i < 2; ++i) {
    callers.emplace_back([&] { Call("public", "hold").run(*peer); });
  }
  EXPECT_TRUE(eventually([&] { return server.host.holding == 2; }));
  RawConnection raw(server);
  raw.name("noop");
  Encoder body;
  body.put_string("public");
  raw.send(FrameType::request, body, 1, 0, 1);
  EXPECT_TRUE(eventually([&] { return server.server.counters().calls == 3; }));  // it waits
  auto end =
      std::async(std::launch::async, [&] { return server.server.stop(milliseconds(10000)); });
  std::this_thread::sleep_for(milliseconds(50));  // it begins to
  std::atomic<bool> is_over{false};
  std::thread flood([&] { send_calls(raw.fd(), is_over); });
  std::thread reads([&] { read_answers(raw.fd()); });  // or refusals would cost nothing
  std::this_thread::sleep_for(milliseconds(50));
  server.host.release_holds();
  EXPECT_TRUE(end.get());
  EXPECT_FALSE(server.server.has_cut());
  is_over = true;
  flood.join();
  raw.shut();
  reads.join();
  for (std::thread& each : callers) each.join();
}
