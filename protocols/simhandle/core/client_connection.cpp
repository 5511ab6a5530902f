#include "client_connection.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "decoder.hpp"
#include "frame_writer.hpp"

namespace simhandle {

using std::chrono::milliseconds;

/** How the leader waits: spin, then sleep in recv; pings and the deadline in between. */
class ClientConnection::Wait : public Receiver {
 public:
  Wait(ClientConnection& connection, Deadline deadline)
      : connection_(connection), deadline_(deadline) {}
  enum class Patience { none, no_wait, full };
  /** `no_wait` takes what is there, `none` not even what the socket has. */
  Wait(ClientConnection& connection, Patience patience)
      : connection_(connection), patience_(patience) {}

  bool deadline_passed() const { return deadline_passed_; }

  ssize_t receive(void* to, std::size_t size, bool frame_start) override {
    const int fd = connection_.socket_.fd();
    if (patience_ == Patience::none) {
      errno = EAGAIN;
      return -1;
    }
    if (patience_ == Patience::no_wait) return heard(::recv(fd, to, size, MSG_DONTWAIT));
    if (frame_start) {
      const ssize_t got = connection_.spin_.receive(fd, to, size);
      if (got >= 0 || errno != EAGAIN) return heard(got);
    }
    for (;;) {
      if (deadline_ && !wait_for_deadline(fd)) return -1;
      const ssize_t got = ::recv(fd, to, size, deadline_ ? MSG_DONTWAIT : 0);
      if (got >= 0 || (errno != EAGAIN && errno != EINTR)) return heard(got);
      if (errno == EINTR || deadline_) continue;
      if (!silence()) return -1;
    }
  }

 private:
  ssize_t heard(ssize_t got) {
    connection_.misses_ = 0;
    return got;
  }

  /** An interval has passed without a byte; false if that was one too many. */
  bool silence() {
    if (++connection_.misses_ >= keepalive_misses) {
      errno = ETIMEDOUT;
      return false;
    }
    connection_.ping();
    return true;
  }

  /** Waits until the socket is readable; false if the deadline passed or the peer is gone. */
  bool wait_for_deadline(int fd) {
    for (;;) {
      const auto left = std::chrono::ceil<milliseconds>(*deadline_ - Clock::now());
      if (left.count() <= 0) {
        deadline_passed_ = true;
        errno = EAGAIN;
        return false;
      }
      pollfd waiting{fd, POLLIN, 0};
      const auto patience = std::min(left, connection_.interval_);
      const int ready = ::poll(&waiting, 1, static_cast<int>(patience.count()));
      if (ready > 0) return true;
      if (ready == 0 && patience == connection_.interval_ && !silence()) return false;
    }
  }

