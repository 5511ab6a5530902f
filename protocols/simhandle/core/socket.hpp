/**
 * A stream socket: making connections, listening, the options that every connection gets. What is
 * special about TCP and Unix-domain sockets is in tcp.hpp and unix_socket.hpp.
 *
 * Sockets stay in blocking mode; who must not wait passes MSG_DONTWAIT. Waiting is bounded by the
 * receive and send time-outs of the socket, the stream's patience.
 */
#ifndef SIMHANDLE_SOCKET_HPP
#define SIMHANDLE_SOCKET_HPP

#include <sys/socket.h>

#include <chrono>
#include <string>
#include <utility>

#include "byte_stream.hpp"
#include "descriptors.hpp"
#include "url.hpp"

namespace simhandle {

class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_(adopt_descriptor(fd)) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Socket();

  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

  /** Ends both directions: whoever waits on the socket wakes up. The descriptor stays valid. */
  void shut_down() const;

 private:
  int fd_ = -1;
};

/**
 * As poll on one descriptor, with nothing left to do for a signal. Throws Interrupted, and Error
 * if the call of a peer in whose course the thread waits is given up. The thread holds no locks.
 */
int wait_for(int fd, short events, std::chrono::steady_clock::time_point until);

/** How many connections may wait to be accepted, if the system allows it. */
constexpr int listen_backlog = 4096;

/** Connects a socket that does not block, which from then on does; returns 0 or errno. */
int connect_one(int fd, const sockaddr* address, socklen_t size,
                std::chrono::steady_clock::time_point until);

/** Connects; throws Error(unknown_host, no_route, connect). */
Socket connect_to(const Endpoint& endpoint, std::chrono::milliseconds patience);

/** Listens; throws Error(unknown_host, bind). `endpoint.port` becomes the port in use. */
Socket listen_on(Endpoint& endpoint);

/** A stream over a socket that is connected. */
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
  /** Through a Unix-domain socket the peer has all at once. */
  int unsent() const override;
  /** "127.0.0.1:4711", or "process 4711", as long as the system knows. */
  std::string peer() const override;

 private:
  const Socket socket_;
  const bool is_unix_;
};

/** A connection that has been accepted, and of whom: the system forgets that when it is reset. */
struct Accepted {
  Socket socket;
  std::string peer;  ///< "127.0.0.1:4711", or "process 4711", for log lines
};

/** The socket is closed, and errno says why, if there is none. */
Accepted accept_one(int listener);

}  // namespace simhandle
#endif
