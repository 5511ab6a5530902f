/**
 * A transport of one's own, for processes of one host and user: simhandle+pipes:///path, where a
 * server listens at a Unix-domain socket. A connection is two pipes, which the server makes and
 * whose other ends it passes through the socket, and the line: that socket, which from then on
 * carries nothing, and says when the peer has finished or is gone.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <core/error.hpp>
#include <core/socket.hpp>
#include <core/stream_channel.hpp>
#include <core/transport.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace pipes {
namespace {

using namespace shinar::wire;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

[[noreturn]] void fail(Failure failure, const std::string& what, int err) {
  throw Error(failure, what + ": " + std::strerror(err), Fate::not_sent, err);
}

/** Readable when the pipe or the line is as awaited, and always when one of them is broken. */
Socket watch(const Socket& pipe, std::uint32_t of_pipe, const Socket& line, std::uint32_t of_line) {
  Socket both(::epoll_create1(EPOLL_CLOEXEC));
  epoll_event first{.events = of_pipe, .data = {}}, second{.events = of_line, .data = {}};
  if (!both.is_open() || ::epoll_ctl(both.fd(), EPOLL_CTL_ADD, pipe.fd(), &first) != 0 ||
      ::epoll_ctl(both.fd(), EPOLL_CTL_ADD, line.fd(), &second) != 0) {
    fail(Failure::connect, "cannot watch a pipe", errno);
  }
  return both;
}

/** True if the descriptor shows one of the events in time; else errno says why. */
bool is_ready(const Socket& what, short events, milliseconds patience) {
  pollfd event{what.fd(), events, 0};
  const int count = ::poll(&event, 1, static_cast<int>(patience.count()));
  if (count == 0) errno = EAGAIN;
  return count > 0;
}

/**
 * Another end of a pipe. Unlike a copy, it shares no file description with the given one, by which
 * a peer could make it an end that blocks.
 */
Socket own_end(const Socket& end, int mode) {
  struct stat status {};
  if (::fstat(end.fd(), &status) != 0 || !S_ISFIFO(status.st_mode)) {
    errno = EPROTO;
    return {};
  }
  const std::string name = "/proc/self/fd/" + std::to_string(end.fd());
  return Socket(::open(name.c_str(), mode | O_NONBLOCK | O_CLOEXEC));
}

struct Ends {
  Socket in, out;
  Socket out_reader;  ///< never read: writing to a pipe without readers is a signal to the process
};

class PipeStream final : public ByteStream {
 public:
  PipeStream(Socket line, Ends ends, std::string peer)
      : line_(std::move(line)),
        ends_(std::move(ends)),
        // Not EPOLLIN: a peer that writes to the line must not keep a thread busy.
        arrivals_(watch(ends_.in, EPOLLIN, line_, EPOLLRDHUP)),
        space_(watch(ends_.out, EPOLLOUT, line_, 0)),
        peer_(std::move(peer)) {}

  ssize_t send(std::span<const iovec> pieces, bool waits) override {
    const ssize_t sent = write(pieces);
    if (sent >= 0 || errno != EAGAIN || !waits) return sent;
    return is_ready(space_, POLLIN, sending_) ? write(pieces) : -1;
  }
  ssize_t send(std::span<const std::byte> bytes, bool waits) override {
    const iovec piece{const_cast<std::byte*>(bytes.data()), bytes.size()};
    return send(std::span(&piece, 1), waits);
  }
  ssize_t receive(void* to, std::size_t size, bool waits) override {
    const ssize_t got = read(to, size);
    if (got >= 0 || errno != EAGAIN || !waits) return got;
    return is_ready(arrivals_, POLLIN, receiving_) ? read(to, size) : -1;
  }
  ssize_t poll(void* to, std::size_t size) override { return ::read(ends_.in.fd(), to, size); }

