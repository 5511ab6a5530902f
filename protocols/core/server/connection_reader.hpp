/**
 * Reads a connection of a server: by which thread, and when.
 *
 * One thread at a time is the reader: the worker that serves the connection, which also runs the
 * calls it reads; a worker that waits for the client while running a call that it read here
 * (ClientWait); or, when all workers are busy, the watch thread, which defers calls. In between the
 * connection is armed (in epoll) or in the pool's queue, unless it is throttled: then the end of
 * one of its calls, or a smaller backlog, resumes it.
 *
 * Functions are called by the reader unless they say otherwise.
 */
#ifndef SHINAR_CORE_SERVER_CONNECTION_READER_HPP
#define SHINAR_CORE_SERVER_CONNECTION_READER_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/fifo.hpp"
#include "core/frame_reader.hpp"
#include "core/incoming_call.hpp"
#include "core/server/admission.hpp"
#include "core/waiter.hpp"
#include "core/worker_pool.hpp"

namespace shinar::wire {

class ServerConnection;
struct ServerContext;
class Worker;

class ConnectionReader {
 public:
  using Clock = std::chrono::steady_clock;

  ConnectionReader(ServerConnection& connection, ServerContext& server);

  /** Looked at before anything is read: only then is what it receives charged. */
  Admission admission;

  /** Reads frames and runs calls. */
  void serve(Worker& worker);
  /**
   * Reads without running users' code. `since`: when it became ready; it keeps its place in the
   * queue.
   */
  void scan(Clock::time_point since);
  /**
   * True if scan() may find something; `looks`: attempts left that may find nothing. Called while
   * there is no reader.
   */
  bool wants_scan(int& looks) const;
  /** The call that the reading worker runs takes long: lets another thread read. Watch thread. */
  void release();

  /**
   * Arms epoll, or enqueues the connection if the channel has buffered data. After this and the
   * following the caller is not the reader any more.
   */
  void arm();
  /**
   * Releases the connection for its next reader: enqueued if there is something to do, else armed.
   */
  void let_go(Clock::time_point since = Clock::now());
  /** Ends reading. Calls in work finish; their answers are dropped. */
  void close();
  /** The same, after frames that the client should still be able to read. */
  void close_after_last_words();
  /** The peer violated the protocol or exceeded a limit: tells it, closes. */
  void refuse(const std::string& why);

  /**
   * True if the backlog of answers or the number of calls in work is above its limit: the
   * connection is then not read until that has changed. While calls in work wait for answers of the
   * client it must be read even so, as these may depend on calls of the client.
   */
  bool throttle();
  /** Resumes a throttled connection; false if it is not. Any thread. */
  bool unthrottle();
  /** The client is gone, and calls of it are left. */
  void note_ended();
  /** See Held. Any thread. */
  bool let_on(bool has_place);
  /** True if it waits for that, and it is time to look whether other frames than calls have come.
   */
  bool wants_look() const;
  bool is_throttled() const { return throttled_; }
  /**
   * True if the number of calls in work allows to read on. Of a client that sends nothing more, as
   * it is gone, all is read, however many calls are in work: its end is behind the last one. Any
   * thread.
   */
  bool has_room_for_calls() const;

  /** Keeps received bytes beyond the frames taken for the next reader. */
  void keep(ReceiveBuffer& buffer) {
    if (!buffer.empty()) pending_ = std::move(buffer);
  }
  /** Takes such bytes over from the previous reader. */
  void go_on_with(ReceiveBuffer& buffer) {
    if (!pending_.empty()) buffer = std::move(pending_);
  }

  /** There are calls that were read before a worker could run them. */
  bool has_deferred() const { return !deferred_.empty(); }
  /**
   * Defers a call and reads on, because frames that concern it may have arrived beyond those in
   * `buffer`. False if the connection was closed.
   */
  bool defer(IncomingCall& call, ReceiveBuffer& buffer);
  /**
   * Defers a call whose turn it is, as the quota does not let it begin: calls of other connections
   * have begun since it was asked. False if the connection is not this worker's any more.
   */
  bool put_off(IncomingCall& call, ReceiveBuffer& buffer);
  /** Removes a deferred call. */
  std::optional<IncomingCall> take_deferred(std::uint64_t id);
  /**
   * True if frames may have been waiting in the socket for more than a few ms, which might cancel
   * calls that have not begun.
   */
  bool is_stale() const {
    constexpr std::uint64_t fresh_ticks = 2;
    return pool_.tick() - looked_ >= fresh_ticks && may_read_ahead();
  }

  enum class Sorted { handled, deferred, closed };
  /**
   * Executes a frame; calls are queued, handed to their waiting threads, or deferred. `self`: the
   * waiter of a reader that waits for an answer, or NULL. Runs no users' code.
   */
  Sorted sort(Message& message, Waiter* self);

  /**
   * True if calls in work will give memory back when they end: none of them waits for the client,
   * or for any other peer that may depend on unread frames.
   */
  bool will_have_capacity() const;
  /** Others have the memory that the next message needs. */
  void note_lack(const Lack& lack) { lack_ = lack; }
  /** Data came from the client, which shows waiting threads that it is alive. */
  void note_received(std::size_t bytes) {
    if (admission.is_limited()) [[unlikely]]
      charge_received(bytes);
    heard_.fetch_add(1, std::memory_order_relaxed);
    is_within_message_.store(false, std::memory_order_relaxed);
  }
  /** Incremented whenever data came. Any thread. */
  std::uint32_t heard() const { return heard_.load(std::memory_order_relaxed); }

  /** A message has come in part, and the connection waits for the rest. Any thread. */
  bool is_within_message() const { return is_within_message_; }

  /** Epoll or a worker waits for its data. Any thread. */
  bool is_watched() const { return watched_; }
  void set_watched(bool watched) { watched_.store(watched, std::memory_order_relaxed); }

 private:
  class Wait;

  void end();
  void read_frames(Worker& worker);
  bool run_deferred(Worker& worker);
  bool read_ahead();
  bool lines_up_later(const IncomingCall& call) const;
  bool line_up(IncomingCall& call);
  void charge_received(std::size_t bytes) const;
  bool lacks_share();
  bool hold();
  void hand_over_chained();
  bool may_read_ahead() const;
  bool has_hung_up() const;
  void lost(int err);
  void end_stream();

  ServerConnection& connection_;
  ServerContext& server_;
  WorkerPool& pool_;
  ReceiveBuffer pending_;        ///< received, not consumed yet
  Fifo<IncomingCall> deferred_;  ///< read before a worker could run them
  Lack lack_{};                  ///< of the message that is being read; no budget: none
  /** The pool's tick at the last check for data; the watch thread reads it as well. */
  std::atomic<std::uint64_t> looked_{0};
  std::atomic<std::uint32_t> heard_{0};
  std::atomic<bool> watched_{true};
  std::atomic<bool> throttled_{false};
  bool has_ended_ = false;  ///< see Party::note_ended()
  std::atomic<bool> is_within_message_{false};
  mutable std::atomic<bool> hung_up_{false};  ///< the client was seen to send nothing more
};

}  // namespace shinar::wire
#endif
