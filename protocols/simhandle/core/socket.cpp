#include "socket.hpp"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "error.hpp"
#include "interruption.hpp"
#include "tcp.hpp"
#include "unix_socket.hpp"

namespace simhandle {
namespace {

using Clock = std::chrono::steady_clock;

/** Waits until a connection that is being made is there; returns its errno. */
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

}  // namespace

Socket::~Socket() {
  if (fd_ >= 0) close_descriptor(fd_);
}

void Socket::shut_down() const {
  if (fd_ >= 0) ::shutdown(fd_, SHUT_RDWR);
}

int wait_for(int fd, short events, Clock::time_point until) {
  using std::chrono::milliseconds;
  Interruption interruption;
  const bool looks = interruption.may_come() || RunningCall::innermost() != nullptr;
  for (;;) {
    auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
    if (left.count() <= 0) return 0;
    if (looks) left = std::min(left, Interruption::look);
    pollfd waiting{fd, events, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready > 0 || (ready < 0 && errno != EINTR)) return ready;
    if (ready < 0) interruption.hurry();
    if (interruption.is_due() && interruption.has_come()) throw Interrupted(Fate::not_sent);
    RunningCall::check_wanted();
  }
}

int connect_one(int fd, const sockaddr* address, socklen_t size, Clock::time_point until) {
  if (::connect(fd, address, size) != 0) {
    const int err = errno == EINPROGRESS ? finish_connect(fd, until) : errno;
    if (err != 0) return err;
  }
  int off = 0;
  return ::ioctl(fd, FIONBIO, &off) == 0 ? 0 : errno;
}

Socket connect_to(const Endpoint& endpoint, std::chrono::milliseconds patience) {
  const auto until = Clock::now() + patience;
  return endpoint.path.empty() ? tcp::connect(endpoint, until)
                               : unix_socket::connect(endpoint, until);
}

Socket listen_on(Endpoint& endpoint) {
  return endpoint.path.empty() ? tcp::listen(endpoint) : unix_socket::listen(endpoint);
}

namespace {

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

Accepted accept_one(int listener) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  Socket socket(::accept4(listener, reinterpret_cast<sockaddr*>(&address), &size, SOCK_CLOEXEC));
  if (!socket.is_open()) return {std::move(socket), {}};
  std::string peer = name_of(socket.fd(), address, size);
  return {std::move(socket), std::move(peer)};
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
  const auto set = [this](int option, std::chrono::milliseconds wait) {
    timeval value{};
    value.tv_sec = wait.count() / 1000;
    value.tv_usec = static_cast<suseconds_t>(wait.count() % 1000 * 1000);
    // Of a system that does not have it waiting takes longer.
    static_cast<void>(::setsockopt(socket_.fd(), SOL_SOCKET, option, &value, sizeof value));
  };
  set(SO_RCVTIMEO, receiving);
  set(SO_SNDTIMEO, sending);
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

}  // namespace simhandle
