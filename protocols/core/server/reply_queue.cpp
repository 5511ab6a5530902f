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

/** Bytes that a client must take within a send time-out for a worker to wait on. */
constexpr std::size_t brisk = 65536;

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
    if (connection_.is_clogged) {
      channel.post({}, header, answer.body);
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
    channel.post({unsent_.data(), unsent_.size()}, header, answer.body);
    if (channel.has_backlog()) {
      if (lent.lends()) ask_later();
      spent = linger();
      return;
    }
    answers_sent();
    if (lent.lends()) connection_.ask_for_confirmation();
  } catch (const std::exception& error) {
    give_up(error);
  }
}

/** Asks a client that takes its time how far it has read, behind what it has to take. */
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
  if (unsent_.size() == 0) return {};  // somebody was faster
  try {
    connection_.channel->post({unsent_.data(), unsent_.size()});
    if (connection_.channel->has_backlog()) return linger();
  } catch (const std::exception& error) {
    give_up(error);
    return {};
  }
  answers_sent();
  return {};
}

/** The calls whose answers were sent are in work no more. */
void ReplyQueue::answers_sent() {
  unsent_.clear();
  connection_.holds_back = false;
  server_.calls.done(unsent_calls_.exchange(0, std::memory_order_relaxed));
}

/** Sends on while that pays, and leaves the rest to whoever finds room. */
Spent ReplyQueue::linger() {
  Channel& channel = *connection_.channel;
  unsent_.clear();
  connection_.holds_back = false;
  progress_ = Clock::now();
  while (channel.has_backlog() && server_.pool.is_attended()) {
    if (channel.flush(true) < brisk) break;
  }
  note_backlog();
  return channel.take_spent();
}

/** What the channel has not got rid of has changed. */
void ReplyQueue::note_backlog() {
  backlog_calls_ += unsent_calls_.exchange(0, std::memory_order_relaxed);
  backlog_ = connection_.channel->backlog();
  connection_.is_clogged = connection_.channel->has_backlog();
  if (connection_.is_clogged) {
    poll_for_room();
  } else if (backlog_calls_ != 0) {
    server_.calls.done(std::exchange(backlog_calls_, 0));
  }
}

/** send_on() is called when the client takes something, or is gone. */
void ReplyQueue::poll_for_room() {
  if (server_.room.add(connection_, std::exchange(is_polled_, true))) return;
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
  connection_.is_clogged = false;
  server_.calls.done(std::exchange(backlog_calls_, 0));
}

/** Ends a connection that takes nothing more; its reader finds it closed. */
void ReplyQueue::give_up(const std::exception& error) {
  // Once: as many answers may be on their way as calls may be in work.
  if (!std::exchange(is_given_up_, true)) {
    server_.host.log("cannot answer " + connection_.peer + ": " + error.what());
  }
  connection_.channel->shut_down();
  drop_locked();
}

bool ReplyQueue::closes_later() {
  flush();
  const std::lock_guard lock(connection_.write);
  closes_ = connection_.is_clogged;
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
      // Somebody sends, and may wait for the client: what is left afterwards is for later.
      server_.room.rearm(connection_);
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
      closes = !connection_.is_clogged && std::exchange(closes_, false);
      // The caller keeps the connection.
      if (!connection_.is_clogged && stalled_.empty()) server_.room.remove(connection_);
    } else if (!connection_.is_clogged) {
      poll_for_room();  // at once, as there is some
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

void ReplyQueue::press(Clock::time_point now) {
  const auto interval = milliseconds(connection_.keepalive_ms);
  if (now - pressed_ < interval / 3) return;
  pressed_ = now;
  send_on(nullptr);
  const std::unique_lock lock(connection_.write, std::try_to_lock);
  if (!lock.owns_lock() || !connection_.is_clogged) return;
  if (now - progress_ >= keepalive_misses * interval) give_up(takes_no_data());
}

void ReplyQueue::await_room(Deadline deadline) {
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
  const bool was_clogged = connection_.is_clogged;
  connection_.channel->post(before, header, encoder);
  if (was_clogged) {
    note_backlog();
  } else if (connection_.channel->has_backlog()) {
    spent.add(linger());
  }
}

void ReplyQueue::ask_behind_backlog() {
  ask_later();
  note_backlog();
}

}  // namespace shinar::wire