  int descriptor() const override { return arrivals_.fd(); }
  pollfd writable_event() override { return {space_.fd(), POLLIN, 0}; }
  void set_patience(milliseconds receiving, milliseconds sending) override {
    receiving_ = receiving;
    sending_ = sending;
  }
  void finish_sending() override { ::shutdown(line_.fd(), SHUT_WR); }
  /** Of the line: a pipe has nothing like it, and to close one wakes nobody who polls it. */
  void shut_down() override {
    is_over_ = true;
    line_.shut_down();
  }
  int unsent() const override { return 0; }  // what is in a pipe is on the peer's host
  std::string peer() const override { return peer_; }

 private:
  ssize_t write(std::span<const iovec> pieces) {
    const ssize_t sent =
        is_over_ ? -1 : ::writev(ends_.out.fd(), pieces.data(), static_cast<int>(pieces.size()));
    if (is_over_) errno = EPIPE;
    // It is full, perhaps because the peer is gone.
    if (sent < 0 && errno == EAGAIN) errno = is_ready(line_, 0, milliseconds(0)) ? EPIPE : EAGAIN;
    return sent;
  }
  ssize_t read(void* to, std::size_t size) {
    const ssize_t got = poll(to, size);
    if (got >= 0 || errno != EAGAIN || !is_ready(line_, POLLRDHUP, milliseconds(0))) return got;
    // The peer has finished; what it sent before that may have come since the first look.
    const ssize_t last = poll(to, size);
    return last < 0 && errno == EAGAIN ? 0 : last;
  }

  const Socket line_;
  const Ends ends_;
  const Socket arrivals_;  ///< readable: there is data, or the peer has finished
  const Socket space_;     ///< readable: the peer takes data, or is gone
  const std::string peer_;
  std::atomic<bool> is_over_{false};
  milliseconds receiving_{1000}, sending_{1000};
};

std::unique_ptr<Channel> channel_over(Socket line, Ends ends, const Limits& limits) {
  ucred peer{};
  socklen_t length = sizeof peer;
  ::getsockopt(line.fd(), SOL_SOCKET, SO_PEERCRED, &peer, &length);
  auto stream = std::make_unique<PipeStream>(std::move(line), std::move(ends),
                                             "process " + std::to_string(peer.pid) + " (pipes)");
  return std::make_unique<StreamChannel>(std::move(stream), limits);
}

// ---- from a path to two pipes -------------------------------------------------------------------

