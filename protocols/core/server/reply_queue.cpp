#include "core/server/reply_queue.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "core/cargo.hpp"
#include "core/crew.hpp"
#include "core/running_call.hpp"
#include "core/server/server_connection.hpp"
#include "core/server/server_context.hpp"

namespace shinar::wire {
namespace {

using std::chrono::milliseconds;

/** Bytes that a client must take per attempt for a worker to keep sending. */
constexpr std::size_t least_progress = 65536;

Error takes_no_data() {
  return Error(Failure::unexpected_close,
               std::string("the peer does not accept data: ") + std::strerror(ETIMEDOUT),
               Fate::not_sent, ETIMEDOUT);
}

Error has_ended() {
  return Error(Failure::unexpected_close, "the client has closed the connection");
}

}  // namespace

bool ReplyQueue::is_full() const {
  return backlog_ > server_.options.limits.unsent_bytes;
}

void ReplyQueue::reply(const FrameHeader& request, Answer& answer, bool may_wait,
                       int calls) noexcept {
  constexpr std::size_t most_unsent = 8192;
  Channel& channel = *connection_.channel;
  FrameHeader header;
  connection_.complete_answer(header, request, answer);
  server_.counters.bytes_sent.fetch_add(frame_bytes(header), std::memory_order_relaxed);
  Spent spent;  // dropped without the lock
  const std::lock_guard lock(connection_.write);
  unsent_calls_.fetch_add(calls, std::memory_order_relaxed);
  try {
    const Lent::HandOver lent(answer.lent, *connection_.stream, connection_.stream->count_sent());
    if (!lent.may_arrive()) throw has_ended();
    if (connection_.is_write_blocked) {
      channel.post({}, header, answer.body, Contents::stay);
      if (lent.lends()) ask_later();
      note_backlog();
      return;
    }
    if (may_wait && header.segments == 0 && header.body < most_unsent &&
        unsent_.size() < most_unsent && !server_.calls.is_ending()) {
      const auto frame = answer.body.with_header(header);
      std::memcpy(unsent_.extend(frame.size()), frame.data(), frame.size());
      connection_.holds_back = true;
      return;
    }
    channel.post({unsent_.data(), unsent_.size()}, header, answer.body, Contents::stay);
    if (channel.has_backlog()) {
      if (lent.lends()) ask_later();
      spent = keep_sending();
      return;
    }
    answers_sent();
    if (lent.lends()) connection_.ask_for_confirmation();
  } catch (const std::exception& error) {
    give_up(error);
  }
}

/** Queues the question how far the client has read behind its backlog. */
void ReplyQueue::ask_later() {
  if (!connection_.stream->wants_confirmation()) return;
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::ping);
  header.request = connection_.stream->sent();
  connection_.channel->post(std::as_bytes(std::span(&header, 1)));
}

void ReplyQueue::flush() noexcept {
  if (unsent_calls_.load(std::memory_order_relaxed) == 0) return;
  Spent spent;  // dropped without the lock
  const std::lock_guard lock(connection_.write);
  spent = send_held_back();
}

Spent ReplyQueue::send_held_back() noexcept {
  if (unsent_.size() == 0) return {};  // another thread has sent them
  try {
    connection_.channel->post({unsent_.data(), unsent_.size()});
    if (connection_.channel->has_backlog()) return keep_sending();
  } catch (const std::exception& error) {
    give_up(error);
    return {};
  }
  answers_sent();
  return {};
}

/** Calls whose answers were sent are not in work any more. */
void ReplyQueue::answers_sent() {
  unsent_.clear();
  connection_.holds_back = false;
  server_.calls.done(unsent_calls_.exchange(0, std::memory_order_relaxed));
}

/** Keeps sending while the client takes enough per attempt; the write poll sends the rest. */
Spent ReplyQueue::keep_sending() {
  Channel& channel = *connection_.channel;
  unsent_.clear();
  connection_.holds_back = false;
  progress_ = Clock::now();
  while (channel.has_backlog() && server_.pool.has_idle_worker()) {
    if (channel.flush(true) < least_progress) break;
  }
  note_backlog();
  return channel.take_spent();
}

/** Updates the state after the channel's backlog has changed. */
void ReplyQueue::note_backlog() {
  backlog_calls_ += unsent_calls_.exchange(0, std::memory_order_relaxed);
  backlog_ = connection_.channel->backlog();
  connection_.is_write_blocked = connection_.channel->has_backlog();
  if (connection_.is_write_blocked) {
    poll_for_capacity();
  } else if (backlog_calls_ != 0) {
    server_.calls.done(std::exchange(backlog_calls_, 0));
  }
}

