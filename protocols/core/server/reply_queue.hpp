/**
 * Answers on their way to one client, which may take its time.
 *
 * An answer is sent by the worker that ran the call, from where its arrays are. A worker waits for
 * a client only while that takes much and somebody else is free to serve the others. What is left
 * then is the channel's backlog, which is sent on when there is room: WritePoll says so. While the
 * backlog is more than the limit the connection is not read and its caller strands stand still, so
 * that a client that reads nothing costs the limit, and the answers to its calls that are running,
 * but no thread. That holds, too, while a thread here waits for the client to answer a call: it has
 * to take what was sent before it is heard. Calls to the client go the same way, but those that
 * would be too much wait, as threads that wait for a peer.
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
   * Answers a call. If `may_wait`, the connection's reader has another call at hand, and the answer
   * may be sent together with that one's: for many threads of a client this saves most system calls
   * of both ends. The reader sends what waits before it waits itself (flush), and so does whoever
   * takes over from it if the next call takes long. `calls`: how many in work it answers, 0 or 1.
   */
  void reply(const FrameHeader& request, Answer& answer, bool may_wait, int calls = 1) noexcept;
  /** Sends the answers that wait for company. */
  void flush() noexcept;
  /** Some do. Any thread, without the lock, as the following. */
  bool has_company() const { return unsent_calls_ != 0; }
  /** The client has not taken all that it was sent. */
  bool has_backlog() const { return backlog_ != 0; }
  /** The client has to take so much first that nothing more is done for it. */
  bool is_full() const;

  /** Keeps a call until there is room; false: there is. */
  bool stall(QueuedCall& call);
  /** Those that were kept will not be run: no thread is left. Without the lock. */
  void drop_stalled() { stalled_.clear(); }

  /**
   * Sends what the client takes now. `worker` goes on with what waited for that; NULL: this thread
   * may not, and leaves it to a worker.
   */
  void send_on(Worker* worker);
  /** The same, if nobody has for a while; gives up a client that takes nothing for
   *  keepalive_misses intervals. Watch thread. */
  void press(Clock::time_point now);

  /** True if the client, which sends nothing more, has not taken all: then send_on() closes. */
  bool closes_later();
  /** Nobody will read them. */
  void drop();

  /** For calls to the client: waits until one more is not too much. Throws Error. No lock. */
  void await_capacity(Deadline deadline);
  /** Puts a frame behind the answers. Under the lock, without which `spent` is dropped. */
  void put_in_line(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
                   Spent& spent);
  /** Asks how far the client has read, behind what it has to take first. Under the lock. */
  void ask_behind_backlog();

 private:
  void ask_later();
  Spent send_held_back() noexcept;
  void answers_sent();
  Spent linger();
  void note_backlog();
  void poll_for_room();
  void drop_locked();
  void give_up(const std::exception& error);

  ServerConnection& connection_;
  ServerContext& server_;
  Buffer unsent_;                     ///< answers to calls that came together
  std::atomic<int> unsent_calls_{0};  ///< how many; still in the server's count of calls in work

  // While the channel has a backlog `unsent_` is empty.
  int backlog_calls_ = 0;                  ///< as unsent_calls_
  Clock::time_point progress_{};           ///< when the client last took something
  bool is_given_up_ = false;               ///< it takes nothing more
  bool is_polled_ = false;                 ///< known to the server's WritePoll
  bool closes_ = false;                    ///< when there is no backlog
  std::vector<QueuedCall> stalled_;        ///< calls that go on when there is room
  std::atomic<std::uint64_t> backlog_{0};  ///< bytes of the channel's, for other threads
  Clock::time_point pressed_{};            ///< watch thread's
};

}  // namespace shinar::wire
#endif
