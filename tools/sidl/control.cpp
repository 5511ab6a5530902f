#include "control.hpp"

#include <netdb.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "printable.hpp"
#include "rank_file.hpp"
#include "sidl_name_file.hxx"

namespace sidl_tool {
namespace {

/** Who connects has to say who it is within this time, and in so many bytes. */
constexpr std::chrono::seconds silence{10};
constexpr std::size_t longest_hello = 1024;
/** Of those that have not: further ones wait. */
constexpr std::size_t most_strangers = 256;
/** A front that takes nothing for so long is lost. */
constexpr struct timeval send_patience = {30, 0};

[[noreturn]] void fail_with(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

std::string random_proof() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes) fail_with("no random numbers");
  std::string text;
  for (const unsigned char each : bytes) {
    text += "0123456789abcdef"[each >> 4];
    text += "0123456789abcdef"[each & 15];
  }
  return text;
}

/** In a time that tells nothing about where they differ. */
bool is_equal(const std::string& a, const std::string& b) {
  unsigned char difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  }
  return difference == 0;
}

/** One descriptor for each rank. */
void allow_many_descriptors() {
  struct rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::string own_host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

}  // namespace

Control::Control(const std::string& folder, const std::string& host, Milliseconds grace)
    : folder_(folder), grace_(grace) {
  allow_many_descriptors();
  epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll_ < 0) fail_with("cannot wait for ranks");
  if (host.empty()) {
    listen_locally();
  } else {
    listen_at(host);
  }
  if (::listen(listener_, SOMAXCONN) != 0) fail_with("cannot listen at " + address_);
  watch(listener_);
}

Control::~Control() {
  for (const auto& [fd, peer] : peers_) ::close(fd);
  if (listener_ >= 0) ::close(listener_);
  ::close(epoll_);
}

void Control::listen_locally() {
  struct sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string path = folder_ + "/launch.socket";
  address_ = "unix " + path;
  if (path.size() >= sizeof address.sun_path) {
    throw std::runtime_error("the name of a socket is too long: " + path);
  }
  path.copy(address.sun_path, path.size());
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const auto* const any = reinterpret_cast<const struct sockaddr*>(&address);
  if (listener_ < 0 || ::bind(listener_, any, sizeof address) != 0) {
    fail_with("cannot listen at " + path);
  }
}

void Control::listen_at(const std::string& host) {
  const std::string what = "cannot listen on a TCP port of " + host;
  struct addrinfo wanted = {};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  struct addrinfo* found = nullptr;
  if (const int why = ::getaddrinfo(host.c_str(), "0", &wanted, &found); why != 0) {
    throw std::runtime_error(what + ": " + ::gai_strerror(why));
  }
  listener_ = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const bool is_bound = listener_ >= 0 && ::bind(listener_, found->ai_addr, found->ai_addrlen) == 0;
  const int why = errno;
  ::freeaddrinfo(found);
  errno = why;
  if (!is_bound) fail_with(what);
  struct sockaddr_storage own = {};
  socklen_t size = sizeof own;
  char port[16] = {};
  auto* const any = reinterpret_cast<struct sockaddr*>(&own);
  if (::getsockname(listener_, any, &size) != 0 ||
      ::getnameinfo(any, size, nullptr, 0, port, sizeof port, NI_NUMERICSERV) != 0) {
    throw std::runtime_error(what);
  }
  const bool is_any = host == "0.0.0.0" || host == "::";
  address_ = "tcp " + (is_any ? own_host_name() : host) + " " + port;
}

void Control::watch(int fd) const {
  struct epoll_event event = {};
  event.events = EPOLLIN;
  event.data.fd = fd;
  if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0) fail_with("cannot wait for ranks");
}

std::string Control::file_of(const std::string& folder, const std::string& program) {
  return folder + "/" + program + ".ranks";
}

void Control::expect(const std::string& program, const std::vector<Start>& starts) {
  std::vector<Rank>& ranks = programs_[program];
  std::vector<std::string> proofs;
  for (const Start& each : starts) {
    proofs.push_back(random_proof());
    ranks.push_back({each.program, each.label, each.is_server, proofs.back()});
  }
  sidl::job::write_new_file(file_of(folder_, program),
                            packed_orders(address_, grace_, starts, proofs));
}

void Control::accept_all() {
  const auto strangers =
      std::ranges::count_if(peers_, [](const auto& each) { return each.second.rank == nullptr; });
  for (auto left = most_strangers - std::min<std::size_t>(most_strangers, strangers); left > 0;
       --left) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
      fail_with("cannot take the connection of a rank after " + std::to_string(peers_.size()) +
                ", each of which needs a descriptor (ulimit -n)");
    }
    if (fd < 0) return;
    keep_alive(fd);
    ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &send_patience, sizeof send_patience);
    peers_.emplace(fd, Peer{Inbox(longest_hello), std::chrono::steady_clock::now()});
    watch(fd);
  }
}