  ClientConnection& connection_;
  const Deadline deadline_;
  const Patience patience_ = Patience::full;
  bool deadline_passed_ = false;
};

ClientConnection::ClientConnection(Socket socket, const Welcome& welcome, const Limits& limits)
    : socket_(std::move(socket)),
      inline_limit_(std::max(welcome.inline_bytes, least_inline_bytes)),
      message_limit_(welcome.message_bytes),
      interval_(welcome.keepalive_ms),
      reader_(limits, std::make_shared<Budget>(limits.memory_bytes)),
      spin_(limits.spin_us) {
  prepare_connection(socket_.fd(), interval_, interval_);
}

void ClientConnection::call(const Request& request, Deadline deadline, Message& answer) {
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(request.type);
  header.flags = request.flags;
  complete_header(header, *request.encoder, inline_limit_, message_limit_);
  if (deadline) {
    const auto left = std::chrono::ceil<milliseconds>(*deadline - Clock::now()).count();
    header.deadline = static_cast<std::uint32_t>(std::clamp<std::int64_t>(left, 1, 0xffffffff));
  }
  Waiter waiter{answer};
  enter(waiter);
  header.request = waiter.id;
  try {
    transmit(header, request);
  } catch (const Error& error) {
    leave(waiter);
    fail(error);
    throw;
  }
  await(waiter, deadline);
}

void ClientConnection::send(const Request& request) {
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(request.type);
  header.flags = request.flags;
  complete_header(header, *request.encoder, inline_limit_, message_limit_);
  try {
    transmit(header, request);
  } catch (const Error& error) {
    fail(error);
    throw;
  }
}

void ClientConnection::enter(Waiter& waiter) {
  const std::lock_guard lock(state_);
  if (!is_usable()) throw_broken(Fate::not_sent);
  waiter.id = next_id_++;
  waiters_.push_back(&waiter);
}

void ClientConnection::leave(Waiter& waiter) {
  const std::lock_guard lock(state_);
  std::erase(waiters_, &waiter);
}

void ClientConnection::transmit(FrameHeader& header, const Request& request) {
  const std::lock_guard lock(write_);
  std::vector<std::byte> definition;
  if (!request.method.empty()) {
    bool is_new = false;
    header.method = methods_.find_or_add(request.method, request.digest, is_new);
    if (is_new) {
      Encoder body;
      body.put(request.digest);
      body.put_string(request.method);
      FrameHeader head;
      head.type = static_cast<std::uint8_t>(FrameType::method);
      head.method = header.method;
      head.body = static_cast<std::uint32_t>(body.body_size());
      definition.resize(header_bytes + body.body_size());
      std::memcpy(definition.data(), &head, header_bytes);
      std::memcpy(definition.data() + header_bytes, body.body(), body.body_size());
    }
  }
  send_frame(socket_.fd(), definition, header, *request.encoder);
}

void ClientConnection::await(Waiter& waiter, Deadline deadline) {
  std::unique_lock lock(state_);
  while (!waiter.done && !waiter.taken_out && !broken_) {
    const bool leads = !leader_;
    leader_ = true;
    lock.unlock();
    if (leads) {
      lead(waiter, deadline);
    } else {
      waiter.done = (waiter.bell.wait(deadline) & Waiter::delivered) != 0;
      if (waiter.done) return;
    }
    lock.lock();
    if (leads) leader_ = false;
    if (!waiter.done && !broken_ && deadline && Clock::now() >= *deadline) break;
  }
  std::erase(waiters_, &waiter);
  if (!leader_ && !waiters_.empty()) waiters_.front()->bell.ring(Waiter::look);
  if (waiter.taken_out) {
    lock.unlock();
    // The answer is being handed over at this moment.
    while (!waiter.done) waiter.done = (waiter.bell.wait({}) & Waiter::delivered) != 0;
  }
  if (waiter.done) return;
  if (broken_) throw_broken(Fate::may_have_executed);
  throw Error(Failure::time_out, "the deadline passed before the reply came",
              Fate::may_have_executed, ETIMEDOUT);
}

/**
 * Reads the socket until the waiter's reply is there or there is no sense in waiting on, and what
 * came with it.
 */
void ClientConnection::lead(Waiter& waiter, Deadline deadline) {
  Wait wait(*this, deadline);
  try {
    while (!waiter.done && !wait.deadline_passed()) {
      // After another call's send failed, the socket is shut down and the next read says so.
      read_one(&waiter, wait);
    }
    if (buffer_.empty()) return;
    Wait at_hand(*this, Wait::Patience::none);
    while (read_one(nullptr, at_hand)) {
    }
  } catch (const Error& error) {
    fail(error);
  } catch (const std::bad_alloc&) {
    fail(Error(Failure::protocol, "memory is exhausted", Fate::may_have_executed, ENOMEM));
  }
}

/** Reads and handles one frame; false if there is none for now. */
bool ClientConnection::read_one(Waiter* waiter, Wait& wait) {
  Message stray;
  Message& message = waiter != nullptr ? waiter->message : stray;
  switch (reader_.next(wait, buffer_, message)) {
    case FrameReader::Status::message:
      handle(message, waiter);
      return true;
    case FrameReader::Status::nothing:
      return false;
    case FrameReader::Status::closed:
      throw Error(Failure::unexpected_close, "the server closed the connection",
                  Fate::may_have_executed);
    case FrameReader::Status::failed: {
      const int err = errno;
      throw Error(Failure::unexpected_close,
                  err == 0           ? std::string("the connection ended within a message")
                  : err == ETIMEDOUT ? std::string("the server does not answer keepalives")
                                     : std::string("the connection broke: ") + std::strerror(err),
                  Fate::may_have_executed, err);
    }
  }
  return false;
}

void ClientConnection::handle(Message& message, Waiter* self) {
  switch (message.type()) {
    case FrameType::reply:
    case FrameType::exception:
    case FrameType::error:
      deliver(message, self);
      return;
    case FrameType::ping: {
      FrameHeader pong;
      pong.type = static_cast<std::uint8_t>(FrameType::pong);
      pong.request = message.header.request;
      const std::unique_lock lock(write_, std::try_to_lock);
      if (lock.owns_lock()) send_header_now(socket_.fd(), pong);
      return;
    }
    case FrameType::pong:
      return;
    case FrameType::goodbye:
      read_goodbye(message);
      return;
    default:
      throw malformed("type " + std::to_string(message.header.type) + " sent by a server");
  }
}

/** Hands a reply over; one that nobody waits for any more is dropped. */
void ClientConnection::deliver(Message& message, Waiter* self) {
  if (self != nullptr && self->id == message.header.request) {
    self->done = true;  // `message` is its message
    return;
  }
  std::unique_lock lock(state_);
  const auto found = std::find_if(waiters_.begin(), waiters_.end(), [&](const Waiter* each) {
    return each->id == message.header.request;
  });
  if (found == waiters_.end()) return;
  Waiter* const waiter = *found;
  waiters_.erase(found);
  waiter->taken_out = true;
  lock.unlock();  // first: who is woken may call again at once and want the lock
  waiter->message.swap(message);
  waiter->bell.ring(Waiter::delivered);
}

void ClientConnection::read_goodbye(Message& message) {
  Decoder decoder(message);
  const bool is_failure = decoder.get<std::uint32_t>() != 0;
  const std::string text(decoder.get_name());
  usable_.store(false, std::memory_order_release);
  if (is_failure)
    throw Error(Failure::protocol, "the server closed the connection: " + text,
                Fate::may_have_executed);
}

void ClientConnection::fail(const Error& error) {
  usable_.store(false, std::memory_order_release);
  socket_.shut_down();
  const std::lock_guard lock(state_);
  if (!broken_) broken_ = error;
  for (Waiter* const each : waiters_) each->bell.ring(Waiter::look);
}

void ClientConnection::throw_broken(Fate fate) {
  if (broken_) throw Error(broken_->failure(), broken_->what(), fate, broken_->err());
  throw Error(Failure::unexpected_close, "the server is shutting down", fate);
}

void ClientConnection::ping() {
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::ping);
  const std::unique_lock lock(write_, std::try_to_lock);
  if (lock.owns_lock()) send_header_now(socket_.fd(), header);
}

