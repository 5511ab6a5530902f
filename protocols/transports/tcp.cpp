#include "tcp.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "core/error.hpp"

namespace shinar::wire::tcp {
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

Socket connect(const Endpoint& endpoint, Clock::time_point until) {
  const Addresses addresses = resolve(endpoint, 0);
  int err = ECONNREFUSED;
  for (const addrinfo* each = addresses.get(); each != nullptr; each = each->ai_next) {
    Socket socket(::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    err =
        socket.is_open() ? connect_one(socket.fd(), each->ai_addr, each->ai_addrlen, until) : errno;
    if (err == 0) return socket;
    if (err == ETIMEDOUT) break;
  }
  throw Error(failure_of(err), std::string("cannot connect: ") + std::strerror(err), Fate::not_sent,
              err);
}

Socket listen(Endpoint& endpoint) {
  const Addresses addresses = resolve(endpoint, AI_PASSIVE);
  int err = EADDRNOTAVAIL;
  for (const addrinfo* each = addresses.get(); each != nullptr; each = each->ai_next) {
    Socket socket(::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int one = 1;
    if (!socket.is_open() ||
        ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
        ::bind(socket.fd(), each->ai_addr, each->ai_addrlen) != 0 ||
        ::listen(socket.fd(), listen_backlog) != 0) {
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

void prepare(int fd) {
  const auto set = [fd](int level, int option, int value) {
    // An unsupported option costs speed or longer waits, never correctness.
    static_cast<void>(::setsockopt(fd, level, option, &value, sizeof value));
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 60);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 20);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
}

namespace {

class Tcp final : public Transport {
 public:
  std::unique_ptr<Channel> connect(const Endpoint& endpoint, std::chrono::milliseconds patience,
                                   const Limits& limits) override {
    return channel_over(tcp::connect(endpoint, Clock::now() + patience), limits);
  }
  std::unique_ptr<Listener> listen(const Endpoint& endpoint) override {
    Endpoint bound = endpoint;
    Socket socket = tcp::listen(bound);
    return std::make_unique<SocketListener>(std::move(bound), std::move(socket));
  }
};

Tcp transport;
const AddTransport added("tcp", transport);

}  // namespace

std::string name_of(const sockaddr_storage& address, socklen_t size) {
  char host[NI_MAXHOST];
  char port[NI_MAXSERV];
  const int status = ::getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host,
                                   sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
  return status == 0 ? std::string(host) + ":" + port : "an unknown peer";
}

}  // namespace shinar::wire::tcp