std::vector<Ended> Control::handle() {
  std::vector<Ended> ended;
  struct epoll_event events[64];
  const int count = ::epoll_wait(epoll_, events, 64, 0);
  for (int i = 0; i < count; ++i) {
    const int fd = events[i].data.fd;
    if (fd == listener_) {
      accept_all();
    } else if (peers_.contains(fd)) {
      read(fd, ended);
    }
  }
  drop_silent(ended);
  return ended;
}

void Control::drop_silent(std::vector<Ended>& ended) {
  const auto before = std::chrono::steady_clock::now() - silence;
  std::vector<int> silent;
  for (const auto& [fd, peer] : peers_) {
    if (peer.rank == nullptr && peer.since < before) silent.push_back(fd);
  }
  for (const int fd : silent) drop(fd, ended);
}

/** Once: if there is more, it is told again. */
void Control::read(int fd, std::vector<Ended>& ended) {
  Peer& peer = peers_.at(fd);
  char bytes[1 << 16];
  const ssize_t count = ::recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count <= 0) return drop(fd, ended);
  try {
    peer.inbox.take(bytes, static_cast<std::size_t>(count));
    while (const auto message = peer.inbox.next()) take(fd, peer, *message, ended);
  } catch (const std::runtime_error&) {
    drop(fd, ended);  // it is no front, or is broken
  }
}

void Control::take(int fd, Peer& peer, const Message& message, std::vector<Ended>& ended) {
  if (peer.rank == nullptr) return admit(fd, peer, message);
  Rank& rank = *peer.rank;
  const auto over = [&](int status, const std::string& how) {
    rank.state = State::over;
    ended.push_back({rank.program, rank.label, status, rank.is_server, how});
  };
  switch (message.kind) {
    case Kind::out:
      return print_labelled(rank.label, STDOUT_FILENO, message.content);
    case Kind::err:
      return print_labelled(rank.label, STDERR_FILENO, message.content);
    case Kind::not_started:
      return over(1, printable(message.content));
    case Kind::ended: {
      int status = 0;
      std::from_chars(message.content.data(), message.content.data() + message.content.size(),
                      status);
      return over(status, "");
    }
    default:
      throw std::runtime_error("an unexpected message");
  }
}

/** Each rank comes once: what it has proved who it is by is of no use to others then. */
void Control::admit(int fd, Peer& peer, const Message& message) {
  const std::vector<std::string> words = words_of(message.content);
  if (message.kind != Kind::hello || words.size() != 3) throw std::runtime_error("no rank");
  const auto program = programs_.find(words[0]);
  std::size_t number = 0;
  const auto [end, error] =
      std::from_chars(words[1].data(), words[1].data() + words[1].size(), number);
  const bool is_there = program != programs_.end() && error == std::errc() && *end == '\0' &&
                        number < program->second.size();
  if (!is_there) throw std::runtime_error("no rank");
  Rank& rank = program->second[number];
  if (rank.state != State::awaited || !is_equal(rank.proof, words[2])) {
    throw std::runtime_error("no rank");
  }
  if (is_ending_) {
    send_message(fd, Kind::too_late, "");
    throw std::runtime_error("too late");
  }
  peer.rank = &rank;
  peer.inbox.set_most(longest_message);
  rank.state = State::there;
  if (!send_message(fd, Kind::welcome, "")) throw std::runtime_error("the rank is gone");
}

void Control::drop(int fd, std::vector<Ended>& ended) {
  Rank* const rank = peers_.at(fd).rank;
  ::close(fd);
  peers_.erase(fd);
  if (rank == nullptr || rank->state == State::over) return;
  rank->state = State::over;
  ended.push_back(
      {rank->program, rank->label, 128 + SIGKILL, rank->is_server,
       rank->label + " was lost: its host, or what its launcher has started there, was killed"});
}

const Control::Rank* Control::first(const std::string& program, bool (*fits)(const Rank&)) const {
  const auto found = programs_.find(program);
  if (found == programs_.end()) return nullptr;
  const auto rank = std::ranges::find_if(found->second, fits);
  return rank == found->second.end() ? nullptr : &*rank;
}

std::optional<std::string> Control::missing(const std::string& program) const {
  const Rank* const rank =
      first(program, [](const Rank& each) { return each.state == State::awaited; });
  return rank == nullptr ? std::nullopt : std::optional(rank->label);
}

std::optional<std::string> Control::unfinished(const std::string& program) const {
  const Rank* const rank =
      first(program, [](const Rank& each) { return each.state != State::over; });
  return rank == nullptr ? std::nullopt : std::optional(rank->label);
}

void Control::send(int signal) {
  is_ending_ = true;
  for (const auto& [fd, peer] : peers_) {
    if (peer.rank == nullptr || peer.rank->state == State::over) continue;
    send_message(fd, Kind::signal, std::to_string(signal));
  }
}

}  // namespace sidl_tool
