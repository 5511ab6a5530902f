/**
 * A connection to a TestServer whose frames the test writes and reads itself, when it likes.
 */
#ifndef RAW_CONNECTION_HPP
#define RAW_CONNECTION_HPP

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "raw_frames.hpp"
#include "test_host.hpp"

/**
 * What a server with this id does first: takes the connection of a client that comes, and greets
 * it; with this keepalive interval, if there is one, whatever the client wished for. `before`: what
 * it does before it answers.
 */
inline shinar::wire::Socket greet_client(
    const shinar::wire::Socket& listener, std::optional<std::uint32_t> keepalive_ms = {},
    const shinar::wire::Id128& id = shinar::wire::random_id(),
    const std::function<void()>& before = [] {}) {
  using namespace shinar::wire;
  wait_for(listener.fd(), POLLIN, std::chrono::steady_clock::now() + std::chrono::seconds(10));
  Socket socket(::accept(listener.fd(), nullptr, nullptr));
  HelloBytes bytes{};
  static_cast<void>(::recv(socket.fd(), bytes.data(), bytes.size(), MSG_WAITALL));
  std::string text;
  Welcome welcome = answer(decode_hello(bytes), Limits(), id, text);
  welcome.keepalive_ms = keepalive_ms.value_or(welcome.keepalive_ms);
  before();
  const HelloBytes sent = encode(welcome);
  ::send(socket.fd(), sent.data(), sent.size(), MSG_NOSIGNAL);
  return socket;
}

class RawConnection {
 public:
  /** A server with a thousand threads is slow where each access of memory is looked at. */
  static constexpr std::uint32_t patience_ms = 20000;

  explicit RawConnection(TestServer& server,
                         const shinar::wire::Id128& session = shinar::wire::random_id(),
                         std::uint64_t number = 0)
      : RawConnection(server.server.endpoint(), session, number) {}
  explicit RawConnection(const shinar::wire::Endpoint& endpoint,
                         const shinar::wire::Id128& session = shinar::wire::random_id(),
                         std::uint64_t number = 0)
      : socket_(shinar::wire::connect_to(endpoint, std::chrono::milliseconds(patience_ms))) {
    shinar::wire::Hello hello;
    hello.session = session;
    hello.number = number;
    hello.inline_bytes = shinar::wire::least_inline_bytes;
    hello.message_bytes = std::uint64_t{1} << 30;
    hello.keepalive_ms = 0;
    shinar::wire::perform_handshake(socket_.fd(), hello, patience_ms);
  }
  void send(shinar::wire::FrameType type, shinar::wire::Encoder& body, std::uint16_t method = 0,
            std::uint16_t strand = 0, std::uint64_t id = 0, std::uint16_t flags = 0) {
    shinar::wire::FrameHeader header;
    header.type = static_cast<std::uint8_t>(type);
    header.flags = static_cast<decltype(header.flags)>(flags);
    header.request = id;
    header.body = static_cast<std::uint32_t>(body.body_size());
    header.method = method;
    header.strand = strand;
    shinar::wire::send_frame(socket_.fd(), {}, header, body);
  }
  /** A request in the course of the server's call `parent`. */
  void send_nested(shinar::wire::Encoder& body, std::uint16_t method, std::uint64_t parent,
                   std::uint64_t id) {
    shinar::wire::FrameHeader header;
    header.type = static_cast<std::uint8_t>(shinar::wire::FrameType::request);
    header.flags = shinar::wire::flag_nested;
    header.request = id;
    body.put(parent);
    header.body = static_cast<std::uint32_t>(body.body_size());
    header.method = method;
    shinar::wire::send_frame(socket_.fd(), {}, header, body);
  }
  /** The next method of the connection. */
  void name(const char* method) {
    shinar::wire::Encoder body;
    body.put(std::uint64_t{0x1234});
    body.put_string(method);
    send(shinar::wire::FrameType::method, body, ++methods_);
  }
  /** Returns when the frame without a body has come that answers the call with this id. */
  void await(shinar::wire::FrameType type, std::uint64_t id) {
    shinar::wire::FrameHeader header;
    do {
      ASSERT_EQ(::recv(socket_.fd(), &header, sizeof header, MSG_WAITALL), ssize_t{sizeof header});
    } while (header.type != static_cast<std::uint8_t>(type) || header.request != id);
  }
  /** Reads to the end of the next answer to a call; returns its header. */
  shinar::wire::FrameHeader next_answer() {
    for (;;) {
      shinar::wire::FrameHeader header;
      EXPECT_TRUE(read(&header, sizeof header)) << "no answer";
      std::vector<std::byte> rest(shinar::wire::frame_bytes(header) - sizeof header);
      EXPECT_TRUE(read(rest.data(), rest.size())) << "half an answer";
      if (header.type != static_cast<std::uint8_t>(shinar::wire::FrameType::pong)) return header;
    }
  }
  /** The same, of an answer: frames of the server's own calls are passed over. */
  shinar::wire::FrameHeader next_answer_to_call() {
    for (;;) {
      const shinar::wire::FrameHeader header = next_answer();
      const auto type = static_cast<shinar::wire::FrameType>(header.type);
      const bool is_call =
          type == shinar::wire::FrameType::request || type == shinar::wire::FrameType::method;
      if (!is_call || testing::Test::HasFailure()) return header;
    }
  }
  /** Returns when something has come. */
  void await_first_byte() {
    std::byte first;
    ASSERT_EQ(::recv(socket_.fd(), &first, 1, MSG_PEEK), 1);
  }
  int fd() const { return socket_.fd(); }
  /** Sends nothing more. */
  void shut() { ::shutdown(socket_.fd(), SHUT_WR); }

  /** Returns when all that was sent has been read. */
  void settle() {
    shinar::wire::Encoder nothing;
    send(shinar::wire::FrameType::ping, nothing, 0, 0, 99);
    await(shinar::wire::FrameType::pong, 99);
  }

 private:
  bool read(void* to, std::size_t size) {
    // With nothing to read, recv would wait for something.
    return size == 0 || ::recv(socket_.fd(), to, size, MSG_WAITALL) == static_cast<ssize_t>(size);
  }

  shinar::wire::Socket socket_;
  std::uint16_t methods_ = 0;
};

#endif