/** Has send_on() called when the client takes data again, or is gone. */
void ReplyQueue::poll_for_capacity() {
  if (server_.writes.add(connection_, std::exchange(is_polled_, true))) return;
  give_up(
      Error(Failure::unexpected_close,
            std::string("cannot wait until the connection is writable: ") + std::strerror(errno)));
}

void ReplyQueue::drop() {
  const std::lock_guard lock(connection_.write);
  drop_locked();
}

void ReplyQueue::drop_locked() {
  unsent_.clear();
  connection_.holds_back = false;
  connection_.channel->drop_backlog();
  backlog_calls_ += unsent_calls_.exchange(0, std::memory_order_relaxed);
  backlog_ = 0;
  connection_.is_write_blocked = false;
  server_.calls.done(std::exchange(backlog_calls_, 0));
}

/** Ends a connection that takes no data; its reader finds it closed. */
void ReplyQueue::give_up(const std::exception& error) {
  // Log once: there may be as many unsent answers as calls in work.
  if (!std::exchange(is_given_up_, true)) {
    server_.log.add(PeerLog::Kind::unanswered,
                    "cannot answer " + connection_.peer + ": " + error.what());
  }
  connection_.channel->shut_down();
  drop_locked();
}

bool ReplyQueue::closes_later() {
  flush();
  const std::lock_guard lock(connection_.write);
  closes_ = connection_.is_write_blocked;
  return closes_;
}

bool ReplyQueue::stall(QueuedCall& call) {
  const std::lock_guard lock(connection_.write);
  if (!is_full()) return false;
  stalled_.push_back(std::move(call));
  return true;
}

void ReplyQueue::send_on(Worker* worker) {
  std::vector<QueuedCall> stalled;
  Spent spent;
  bool closes = false;
  {
    const std::unique_lock lock(connection_.write, std::try_to_lock);
    if (!lock.owns_lock()) {
      // Another thread is sending and may wait for the client: send the rest later.
      server_.writes.rearm(connection_);
      return;
    }
    try {
      if (connection_.channel->flush(false) != 0) progress_ = Clock::now();
      note_backlog();
    } catch (const std::exception& error) {
      give_up(error);
    }
    if (worker != nullptr) {
      spent = connection_.channel->take_spent();
      if (!is_full()) stalled.swap(stalled_);
      closes = !connection_.is_write_blocked && std::exchange(closes_, false);
      // The caller keeps the connection alive.
      if (!connection_.is_write_blocked && stalled_.empty()) server_.writes.remove(connection_);
    } else if (!connection_.is_write_blocked) {
      poll_for_capacity();  // called at once, as the client takes data
    }
  }
  if (!is_full()) connection_.reader.unthrottle();
  if (closes) connection_.reader.close();
  for (QueuedCall& each : stalled) {
    const auto next = std::make_shared<QueuedCall>(std::move(each));
    server_.tasks.add([&server = server_, next](Worker& other) {
      CallRunner::run_next(server, std::move(*next), other, nullptr);
    });
  }
}

void ReplyQueue::send_periodically(Clock::time_point now) {
  const auto interval = milliseconds(connection_.keepalive_ms);
  if (now - last_attempt_ < interval / 3) return;
  last_attempt_ = now;
  send_on(nullptr);
  const std::unique_lock lock(connection_.write, std::try_to_lock);
  if (!lock.owns_lock() || !connection_.is_write_blocked) return;
  if (now - progress_ >= keepalive_misses * interval) give_up(takes_no_data());
}

void ReplyQueue::await_capacity(Deadline deadline) {
  if (!is_full()) return;
  const WaitForPeer waits;
  while (is_full() && connection_.is_usable()) {
    RunningCall::check_wanted();
    if (deadline && Clock::now() >= *deadline) {
      throw Error(Failure::time_out, "the deadline passed before the client received the data",
                  Fate::not_sent, ETIMEDOUT);
    }
    constexpr milliseconds interval(20);
    if (connection_.channel->await(false, true, -1, interval).writable) send_on(nullptr);
  }
}

void ReplyQueue::put_in_line(std::span<const std::byte> before, const FrameHeader& header,
                             Encoder& encoder, Spent& spent) {
  if (connection_.holds_back) spent.add(send_held_back());
  const bool was_blocked = connection_.is_write_blocked;
  // A method that does not wait for its call may write to the arrays.
  connection_.channel->post(before, header, encoder, Contents::may_change);
  if (was_blocked) {
    note_backlog();
  } else if (connection_.channel->has_backlog()) {
    spent.add(keep_sending());
  }
}

void ReplyQueue::ask_behind_backlog() {
  ask_later();
  note_backlog();
}

}  // namespace shinar::wire
