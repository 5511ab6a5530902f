#include "shm_stream.hpp"

#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <utility>

#include "core/spin.hpp"
#include "sockets.hpp"

namespace shinar::wire::shm {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/**
 * How long a thread sleeps at the futex, which costs least but does not show that the peer has
 * gone, before it waits at a descriptor.
 */
constexpr milliseconds brief(20);
/** How long a sender looks for space while the reader copies. */
constexpr std::chrono::microseconds soon(50);
/**
 * Less space is none: a reader that frees a few bytes at a time must not keep a sender that does
 * not wait.
 */
constexpr std::size_t least_space = std::size_t{16} << 10;
/** Looks at a ring in a row without a system call; some 2 us. */
constexpr int looks = 48;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/** Sends a signal; whoever does not take it has gone, or has signals that it has not read. */
void signal(const Socket& socket) {
  const char something = 0;
  static_cast<void>(::send(socket.fd(), &something, 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0);
}

/** Takes signals; as recv. */
ssize_t take_signals(const Socket& socket, bool waits) {
  char ignored[64];
  const ssize_t got = ::recv(socket.fd(), ignored, sizeof ignored, waits ? 0 : MSG_DONTWAIT);
  // A peer that ends without having read its signals.
  return got < 0 && errno == ECONNRESET ? 0 : got;
}

}  // namespace

ShmStream::ShmStream(Socket socket, std::unique_ptr<Segment> segment, std::string peer)
    : socket_(std::move(socket)),
      peer_(std::move(peer)),
      owned_(std::move(segment)),
      segment_(owned_.get()) {}

/** Makes sure that the memory is there; false: as Segment::receive. */
bool ShmStream::attach() {
  if (segment_.load(std::memory_order_acquire) != nullptr) return true;
  if (is_attaching_.test_and_set()) {
    errno = EAGAIN;
    return false;
  }
  owned_ = Segment::receive(socket_);
  const int err = errno;
  segment_.store(owned_.get(), std::memory_order_release);
  is_attaching_.clear();
  errno = err;
  return owned_ != nullptr;
}

/** Bytes of the ring: as recv, but 0: there are none. */
ssize_t ShmStream::take(void* to, std::size_t size) {
  Segment& segment = *segment_.load(std::memory_order_relaxed);
  const ssize_t got = segment.in.take({static_cast<std::byte*>(to), size});
  if (got > 0 && segment.in.wake_writer() == Sleep::Wake::signal) signal(segment.space);
  return got;
}

ssize_t ShmStream::poll(void* to, std::size_t size) {
  if (segment_.load(std::memory_order_acquire) == nullptr) return receive(to, size, false);
  if (!made_by_.is_current()) return 0;
  // On one core the peer only goes on when this thread does not.
  for (int left = usable_cores() == 1 ? 1 : looks;; pause()) {
    if (const ssize_t got = take(to, size); got != 0) return got;
    if (--left == 0) break;
  }
  errno = EAGAIN;
  return -1;
}

ssize_t ShmStream::receive(void* to, std::size_t size, bool waits) {
  if (!made_by_.is_current()) return 0;
  if (!attach()) {
    if (errno != EAGAIN || !waits) return errno == 0 ? 0 : -1;
    pollfd arrives{socket_.fd(), POLLIN, 0};
    static_cast<void>(::poll(&arrives, 1, static_cast<int>(receiving_.count())));
    if (!attach()) return errno == 0 ? 0 : -1;
  }
  if (const ssize_t got = take(to, size); got != 0) return got;
  if (waits) {
    if (!sleep_for_bytes()) return -1;
    if (const ssize_t got = take(to, size); got != 0) return got;
  }
  // The socket shows the end, and what came while nobody slept at the futex.
  std::atomic<std::uint32_t>& wish = segment_.load()->in_control.reader.wants_signal;
  if (waits) wish.store(1);
  for (;;) {
    if (const ssize_t got = take(to, size); got != 0) return got;
    const ssize_t signals = take_signals(socket_, waits);
    if (signals < 0) return -1;
    if (signals == 0) return take(to, size);
    wish.store(1);  // before the next look at the ring: see has_buffered
  }
}

/** Sleeps at the futex for a while; false if a signal handler has run. */
bool ShmStream::sleep_for_bytes() {
  Segment& segment = *segment_.load(std::memory_order_relaxed);
  const auto is_over = [&] { return segment.in.has_bytes() || is_shut_down_.load(); };
  if (segment.in_control.reader.wait(std::min(brief, receiving_), is_over)) return true;
  errno = EINTR;
  return false;
}

/**
 * At all times either the peer is wanted to signal what comes next, or a signal is there that
 * nobody has taken, or a thread reads. So whoever watches the descriptor misses nothing.
 */
bool ShmStream::has_buffered() const {
  Segment* const segment = segment_.load(std::memory_order_acquire);
  if (segment == nullptr || !made_by_.is_current()) return false;
  segment->in_control.reader.wants_signal.store(1);
  return segment->in.has_bytes();
}

ssize_t ShmStream::send(std::span<const std::byte> bytes, bool waits) {
  const iovec whole{const_cast<std::byte*>(bytes.data()), bytes.size()};
  return send({&whole, 1}, waits);
}

ssize_t ShmStream::send(std::span<const iovec> pieces, bool waits) {
  if (!made_by_.is_current() || is_shut_down_.load(std::memory_order_relaxed)) {
    errno = EPIPE;
    return -1;
  }
  if (!attach()) {
    if (errno == 0) errno = EPIPE;
    return -1;
  }
  if (has_gone_unread()) {
    errno = EPIPE;
    return -1;
  }
  for (bool has_slept = false;; has_slept = true) {
    if (const std::size_t sent = put(pieces); sent != 0) return static_cast<ssize_t>(sent);
    if (is_peer_gone()) {
      errno = EPIPE;
      return -1;
    }
    if (!waits || has_slept) {
      errno = EAGAIN;
      return -1;
    }
    if (!sleep_for_space()) return -1;
  }
}

/**
 * True if the peer has gone. Looked for now and then as long as it has not read what was sent
 * before.
 */
bool ShmStream::has_gone_unread() {
  if (segment_.load(std::memory_order_relaxed)->out.is_read()) {
    sent_unread_ = 0;
    return false;
  }
  return std::has_single_bit(++sent_unread_) && is_peer_gone();
}

/** Puts into the ring what the reader takes in time. */
std::size_t ShmStream::put(std::span<const iovec> pieces) {
  RingWriter& out = segment_.load(std::memory_order_relaxed)->out;
  std::size_t left = 0, total = 0;
  for (const iovec& each : pieces) left += each.iov_len;
  for (const iovec& each : pieces) {
    std::span<const std::byte> bytes(static_cast<const std::byte*>(each.iov_base), each.iov_len);
    while (!bytes.empty()) {
      const std::size_t wanted = std::min(left - total, least_space);
      if (out.space() < wanted && !spin_for_space(wanted)) return total;
      const std::size_t count = out.put(bytes.first(std::min(bytes.size(), portion)));
      total += count;
      bytes = bytes.subspan(count);
      if (count == portion) publish();
    }
  }
  publish();
  return total;
}

void ShmStream::publish() {
  if (segment_.load(std::memory_order_relaxed)->out.publish() == Sleep::Wake::signal) {
    signal(socket_);
  }
}

/** The reader may be copying at this moment; false if it does not go on soon. */
bool ShmStream::spin_for_space(std::size_t wanted) {
  publish();
  if (usable_cores() == 1) return false;
  RingWriter& out = segment_.load(std::memory_order_relaxed)->out;
  const auto until = Clock::now() + soon;
  do {
    for (int i = 0; i < looks; ++i) {
      if (out.space() >= wanted) return true;
      pause();
    }
    ::sched_yield();
  } while (Clock::now() < until);
  return out.space() >= wanted;
}

/** Sleeps until there is space, at most as long as is to be waited; false: as poll. */
bool ShmStream::sleep_for_space() {
  Segment& segment = *segment_.load(std::memory_order_relaxed);
  const auto is_over = [&] { return segment.out.has_space(least_space) || is_shut_down_.load(); };
  if (!segment.out_control.writer.wait(std::min(brief, sending_), is_over)) {
    errno = EINTR;
    return false;
  }
  if (is_over()) return true;
  pollfd event = writable_event();
  return ::poll(&event, 1, static_cast<int>(sending_.count())) >= 0;
}

bool ShmStream::is_peer_gone() const {
  char next = 0;
  const Segment& segment = *segment_.load(std::memory_order_relaxed);
  const ssize_t got = ::recv(segment.space.fd(), &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return got == 0 || (got < 0 && errno != EAGAIN);
}

/** There is space already: a socket that takes data shows that at once. */
pollfd ShmStream::writable_event() {
  Segment* const segment = segment_.load(std::memory_order_acquire);
  if (segment == nullptr) return {socket_.fd(), POLLIN, 0};
  const int fd = segment->space.fd();
  static_cast<void>(take_signals(segment->space, false));
  segment->out_control.writer.wants_signal.store(1);
  return {fd, static_cast<short>(segment->out.has_space(least_space) ? POLLOUT : POLLIN), 0};
}

void ShmStream::set_patience(milliseconds receiving, milliseconds sending) {
  receiving_ = receiving;
  sending_ = sending;
  socket_.set_timeout(SO_RCVTIMEO, receiving);
}

void ShmStream::finish_sending() {
  ::shutdown(socket_.fd(), SHUT_WR);
  if (Segment* const segment = segment_.load()) segment->out_control.reader.end();
}

void ShmStream::shut_down() {
  is_shut_down_ = true;
  socket_.shut_down();
  Segment* const segment = segment_.load();
  if (segment == nullptr) return;
  segment->space.shut_down();
  for (RingControl* const each : {&segment->in_control, &segment->out_control}) {
    each->reader.end();
    each->writer.end();
  }
}

void ShmStream::rest_sending() {
  Segment* const segment = segment_.load();
  if (segment != nullptr && made_by_.is_current()) segment->out.trim();
}

Identity ShmStream::identity() const {
  return user_at(socket_);
}

}  // namespace shinar::wire::shm