/** A message of one byte that carries two descriptors. */
struct Parcel {
  char byte = 0;
  iovec piece{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> space{};
  msghdr message{nullptr, 0, &piece, 1, space.data(), space.size(), 0};
};

bool give(const Socket& line, std::array<int, 2> both) {
  Parcel parcel;
  cmsghdr* const head = CMSG_FIRSTHDR(&parcel.message);
  *head = {CMSG_LEN(sizeof both), SOL_SOCKET, SCM_RIGHTS};
  std::memcpy(CMSG_DATA(head), both.data(), sizeof both);
  return ::sendmsg(line.fd(), &parcel.message, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
}

/** What comes belongs to somebody at once, however little it is what should come. */
std::array<Socket, 2> take(const Socket& line) {
  Parcel parcel;
  if (::recvmsg(line.fd(), &parcel.message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1) return {};
  std::array<int, 2> both{-1, -1};
  const cmsghdr* const head = CMSG_FIRSTHDR(&parcel.message);
  if (head != nullptr && head->cmsg_type == SCM_RIGHTS) {
    std::memcpy(both.data(), CMSG_DATA(head), head->cmsg_len - CMSG_LEN(0));  // two at most
  }
  return {Socket(both[0]), Socket(both[1])};
}

Socket open_socket() {
  return Socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

/** Calls ::bind or ::connect; returns 0 or errno. */
int at_path(int (*call)(int, const sockaddr*, socklen_t), const Socket& socket,
            const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof name.sun_path) return ENAMETOOLONG;
  path.copy(name.sun_path, path.size());
  return call(socket.fd(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0 ? 0 : errno;
}

class PipeListener final : public Listener {
 public:
  PipeListener(Endpoint endpoint, Socket socket)
      : endpoint_(std::move(endpoint)), socket_(std::move(socket)) {}
  ~PipeListener() override { close(); }

  const Endpoint& endpoint() const override { return endpoint_; }
  int descriptor() const override { return socket_.fd(); }

  /** Waits for nothing that a client would have to do. */
  Accepted accept(const Limits& limits) override {
    Socket line(::accept4(socket_.fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    std::array<int, 2> there{}, back{};
    if (!line.is_open() || ::pipe2(there.data(), O_CLOEXEC | O_NONBLOCK) != 0) return {};
    Socket in(there[0]), clients_out(there[1]);
    if (::pipe2(back.data(), O_CLOEXEC | O_NONBLOCK) != 0) return {};
    Socket clients_in(back[0]), out(back[1]);
    if (!give(line, {clients_in.fd(), clients_out.fd()})) {
      errno = ECONNABORTED;  // the client is gone
      return {};
    }
    try {
      Ends ends{std::move(in), std::move(out), std::move(clients_in)};
      auto channel = channel_over(std::move(line), std::move(ends), limits);
      std::string peer = channel->peer();
      return {std::move(channel), std::move(peer)};
    } catch (const Error& error) {
      errno = error.err();
      return {};
    }
  }

  void close() override {
    if (!is_closed_.exchange(true)) ::unlink(endpoint_.path.c_str());
    socket_.shut_down();
  }

 private:
  const Endpoint endpoint_;
  const Socket socket_;
  std::atomic<bool> is_closed_{false};
};

class Pipes final : public Transport {
 public:
  bool is_local() const override { return true; }
  bool has_paths() const override { return true; }

  std::unique_ptr<Channel> connect(const Endpoint& endpoint, milliseconds patience,
                                   const Limits& limits) override {
    const auto until = Clock::now() + patience;
    Socket line = open_socket();
    int err = at_path(&::connect, line, endpoint.path);
    while (err == EAGAIN && Clock::now() < until) {  // the server's queue is full
      static_cast<void>(wait_for(-1, 0, Clock::now() + milliseconds(5)));
      err = at_path(&::connect, line, endpoint.path);
    }
    if (err == 0 && wait_for(line.fd(), POLLIN, until) <= 0) err = ETIMEDOUT;
    if (err != 0) fail(Failure::connect, "cannot connect", err);
    const auto [in, out] = take(line);
    Ends ends{own_end(in, O_RDONLY), own_end(out, O_WRONLY), own_end(out, O_RDONLY)};
    if (!ends.in.is_open() || !ends.out.is_open() || !ends.out_reader.is_open()) {
      fail(Failure::connect, "cannot use what " + endpoint.path + " gives for pipes", errno);
    }
    return channel_over(std::move(line), std::move(ends), limits);
  }

  std::unique_ptr<Listener> listen(const Endpoint& endpoint) override {
    const std::string& path = endpoint.path;
    Socket socket = open_socket();
    ::fchmod(socket.fd(), S_IRUSR | S_IWUSR);  // before there is a file, which then has this mode
    int err = at_path(&::bind, socket, path);
    // In the way may be the socket of a server that was killed. (Of two servers that start at the
    // same time the later may win here; protocols/transports/unix_socket.cpp has a lock.)
    if (err == EADDRINUSE && at_path(&::connect, open_socket(), path) == ECONNREFUSED) {
      struct stat status {};
      if (::lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode)) ::unlink(path.c_str());
      err = at_path(&::bind, socket, path);
    }
    if (err == 0 && ::listen(socket.fd(), SOMAXCONN) != 0) err = errno;
    if (err != 0) fail(Failure::bind, "cannot listen on " + path, err);
    return std::make_unique<PipeListener>(endpoint, std::move(socket));
  }
};

Pipes transport;
const AddTransport added("pipes", transport);

}  // namespace
}  // namespace pipes
