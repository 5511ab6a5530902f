#include "ucx_stream.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "sidl_log.h"
#include "ucx_context.hpp"

namespace shinar::wire::ucx {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/** What the ends tell each other over the socket; an address or a text follows. */
struct Note {
  std::array<char, 8> magic = {'S', 'H', 'I', 'N', 'U', 'C', 'X', '\n'};
  std::uint32_t version = 1;
  std::uint32_t release = ucx::release();
  std::uint32_t refused = 0;  ///< 1: the text says why
  std::uint32_t size = 0;     ///< bytes that follow
};
static_assert(sizeof(Note) == 24);
/** Of what follows. */
constexpr std::uint32_t most_bytes = 8192;
/** How long what was sent before shut_down() may take to leave. */
constexpr milliseconds farewell(20);
/** How often UCX may find something to do while it is being armed. */
constexpr int most_surprises = 16;
/** So long, UCX is called at once while it is held up; afterwards now and then. */
constexpr std::chrono::microseconds soon(200);
constexpr milliseconds shortest_pause(1), longest_pause(16);

std::vector<std::byte> make_note(std::span<const std::byte> rest, bool refused) {
  Note note;
  note.refused = refused ? 1 : 0;
  note.size = static_cast<std::uint32_t>(rest.size());
  std::vector<std::byte> whole(sizeof note + rest.size());
  std::memcpy(whole.data(), &note, sizeof note);
  std::ranges::copy(rest, whole.begin() + sizeof note);
  return whole;
}

/** A short note; the socket is new, so that it takes all of it. */
bool send_note(const Socket& socket, std::span<const std::byte> rest, bool refused = false) {
  const auto whole = make_note(rest, refused);
  return ::send(socket.fd(), whole.data(), whole.size(), MSG_NOSIGNAL | MSG_DONTWAIT) ==
         static_cast<ssize_t>(whole.size());
}

/** Why the peer's note is no good; empty: it may be. */
std::string objection(const Note& note) {
  const Note own;
  if (note.magic != own.magic) return "it does not speak the protocol ucx";
  if (note.version != own.version) {
    return "the peers' versions of the protocol ucx differ: " + std::to_string(own.version) +
           " and " + std::to_string(note.version);
  }
  if (note.size > most_bytes) return "its address is too long";
  const auto text = [](std::uint32_t release) {
    return std::to_string(release / 1000) + "." + std::to_string(release % 1000);
  };
  if (note.refused == 0 && note.release != own.release) {
    return "the peers' releases of UCX differ: " + text(own.release) + " and " + text(note.release);
  }
  return "";
}

/** Reads more of a note; as recv, but 1 when it is complete or no good. */
ssize_t read_note(const Socket& socket, std::vector<std::byte>& note) {
  for (;;) {
    Note head;
    std::size_t want = sizeof head;
    if (note.size() >= sizeof head) {
      std::memcpy(&head, note.data(), sizeof head);
      if (!objection(head).empty()) return 1;
      want += head.size;
    }
    if (note.size() == want && want > sizeof head) return 1;
    if (note.size() == want && head.size == 0) return 1;
    const std::size_t had = note.size();
    note.resize(want);
    const ssize_t got = ::recv(socket.fd(), note.data() + had, want - had, MSG_DONTWAIT);
    note.resize(had + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got <= 0) return got;
  }
}

std::span<const std::byte> rest_of(const std::vector<std::byte>& note) {
  return std::span(note).subspan(sizeof(Note));
}

}  // namespace

LibraryUsers& UcxStream::users() {
  static auto* const users = new LibraryUsers("UCX");
  return *users;
}

/** The lock, and the state of the descriptor when it is given up. errno remains. */
class UcxStream::Turn {
 public:
  explicit Turn(const UcxStream& stream) : stream_(stream) {
    stream.wanting_.fetch_add(1, std::memory_order_relaxed);
    stream.mutex_.lock();
    stream.wanting_.fetch_sub(1, std::memory_order_relaxed);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    const int err = errno;
    stream_.announce();
    stream_.mutex_.unlock();
    errno = err;
  }

 private:
  const UcxStream& stream_;
};

UcxStream::UcxStream(Socket socket, std::string peer, bool is_client)
    : socket_(std::move(socket)), peer_(std::move(peer)), is_client_(is_client) {
  for_reader_.watch(socket_.fd());
  use_.begin(users(), *this);
  if (!is_client) return;
  const Turn turn(*this);
  if (is_shut_down_) throw Error(Failure::connect, "the process ends");
  open_line();
  if (!send_note(socket_, line_->address())) {
    const int err = errno;
    line_.reset();
    throw Error(Failure::connect, "the connection was lost at once", Fate::not_sent, err);
  }
}

