/**
 * Stream sockets as channels: what TCP and Unix-domain sockets have in common.
 *
 * Sockets stay in blocking mode; operations that must not wait pass MSG_DONTWAIT. The others wait
 * at most the socket's receive and send time-outs, which are the stream's patience.
 */
#ifndef SHINAR_TRANSPORTS_SOCKETS_HPP
#define SHINAR_TRANSPORTS_SOCKETS_HPP

#include <sys/socket.h>

#include <chrono>
#include <memory>
#include <string>

#include "core/byte_stream.hpp"
#include "core/socket.hpp"
#include "core/transport.hpp"

namespace shinar::wire {

/** Length of the listen queue, as far as the system allows. */
constexpr int listen_backlog = 4096;

/** Connects a nonblocking socket, which is blocking afterwards; returns 0 or errno. */
int connect_one(int fd, const sockaddr* address, socklen_t size,
                std::chrono::steady_clock::time_point until);

/** The user at the other end of a Unix-domain socket, as the system knows it; else nobody. */
Identity user_at(const Socket& socket);

/** A stream over a connected socket. */
class SocketStream final : public ByteStream {
 public:
  explicit SocketStream(Socket socket);

  ssize_t send(std::span<const iovec> pieces, bool waits) override;
  ssize_t send(std::span<const std::byte> bytes, bool waits) override {
    return ::send(socket_.fd(), bytes.data(), bytes.size(),
                  waits ? MSG_NOSIGNAL : MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  ssize_t receive(void* to, std::size_t size, bool waits) override {
    return ::recv(socket_.fd(), to, size, waits ? 0 : MSG_DONTWAIT);
  }
  int descriptor() const override { return socket_.fd(); }
  void set_patience(std::chrono::milliseconds receiving,
                    std::chrono::milliseconds sending) override;
  void finish_sending() override { ::shutdown(socket_.fd(), SHUT_WR); }
  void shut_down() override { socket_.shut_down(); }
  /** 0 for Unix-domain sockets: data is with the peer at once. */
  int unsent() const override;
  /** "127.0.0.1:4711", or "process 4711", while the system knows it. */
  std::string peer() const override;
  Identity identity() const override;

 private:
  const Socket socket_;
  const bool is_unix_;
};

/** A channel over a connected socket. */
std::unique_ptr<Channel> channel_over(Socket socket, const Limits& limits);

/** A socket that listens at an endpoint. */
class SocketListener : public Listener {
 public:
  SocketListener(Endpoint endpoint, Socket socket)
      : endpoint_(std::move(endpoint)), socket_(std::move(socket)) {}

  const Endpoint& endpoint() const override { return endpoint_; }
  int descriptor() const override { return socket_.fd(); }
  Accepted accept(const Limits& limits) final;
  void close() override { socket_.shut_down(); }

 protected:
  /** A connection's stream; `peer`: its name, which may be changed. Throws Error. */
  virtual std::unique_ptr<ByteStream> stream_over(Socket socket, std::string& peer);

 private:
  const Endpoint endpoint_;
  const Socket socket_;
};

}  // namespace shinar::wire
#endif
