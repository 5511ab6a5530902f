#include "sockets.hpp"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/time.h>

#include <cerrno>
#include <utility>

#include "core/error.hpp"
#include "core/stream_channel.hpp"
#include "tcp.hpp"
#include "unix_socket.hpp"

namespace shinar::wire {
namespace {

using Clock = std::chrono::steady_clock;

/** Waits until a pending connect has finished; returns its errno. */
int finish_connect(int fd, Clock::time_point until) {
  for (;;) {
    const int ready = wait_for(fd, POLLOUT, until);
    if (ready < 0) return errno;
    if (ready == 0) return ETIMEDOUT;
    int err = 0;
    socklen_t size = sizeof err;
    if (::getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &size) != 0) return errno;
    return err;
  }
}

bool is_unix(int fd) {
  int family = AF_UNSPEC;
  socklen_t size = sizeof family;
  return ::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 && family == AF_UNIX;
}

std::string name_of(int fd, const sockaddr_storage& address, socklen_t size) {
  return address.ss_family == AF_UNIX ? unix_socket::name_of(fd, address, size)
                                      : tcp::name_of(address, size);
}

}  // namespace

int connect_one(int fd, const sockaddr* address, socklen_t size, Clock::time_point until) {
  if (::connect(fd, address, size) != 0) {
    const int err = errno == EINPROGRESS ? finish_connect(fd, until) : errno;
    if (err != 0) return err;
  }
  int off = 0;
  return ::ioctl(fd, FIONBIO, &off) == 0 ? 0 : errno;
}

SocketStream::SocketStream(Socket socket)
    : socket_(std::move(socket)), is_unix_(is_unix(socket_.fd())) {
  if (!is_unix_) tcp::prepare(socket_.fd());
}

ssize_t SocketStream::send(std::span<const iovec> pieces, bool waits) {
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(pieces.data());
  message.msg_iovlen = pieces.size();
  return ::sendmsg(socket_.fd(), &message, waits ? MSG_NOSIGNAL : MSG_NOSIGNAL | MSG_DONTWAIT);
}

void SocketStream::set_patience(std::chrono::milliseconds receiving,
                                std::chrono::milliseconds sending) {
  socket_.set_timeout(SO_RCVTIMEO, receiving);
  socket_.set_timeout(SO_SNDTIMEO, sending);
}

int SocketStream::unsent() const {
  int bytes = 0;
  return !is_unix_ && ::ioctl(socket_.fd(), SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

std::string SocketStream::peer() const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  const bool is_known =
      ::getpeername(socket_.fd(), reinterpret_cast<sockaddr*>(&address), &size) == 0;
  return is_known ? name_of(socket_.fd(), address, size) : "an unknown peer";
}

Identity SocketStream::identity() const {
  return user_at(socket_);
}

Identity user_at(const Socket& socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (!is_unix(socket.fd()) ||
      ::getsockopt(socket.fd(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ||
      peer.uid == static_cast<uid_t>(-1)) {
    return {};
  }
  return {.name = std::to_string(peer.uid), .proof = "uid"};
}

std::unique_ptr<Channel> channel_over(Socket socket, const Limits& limits) {
  return std::make_unique<StreamChannel>(std::make_unique<SocketStream>(std::move(socket)), limits);
}

Listener::Accepted SocketListener::accept(const Limits& limits) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  Socket socket(
      ::accept4(socket_.fd(), reinterpret_cast<sockaddr*>(&address), &size, SOCK_CLOEXEC));
  if (!socket.is_open()) return {};
  std::string peer = name_of(socket.fd(), address, size);
  try {
    auto stream = stream_over(std::move(socket), peer);
    return {std::make_unique<StreamChannel>(std::move(stream), limits), std::move(peer)};
  } catch (const Error& error) {
    errno = error.err();
    return {};
  }
}

std::unique_ptr<ByteStream> SocketListener::stream_over(Socket socket, std::string& /*peer*/) {
  return std::make_unique<SocketStream>(std::move(socket));
}

}  // namespace shinar::wire