UcxStream::~UcxStream() {
  if (made_by_.is_current()) {
    const std::lock_guard lock(mutex_);
    line_.reset();
  } else {
    static_cast<void>(line_.release());  // a child has neither the parent's connection nor its lock
  }
}

/** As shut_down(), but without UCX. */
std::shared_ptr<void> UcxStream::leave_library() {
  const std::lock_guard lock(mutex_);
  is_shut_down_ = true;
  socket_.shut_down();
  return std::move(line_);
}

UcxStream::Bell::Bell()
    : epoll(made(::epoll_create1(EPOLL_CLOEXEC))),
      signal(made(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))) {
  watch(signal.fd());
}

/** A descriptor, or why there is none. */
int UcxStream::Bell::made(int fd) {
  if (fd >= 0) return fd;
  throw Error(Failure::connect, std::string("no descriptors for UCX: ") + std::strerror(errno),
              Fate::not_sent, errno);
}

void UcxStream::Bell::watch(int fd) const {
  epoll_event event{};
  event.events = EPOLLIN;
  made(::epoll_ctl(epoll.fd(), EPOLL_CTL_ADD, fd, &event));
}

void UcxStream::Bell::set(bool wanted) {
  if (wanted == is_set) return;
  is_set = wanted;
  eventfd_t ignored = 0;
  static_cast<void>(wanted ? !::eventfd_write(signal.fd(), 1)
                           : !::eventfd_read(signal.fd(), &ignored));
}

