#include "socket.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "error.hpp"
#include "interruption.hpp"

namespace simhandle {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;
using Clock = std::chrono::steady_clock;

Addresses resolve(const Endpoint& endpoint, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int status =
      ::getaddrinfo(endpoint.host.c_str(), std::to_string(endpoint.port).c_str(), &hints, &found);
  if (status != 0) {
    throw Error(Failure::unknown_host,
                "host '" + endpoint.host + "' cannot be resolved: " + ::gai_strerror(status),
                Fate::not_sent, status == EAI_SYSTEM ? errno : 0);
  }
  return {found, &::freeaddrinfo};
}

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

/** Tries one address; returns 0 or errno. */
int connect_one(const addrinfo& address, Clock::time_point until, Socket& result) {
  Socket socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) return errno;
  int err = 0;
  if (::connect(socket.fd(), address.ai_addr, address.ai_addrlen) != 0) {
    err = errno == EINPROGRESS ? finish_connect(socket.fd(), until) : errno;
  }
  if (err != 0) return err;
  int off = 0;
  if (::ioctl(socket.fd(), FIONBIO, &off) != 0) return errno;
  result = std::move(socket);
  return 0;
}

Failure failure_of(int err) {
  switch (err) {
    case ENETUNREACH:
    case EHOSTUNREACH:
    case ENETDOWN:
    case EHOSTDOWN:
      return Failure::no_route;
    default:
      return Failure::connect;
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

Socket connect_to(const Endpoint& endpoint, std::chrono::milliseconds patience) {
  const auto until = Clock::now() + patience;
  const Addresses addresses = resolve(endpoint, 0);
  int err = ECONNREFUSED;
  for (const addrinfo* each = addresses.get(); each != nullptr; each = each->ai_next) {
    Socket socket;
    err = connect_one(*each, until, socket);
    if (err == 0) return socket;
    if (err == ETIMEDOUT) break;
  }
  throw Error(failure_of(err), std::string("cannot connect: ") + std::strerror(err), Fate::not_sent,
              err);
}

Socket listen_on(Endpoint& endpoint) {
  const Addresses addresses = resolve(endpoint, AI_PASSIVE);
  int err = EADDRNOTAVAIL;
  for (const addrinfo* each = addresses.get(); each != nullptr; each = each->ai_next) {
    Socket socket(::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int one = 1;
    if (!socket.is_open() ||
        ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
        ::bind(socket.fd(), each->ai_addr, each->ai_addrlen) != 0 ||
        ::listen(socket.fd(), 4096) != 0) {
      err = errno;
      continue;
    }
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    ::getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&bound), &size);
    endpoint.port =
        ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(bound).sin6_port
                                          : reinterpret_cast<const sockaddr_in&>(bound).sin_port);
    return socket;
  }
  throw Error(Failure::bind, "cannot listen on " + endpoint.text() + ": " + std::strerror(err),
              Fate::not_sent, err);
}

void prepare_connection(int fd, std::chrono::milliseconds receive_wait,
                        std::chrono::milliseconds send_wait) {
  const auto set = [fd](int level, int option, int value) {
    // An option that a system does not have costs speed or patience, never correctness.
    static_cast<void>(::setsockopt(fd, level, option, &value, sizeof value));
  };
  const auto set_wait = [fd](int option, std::chrono::milliseconds wait) {
    timeval value{};
    value.tv_sec = wait.count() / 1000;
    value.tv_usec = static_cast<suseconds_t>(wait.count() % 1000 * 1000);
    static_cast<void>(::setsockopt(fd, SOL_SOCKET, option, &value, sizeof value));
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 60);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 20);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
  set_wait(SO_RCVTIMEO, receive_wait);
  set_wait(SO_SNDTIMEO, send_wait);
}

namespace {

std::string name_of(const sockaddr_storage& address, socklen_t size) {
  char host[NI_MAXHOST];
  char port[NI_MAXSERV];
  const int status = ::getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host,
                                   sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
  return status == 0 ? std::string(host) + ":" + port : "an unknown peer";
}

}  // namespace

Accepted accept_one(int listener) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  Socket socket(::accept4(listener, reinterpret_cast<sockaddr*>(&address), &size, SOCK_CLOEXEC));
  if (!socket.is_open()) return {std::move(socket), {}};
  return {std::move(socket), name_of(address, size)};
}

std::string peer_name(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  const bool is_known = ::getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  return is_known ? name_of(address, size) : "an unknown peer";
}

}  // namespace simhandle
