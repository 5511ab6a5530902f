/**
 * Answers to one client, which may be slow to take them.
 *
 * The worker that ran a call sends its answer, straight from the arrays. It waits for the client
 * only while that takes data fast and another worker is free to serve others. The rest is the
 * channel's backlog, sent when the write poll reports capacity. While the backlog is above its
 * limit the connection is not read and its caller strands are stalled, so a client that does not
 * read costs memory up to the limit, plus answers of its running calls, but no thread. That also
 * holds while a thread here waits for the client's answer to a call: the client has to take its
 * backlog before it is read. Calls to the client are queued the same way, but above the limit their
 * threads wait, as for a peer.
 *
 * Guarded by the connection's write lock, which functions take unless they say otherwise.
 */
#ifndef SHINAR_CORE_SERVER_REPLY_QUEUE_HPP
#define SHINAR_CORE_SERVER_REPLY_QUEUE_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "core/chain.hpp"
#include "core/host.hpp"
#include "core/link.hpp"
#include "core/memory.hpp"

namespace shinar::wire {

class ServerConnection;
struct ServerContext;
class Worker;

class ReplyQueue {
 public:
  using Clock = std::chrono::steady_clock;

  ReplyQueue(ServerConnection& connection, ServerContext& server)
      : connection_(connection), server_(server) {}

  /**
   * Answers a call. If `may_wait`, the reader has received another call, and the answer may be held
   * back to be sent with the next one's: for many threads of a client this saves most system calls
   * at both ends. The reader must flush() before it waits, and so must the thread that takes over
   * reading if the next call takes long. `calls`: how many calls in work it answers, 0 or 1.
   */
  void reply(const FrameHeader& request, Answer& answer, bool may_wait, int calls = 1) noexcept;
  /** Sends the answers held back for batching. */
  void flush() noexcept;
  /** True if answers are held back. Any thread, without the lock, as are the following. */
  bool holds_back_answers() const { return unsent_calls_ != 0; }
  /** The client has not taken all its answers. */
  bool has_backlog() const { return backlog_ != 0; }
  /** The backlog is above its limit. */
  bool is_full() const;

  /** Keeps a call until the backlog is below the limit; false if it is. */
  bool stall(QueuedCall& call);
  /** Drops stalled calls: no thread is left to run them. Without the lock. */
  void drop_stalled() { stalled_.clear(); }

  /**
   * Sends what the client takes now. With a `worker`, resumes what waited for that; NULL: leaves
   * that to a worker.
   */
  void send_on(Worker* worker);
  /**
   * The same at intervals; gives up a client that takes nothing for keepalive_misses intervals.
   * Watch thread.
   */
  void send_periodically(Clock::time_point now);

  /**
   * True if a client that has finished sending has a backlog: send_on() closes when that is gone.
   */
  bool closes_later();
  /** Drops all answers: they will not be read. */
  void drop();

  /**
   * For calls to the client: waits until the backlog is below the limit. Throws Error. Without the
   * lock.
   */
  void await_capacity(Deadline deadline);
  /**
   * Appends a frame to the answers. Under the lock; the caller destroys `spent` after releasing it.
   */
  void put_in_line(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
                   Spent& spent);
  /** Queues the question how far the client has read behind its backlog. Under the lock. */
  void ask_behind_backlog();

 private:
  void ask_later();
  Spent send_held_back() noexcept;
  void answers_sent();
  Spent keep_sending();
  void note_backlog();
  void poll_for_capacity();
  void drop_locked();
  void give_up(const std::exception& error);

  ServerConnection& connection_;
  ServerContext& server_;
  Buffer unsent_;                     ///< answers held back for batching
  std::atomic<int> unsent_calls_{0};  ///< how many; still in the server's count of calls in work

  // While the channel has a backlog `unsent_` is empty.
  int backlog_calls_ = 0;                  ///< as unsent_calls_
  Clock::time_point progress_{};           ///< when the client last took data
  bool is_given_up_ = false;               ///< the connection was given up
  bool is_polled_ = false;                 ///< registered with the server's WritePoll
  bool closes_ = false;                    ///< close when the backlog is gone
  std::vector<QueuedCall> stalled_;        ///< calls kept until the backlog is below the limit
  std::atomic<std::uint64_t> backlog_{0};  ///< bytes of the channel's, for other threads
  Clock::time_point last_attempt_{};       ///< watch thread's
};

}  // namespace shinar::wire
#endif