/** Rings by itself; at once, should there be no descriptor for that. */
void UcxStream::Bell::set_in(milliseconds later) {
  if (!timer) {
    Socket made(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
    epoll_event event{};
    event.events = EPOLLIN;
    if (::epoll_ctl(epoll.fd(), EPOLL_CTL_ADD, made.fd(), &event) != 0) return set(true);
    timer = std::move(made);
  }
  itimerspec in{};
  in.it_value.tv_nsec = std::chrono::nanoseconds(later).count();
  ::timerfd_settime(timer->fd(), 0, &in, nullptr);
  is_timed = true;
}

void UcxStream::Bell::wait_no_more() {
  const itimerspec never{};
  if (std::exchange(is_timed, false)) ::timerfd_settime(timer->fd(), 0, &never, nullptr);
}

void UcxStream::open_line() {
  auto line = std::make_unique<Line>(socket_.fd());
  for_reader_.watch(line->descriptor());
  line_ = std::move(line);
}

/**
 * True if both ends know each other; else errno, 0: the peer has gone. Throws Error, once, if the
 * peer is no good.
 */
bool UcxStream::attach() {
  if (is_attached_) return true;
  errno = 0;
  if (is_shut_down_ || is_refused_) return false;
  const ssize_t got = read_note(socket_, note_);
  if (got < 0) return false;
  if (got == 0) {
    errno = 0;
    return false;
  }
  Note head;
  std::memcpy(&head, note_.data(), sizeof head);
  std::string no = objection(head);
  if (no.empty() && head.refused != 0) {
    no = std::string(reinterpret_cast<const char*>(rest_of(note_).data()), head.size);
  }
  if (no.empty() && head.size == 0) no = "an address is missing";
  is_refused_ = true;  // unless all goes well
  if (no.empty() && (is_client_ || answer())) {
    if (is_client_) line_->connect(rest_of(note_));
    note_ = {};
    is_attached_ = true;
    return true;
  }
  if (is_client_)
    throw Error(Failure::no_server, "no connection over UCX: " + no + note_for_child());
  send_note(socket_, std::as_bytes(std::span(no)), true);
  throw Error(Failure::protocol, "no connection over UCX: " + no);
}

/** The server's part. */
bool UcxStream::answer() {
  try {
    open_line();
    line_->connect(rest_of(note_));
    return send_note(socket_, line_->address());
  } catch (const Error& error) {
    send_note(socket_, std::as_bytes(std::span(std::string_view(error.what()))), true);
    throw;
  }
}

void UcxStream::shake_hands(Clock::time_point until) {
  do {
    const Turn turn(*this);
    reader_waits_ = connects_ = false;
    if (attach()) {
      progress();
      if (line_->has_met()) return;
      line_->acknowledge();
    }
    if (is_attached_ ? line_->is_broken() : errno != EAGAIN) {
      throw Error(Failure::no_server,
                  "the server closed the connection during the handshake of UCX (it may have "
                  "ended, or be no server of ucx://)");
    }
    reader_waits_ = connects_ = true;
  } while (wait_for(for_reader_.epoll.fd(), POLLIN, until) != 0);
  throw Error(Failure::no_server,
              "the server accepted the connection but did not answer the handshake of UCX (it may "
              "be overloaded or stopped)",
              Fate::not_sent, ETIMEDOUT);
}

bool UcxStream::is_peer_gone() const {
  return is_over(socket_.fd());
}

void UcxStream::progress() const {
  if (!line_->has_met() && is_peer_gone()) line_->lose_peer();
  if (line_->has_met() || !line_->is_broken()) line_->progress();
}

// ---- waiting
// -------------------------------------------------------------------------------------

/**
 * Whenever nobody has the lock and somebody waits, either his bell is set, or UCX is armed, so that
 * what happens next shows at its descriptor. Whoever makes UCX work may find what another thread
 * waits for.
 */
void UcxStream::announce() const {
  if (!is_attached_ || line_ == nullptr) return;
  if ((!reader_waits_ && !writer_waits_) || arm()) {
    held_up_since_.reset();
  } else if (!held_up_since_) {
    held_up_since_ = Clock::now();
  }
  const bool is_held_up = held_up_since_.has_value();
  const auto held_up = is_held_up ? Clock::now() - *held_up_since_ : Clock::duration::zero();
  const auto update = [&](Bell& bell, bool waits, bool finds) {
    const bool rings_later = waits && !finds && is_held_up && held_up >= soon;
    bell.set(waits && (finds || (is_held_up && held_up < soon)));
    if (!rings_later) return bell.wait_no_more();
    bell.set_in(
        std::clamp(std::chrono::ceil<milliseconds>(held_up / 8), shortest_pause, longest_pause));
  };
  update(for_reader_, reader_waits_,
         line_->has_bytes() || line_->has_ended() || line_->is_broken() ||
             (connects_ && line_->has_met()));
  if (for_writer_ != nullptr) update(*for_writer_, writer_waits_, line_->can_send());
}

/**
 * False if UCX wants to be called again, and has nothing to do: over shared memory, what the peer
 * has no room for, or began to send when it was killed.
 */
bool UcxStream::arm() const {
  for (int i = 0; i < most_surprises; ++i) {
    if (line_->is_broken() || line_->arm()) return true;
    progress();
  }
  return false;
}

bool UcxStream::has_buffered() const {
  if (!made_by_.is_current()) return false;
  const Turn turn(*this);
  if (!is_attached_ || line_ == nullptr) return false;
  progress();
  line_->acknowledge();
  reader_waits_ = true;
  return line_->has_bytes() || line_->has_ended() || line_->is_broken();
}

pollfd UcxStream::writable_event() {
  if (!made_by_.is_current()) return {socket_.fd(), POLLOUT, 0};
  const Turn turn(*this);
  if (for_writer_ == nullptr) {
    for_writer_ = std::make_unique<Bell>();
    for_writer_->watch(socket_.fd());
  }
  if (line_ != nullptr && is_attached_) {
    if (!std::exchange(writer_watches_line_, true)) for_writer_->watch(line_->descriptor());
    progress();
    writer_waits_ = true;
  }
  return {for_writer_->epoll.fd(), POLLIN, 0};
}

// ---- receiving
// -----------------------------------------------------------------------------------

/** As recv; 0: the end. */
ssize_t UcxStream::look(std::span<std::byte> to, bool kept) {
  progress();
  std::size_t got = line_->take(to, kept);
  if (got == 0 && line_->is_fetching()) {
    progress();
    got = line_->take(to, kept);
  }
  if (got != 0) {
    sent_blindly_ = 0;
    return static_cast<ssize_t>(got);
  }
  if (line_->has_ended()) {
    line_->acknowledge();
    return 0;
  }
  if (line_->is_broken()) {
    say_why();
    errno = ECONNRESET;
    return -1;
  }
  errno = EAGAIN;
  return -1;
}

/** To the log, once: the reader only learns that the connection is lost. */
void UcxStream::say_why() {
  if (std::exchange(has_said_why_, true) || is_peer_gone()) return;
  const std::string line = "the connection of " + peer_ + " is lost: " + line_->reason();
  sidl_log(sidl_log_detail, "ucx", line.c_str());
}

ssize_t UcxStream::poll(void* to, std::size_t size) {
  errno = EAGAIN;
  // A spinning reader lets others have the lock.
  if (wanting_.load(std::memory_order_relaxed) != 0 || !made_by_.is_current()) return -1;
  const Turn turn(*this);
  if (is_shut_down_) return 0;
  if (!attach()) return errno == 0 ? 0 : -1;
  reader_waits_ = false;
  return look({static_cast<std::byte*>(to), size}, false);
}

ssize_t UcxStream::receive(std::span<std::byte> to, bool kept, bool waits) {
  if (!made_by_.is_current()) return 0;
  for (Until until;;) {
    {
      const Turn turn(*this);
      if (is_shut_down_) return 0;
      reader_waits_ = false;
      if (attach()) {
        ssize_t got = look(to, kept);
        if (got >= 0 || errno != EAGAIN) return got;
        if (is_peer_gone()) {
          got = look(to, kept);  // what had come before
          return got < 0 && errno == EAGAIN ? 0 : got;
        }
        line_->acknowledge();
      } else if (errno != EAGAIN) {
        return errno == 0 ? 0 : -1;
      }
      reader_waits_ = waits;
    }
    if (!waits || !await({for_reader_.epoll.fd(), POLLIN, 0}, until, receiving_)) return -1;
  }
}

/** Sleeps until something happens; false, with errno, if `until`, set at first, has come. */
bool UcxStream::await(pollfd something, Until& until, milliseconds patience) {
  const auto now = Clock::now();
  if (!until) until = now + patience;
  errno = EAGAIN;
  if (now >= *until) return false;
  const auto left = std::chrono::ceil<milliseconds>(*until - now);
  const int ready = ::poll(&something, 1, static_cast<int>(left.count()));
  if (ready == 0) errno = EAGAIN;
  return ready > 0;
}

// ---- sending
// -------------------------------------------------------------------------------------

ssize_t UcxStream::send(std::span<const std::byte> bytes, bool waits) {
  const iovec whole{const_cast<std::byte*>(bytes.data()), bytes.size()};
  return send({&whole, 1}, false, waits);
}

std::size_t UcxStream::offer(std::span<const iovec> pieces, bool kept) {
  const std::size_t sent = line_->send(pieces, kept);
  progress();
  return sent != 0 ? sent : line_->send(pieces, kept);
}

/** The peer may have all of it, though UCX has not said so. */
void UcxStream::throw_half_sent() {
  throw Error(Failure::unexpected_close, "the connection ended in the midst of a message",
              Fate::may_have_executed, EPIPE);
}

/**
 * Bytes sent; -1: EAGAIN, EPIPE. The latter says that the peer gets none of them: not after some
 * were handed over, even if it has gone since, because it may have received them, and answered.
 */
ssize_t UcxStream::attempt(std::span<const iovec> pieces, bool kept) {
  if (std::exchange(had_begun_, false)) throw_half_sent();
  if (is_shut_down_ || !attach()) {
    if (is_shut_down_ || errno != EAGAIN) errno = EPIPE;
    return -1;
  }
  // Looked for now and then while nothing comes.
  const auto is_gone = [&] { return std::has_single_bit(++sent_blindly_) && is_peer_gone(); };
  if (!line_->has_begun() && (line_->is_broken() || is_gone())) {
    errno = EPIPE;
    return -1;
  }
  std::size_t sent = offer(pieces, kept);
  if (sent == 0 && (line_->is_broken() || is_peer_gone())) {
    sent = offer(pieces, kept);  // what the peer took before
    if (sent == 0) sent = line_->give_up_sending();
    if (sent == 0) throw_half_sent();
  }
  errno = EAGAIN;
  return sent == 0 ? -1 : static_cast<ssize_t>(sent);
}

ssize_t UcxStream::send(std::span<const iovec> pieces, bool kept, bool waits) {
  if (!made_by_.is_current()) {
    errno = EPIPE;
    return -1;
  }
  for (Until until;;) {
    {
      const Turn turn(*this);
      writer_waits_ = false;
      const ssize_t sent = attempt(pieces, kept);
      if (sent >= 0 || errno != EAGAIN) return sent;
    }
    if (!waits || !await(writable_event(), until, sending_)) return -1;
  }
}

int UcxStream::unsent() const {
  if (!made_by_.is_current()) return 0;
  const Turn turn(*this);
  if (!is_attached_ || line_ == nullptr || line_->is_broken() || is_peer_gone()) return 0;
  progress();
  return static_cast<int>(std::min<std::uint64_t>(line_->unsent(), 1 << 30));
}

std::string UcxStream::carriers() const {
  if (!made_by_.is_current()) return "";
  const Turn turn(*this);
  return is_attached_ && line_ != nullptr ? line_->carriers() : "";
}

// ---- the end
// -------------------------------------------------------------------------------------

void UcxStream::finish_sending() {
  if (!made_by_.is_current()) return;
  const Turn turn(*this);
  if (!is_attached_ || line_ == nullptr || line_->is_broken()) return;
  line_->end();
  progress();
}

void UcxStream::shut_down() {
  if (!made_by_.is_current()) return;
  const Turn turn(*this);
  if (is_shut_down_.exchange(true)) return;
  if (is_attached_) {
    const auto until = Clock::now() + farewell;
    while (!line_->is_broken() && !is_peer_gone() && line_->unsent() != 0 && Clock::now() < until) {
      progress();
    }
  }
  // First: the peer fetches nothing more of what may now be used for something else.
  socket_.shut_down();  // which wakes all
  had_begun_ = line_ != nullptr && line_->has_begun();
  line_.reset();
}

}  // namespace shinar::wire::ucx