bool ClientConnection::refresh() {
  {
    const std::lock_guard lock(state_);
    if (leader_ || !is_usable()) return is_usable();
    leader_ = true;
  }
  Wait wait(*this, Wait::Patience::no_wait);
  try {
    pollfd waiting{socket_.fd(), POLLIN, 0};
    while (is_usable() && (!buffer_.empty() || ::poll(&waiting, 1, 0) > 0)) {
      read_one(nullptr, wait);
    }
  } catch (const Error& error) {
    fail(error);
  } catch (const std::bad_alloc&) {
    fail(Error(Failure::protocol, "memory is exhausted"));
  }
  const std::lock_guard lock(state_);
  leader_ = false;
  if (!waiters_.empty()) waiters_.front()->bell.ring(Waiter::look);
  return is_usable();
}

void ClientConnection::close() {
  Encoder body;
  body.put<std::uint32_t>(0);
  body.put_string("the client is done");
  Request request;
  request.type = FrameType::goodbye;
  request.encoder = &body;
  try {
    if (is_usable()) {
      send(request);
      drain();
    }
  } catch (const Error&) {
    // The peer is gone already: its lease does the rest.
  }
  fail(Error(Failure::unexpected_close, "the connection was closed"));
}

/**
 * Reads to the end of the stream, which the server closes when it has read our goodbye. Closing
 * with bytes unread would reset the connection and might destroy the goodbye on its way.
 */
void ClientConnection::drain() {
  constexpr milliseconds patience(500);
  {
    const std::lock_guard lock(state_);
    if (leader_) return;
    leader_ = true;
  }
  ::shutdown(socket_.fd(), SHUT_WR);
  std::byte rubbish[4096];
  pollfd waiting{socket_.fd(), POLLIN, 0};
  const auto until = Clock::now() + patience;
  while (Clock::now() < until) {
    if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) break;
    if (::recv(socket_.fd(), rubbish, sizeof rubbish, MSG_DONTWAIT) <= 0) break;
  }
  const std::lock_guard lock(state_);
  leader_ = false;
}

void ClientConnection::abandon() {
  socket_ = Socket();
}

}  // namespace simhandle
