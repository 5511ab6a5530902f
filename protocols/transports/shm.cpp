/**
 * Shared memory between processes of one user on one host: connecting and listening.
 *
 * A server listens on an abstract Unix-domain socket, which is no file and ends with it. Processes
 * of other users, and of other network namespaces, cannot connect. Its URL is
 * simhandle+shm://name:0, "*" when listening for any name that is free. Servers have such a door by
 * themselves, to which clients of their host move.
 */
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/id128.hpp"
#include "core/stream_channel.hpp"
#include "core/transport.hpp"
#include "shm_stream.hpp"
#include "sockets.hpp"

namespace shinar::wire::shm {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t longest_name = 64;

/** The abstract address of an endpoint's name. */
struct Address {
  explicit Address(const std::string& host) {
    const std::string text = "shinar-" + host;
    name.sun_family = AF_UNIX;
    const std::size_t copied = text.copy(name.sun_path + 1, sizeof name.sun_path - 1);
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + copied);
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&name); }
  sockaddr_un name{};
  socklen_t size;
};

[[noreturn]] void fail(Failure failure, const std::string& what, int err) {
  throw Error(failure, what + ": " + std::strerror(err), Fate::not_sent, err);
}

/** Stands for a name that the system chooses. */
constexpr const char* any_name = "*";

void check(const Endpoint& endpoint) {
  if (endpoint.host.size() <= longest_name && endpoint.port == 0) return;
  throw Error(Failure::malformed_url, "shared memory has names of at most " +
                                          std::to_string(longest_name) +
                                          " bytes, and port 0: simhandle+shm://name:0");
}

Socket open() {
  return Socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

/** The process at the other end, if it is of this user. */
std::optional<ucred> peer_of(const Socket& socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket.fd(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  if (peer.uid != ::geteuid()) return std::nullopt;
  return peer;
}

std::string name_of(const ucred& peer) {
  return "process " + std::to_string(peer.pid) + " (shared memory)";
}

class ShmListener final : public SocketListener {
 public:
  using SocketListener::SocketListener;

 protected:
  std::unique_ptr<ByteStream> stream_over(Socket socket, std::string& peer) override {
    const auto process = peer_of(socket);
    if (!process) fail(Failure::connect, "the client is another user's process", ECONNABORTED);
    peer = name_of(*process);
    return std::make_unique<ShmStream>(std::move(socket), nullptr, peer);
  }
};

class Shm final : public Transport {
 public:
  std::unique_ptr<Channel> connect(const Endpoint& endpoint, milliseconds patience,
                                   const Limits& limits) override {
    check(endpoint);
    const Address address(endpoint.host);
    Socket socket = open();
    const int err = socket.is_open() ? connect_one(socket.fd(), address.get(), address.size,
                                                   Clock::now() + patience)
                                     : errno;
    if (err != 0) fail(Failure::connect, "cannot connect through shared memory", err);
    const auto peer = peer_of(socket);
    if (!peer) fail(Failure::connect, "the server is another user's process", EPERM);
    auto segment = Segment::make(socket);
    auto stream =
        std::make_unique<ShmStream>(std::move(socket), std::move(segment), name_of(*peer));
    return std::make_unique<StreamChannel>(std::move(stream), limits);
  }

  std::unique_ptr<Listener> listen(const Endpoint& endpoint) override {
    check(endpoint);
    const Endpoint bound = endpoint.host == any_name ? door() : endpoint;
    const Address address(bound.host);
    Socket socket = open();
    if (!socket.is_open() || ::bind(socket.fd(), address.get(), address.size) != 0 ||
        ::listen(socket.fd(), listen_backlog) != 0) {
      fail(Failure::bind, "cannot listen on " + make_url(endpoint, {}), errno);
    }
    return std::make_unique<ShmListener>(bound, std::move(socket));
  }

  bool is_local() const override { return true; }
  std::optional<Endpoint> local_door() override { return door(); }

 private:
  static Endpoint door() { return {.host = digits_of(random_id()), .via = "shm"}; }
};

Shm transport;
const AddTransport added("shm", transport);

}  // namespace
}  // namespace shinar::wire::shm
