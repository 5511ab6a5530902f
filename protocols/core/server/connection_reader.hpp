/**
 * Who reads a connection of a server, and when.
 *
 * One thread at a time does: the worker that serves it, which also runs the calls it reads; a
 * worker that waits for the client in the course of a call that it read here (ClientWait); or the
 * watch thread when all workers are at work, which leaves calls to them. Between two of them the
 * connection is armed (somebody waits for its bytes) or in the pool's queue, unless it is
 * throttled: then whoever ends one of its calls, or finds room for answers, lets it go on.
 *
 * Functions belong to whoever reads unless they say otherwise.
 */
#ifndef SHINAR_CORE_SERVER_CONNECTION_READER_HPP
#define SHINAR_CORE_SERVER_CONNECTION_READER_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "core/frame_reader.hpp"
#include "core/incoming_call.hpp"
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

  /** Something has come: reads it, and runs it. */
  void serve(Worker& worker);
  /** Reads what runs no code of users. `since`: when it was ready, for it keeps its place. */
  void scan(Clock::time_point since);
  /** That may find something; `looks` that may be in vain are left. Nobody reads. */
  bool wants_scan(int& looks) const;
  /** The call that the reading worker runs takes long: somebody else shall read. Watch thread. */
  void release();

  /** Waits for more, or has somebody read what the channel holds. The caller reads no more, as with
   *  the following. */
  void arm();
  /** Gives the connection to whoever reads it next, at once if there is something to do. */
  void let_go(Clock::time_point since = Clock::now());
  /** The reader's last act. Calls in work finish; their answers go nowhere. */
  void close();
  /** The same, when the client has been told something that it shall be able to read. */
  void close_after_last_words();
  /** The peer broke the protocol or passed a limit: says so, closes. */
  void refuse(const std::string& why);

  /**
   * True if too many answers wait for the client to take them, or too many of its calls are in
   * work: it is not read until some have left, or ended. Calls that are in work may wait for
   * answers of the client, and those for calls of its own: then it must be read.
   */
  bool throttle();
  /** If it is throttled, lets it go on. Any thread. */
  void unthrottle();
  bool is_throttled() const { return throttled_; }

  /** What follows the frames that were used, for the next reader. */
  void keep(ReceiveBuffer& buffer) {
    if (!buffer.empty()) pending_ = std::move(buffer);
  }
  /** The same, for this one. */
  void go_on_with(ReceiveBuffer& buffer) {
    if (!pending_.empty()) buffer = std::move(pending_);
  }

  /** Calls that were read before anybody could run them wait. */
  bool has_deferred() const { return !deferred_.empty(); }
  /** Leaves a call for later, as something else may have come behind what `buffer` has, and reads
   *  that. False if the connection was closed. */
  bool defer(IncomingCall& call, ReceiveBuffer& buffer);
  /** Takes out a call that was deferred. */
  std::optional<IncomingCall> take_deferred(std::uint64_t id);
  /** True if what the client has sent might concern calls that were read and have not begun: some
   *  of it may have been there for more than a few ms. */
  bool is_stale() const {
    constexpr std::uint64_t fresh_ticks = 2;
    return pool_.tick() - looked_ >= fresh_ticks && may_read_ahead();
  }

  enum class Sorted { handled, deferred, closed };
  /**
   * What a frame asks for is done, unless it is to run user code that nobody waits for here.
   * `self`: who reads in order to wait; NULL: who must not run user code.
   */
  Sorted sort(Message& message, Waiter* self);

  /**
   * Calls of the connection are in work, and will give memory back when they end: none of them
   * waits for the client, or for anybody else who may wait for what has not been read.
   */
  bool will_have_capacity() const;
  /** Something came from the client, of whom threads that wait want to know whether it lives. */
  void note_sign_of_life() { heard_.fetch_add(1, std::memory_order_relaxed); }
  /** Goes up whenever something came. Any thread. */
  std::uint32_t heard() const { return heard_.load(std::memory_order_relaxed); }

  /** Somebody waits for its bytes, epoll or a worker. Any thread. */
  bool is_watched() const { return watched_; }
  void set_watched(bool watched) { watched_.store(watched, std::memory_order_relaxed); }

 private:
  class Wait;

  void read_frames(Worker& worker);
  bool run_deferred(Worker& worker);
  bool read_ahead();
  bool may_read_ahead() const;
  void lost(int err);
  void end_stream();

  ServerConnection& connection_;
  ServerContext& server_;
  WorkerPool& pool_;
  ReceiveBuffer pending_;              ///< received, not used yet
  std::deque<IncomingCall> deferred_;  ///< read before anybody could run them
  std::uint64_t looked_ = 0;  ///< the pool's tick when somebody last looked whether more has come
  std::atomic<std::uint32_t> heard_{0};
  std::atomic<bool> watched_{true};
  std::atomic<bool> throttled_{false};
};

}  // namespace shinar::wire
#endif
