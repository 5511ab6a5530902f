/** ClientConnection: what it sends while the server takes no data. */
#include <cerrno>
#include <chrono>
#include <mutex>
#include <utility>

#include "answering.hpp"
#include "client_connection.hpp"
#include "crew.hpp"
#include "exports.hpp"

namespace shinar::wire {

using std::chrono::milliseconds;

/**
 * A client does not queue, but for the rest of a frame whose deadline has passed: the thread waits
 * while the server takes no data.
 */
void ClientConnection::put_in_line(std::span<const std::byte> before, const FrameHeader& header,
                                   Encoder& encoder, bool reads, const Deadline* deadline,
                                   Spent& spent) {
  Full full(*this, reads, deadline);
  send(before, header, encoder, &full);
  if (!channel->is_full() && !has_left_) [[likely]]
    return;
  spent.add(channel->take_spent());
  has_left_ = channel->has_backlog();
  if (!has_left_) return;
  {
    const std::lock_guard lock(state_);
    has_rest_ = true;
  }
  try {
    send_postponed_soon();
  } catch (const std::exception&) {
    // Without memory or a thread it goes with what is sent next.
  }
}

void ClientConnection::Full::await_beginning(Channel& /*channel*/) {
  if (deadline_ != nullptr && *deadline_) connection_.await_room(*deadline_, leads_);
}

/** The server has part of the frame: it is not taken back, and the call is in transit. */
bool ClientConnection::Full::leaves_rest() {
  if (deadline_ == nullptr || !*deadline_ || Clock::now() < **deadline_) return false;
  return connection_.exports_ != nullptr;
}

/**
 * Returns when the server has taken what was sent before, or may take more: nothing of the request
 * has been sent, which waits for that no longer than to its deadline. Throws Error. Under write.
 */

void ClientConnection::await_room(const Deadline& deadline, bool reads) {
  const bool may_read = reads || !is_being_read();
  const WaitForPeer waits;
  constexpr milliseconds look_again(50);
  if (!channel->is_full()) full_since_ = Clock::now();
  for (;;) {
    const bool has_taken = channel->has_backlog() && channel->flush(false) != 0;
    const bool is_new = std::exchange(times_full_, channel->times_full()) != channel->times_full();
    const auto now = Clock::now();
    if (is_new || has_taken) full_since_ = now;
    const auto left = std::chrono::ceil<milliseconds>(*deadline - now);
    if (now - full_since_ >= interval_ * keepalive_misses) {
      throw Error(Failure::unexpected_close, "the server does not accept data", Fate::not_sent,
                  ETIMEDOUT);
    }
    if (left.count() <= 0) {
      throw Error(Failure::time_out, "the deadline passed while the server took no data",
                  Fate::not_sent, ETIMEDOUT);
    }
    const Channel::Ready ready = channel->await(may_read, true, -1, std::min(left, look_again));
    if (ready.writable && !channel->has_backlog()) return;
    if (ready.readable) reads ? read_what_came(Room::any) : refresh();
  }
}

/** The server may be blocked until we read its answers. */
bool ClientConnection::Full::wait(Channel& channel, Clock::time_point since) {
  const bool may_read = leads_ || !connection_.is_being_read();
  const WaitForPeer waits;
  constexpr milliseconds look_again(50);
  if (Clock::now() >= since + connection_.interval_) {
    errno = EAGAIN;
    return false;
  }
  const Channel::Ready ready = channel.await(may_read, true, -1, look_again);
  if (ready.readable) leads_ ? connection_.read_what_came(Room::any) : connection_.refresh();
  return true;  // the rest of a small frame may fit long before the system says that there is room
}

/** By a task: the thread that reads may do so while it sends, as the server takes nothing. */
void ClientConnection::refuse_call(const FrameHeader& request, const Error& error) {
  PostponedAnswer postponed;
  Answer answer{postponed.body};
  put_error(answer, error);
  complete_answer(postponed.header, request, answer);
  postpone(std::move(postponed));
}

/** Has a task send it. Throws Error if more wait than calls may be in work. */
void ClientConnection::postpone(PostponedAnswer answer) {
  {
    const std::lock_guard lock(state_);
    const std::uint32_t most = most_calls_ * calls_in_work_while_waiting;
    if (answers_.size() >= most) throw Limits::too_many_calls(most, most + 1);
    answers_.push_back(std::move(answer));
  }
  send_postponed_soon();
}

void ClientConnection::send_cancel(std::uint64_t id) {
  if (try_send_cancel(id)) return;
  if (exports_ == nullptr) return Link::send_cancel(id);
  {
    const std::lock_guard lock(state_);
    cancels_.push_back(id);
  }
  send_postponed_soon();
}

/** One task for all that wait. */
void ClientConnection::send_postponed_soon() {
  {
    const std::lock_guard lock(state_);
    if (std::exchange(is_sending_postponed_, true)) return;
  }
  try {
    exports_->submit([self = std::static_pointer_cast<ClientConnection>(shared_from_this())] {
      self->send_postponed();
    });
  } catch (...) {
    const std::lock_guard lock(state_);
    is_sending_postponed_ = false;
    throw;
  }
}

void ClientConnection::send_postponed() {
  std::unique_lock lock(state_);
  while (!answers_.empty() || !cancels_.empty() || has_rest_) {
    if (std::exchange(has_rest_, false)) {
      lock.unlock();
      send_rest();
    } else if (!cancels_.empty()) {
      const std::uint64_t id = cancels_.front();
      cancels_.pop_front();
      lock.unlock();
      Link::send_cancel(id);
    } else {
      PostponedAnswer next = std::move(answers_.front());
      answers_.pop_front();
      lock.unlock();
      try {
        transmit_answer(next.header, next.body, next.lent, {});
      } catch (const Error& error) {
        fail(error);
      }
    }
    lock.lock();
  }
  is_sending_postponed_ = false;
}

/** A ping that is of no use, but goes behind it. */
void ClientConnection::send_rest() {
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::ping);
  Encoder nothing;
  try {
    Spent spent;  // dropped without the lock
    const auto lock = lock_write();
    if (channel->has_backlog()) put_in_line({}, header, nothing, false, nullptr, spent);
  } catch (const Error& error) {
    fail(error);
  }
}

}  // namespace shinar::wire
