/**
 * A simhandle server: listens, performs handshakes, runs calls on a Host, counts references.
 *
 * The thread that read a request runs it and answers it. A malformed frame closes its own
 * connection and nothing else. Functions may be called from any thread unless said otherwise.
 *
 * Its parts are the classes in server/: acceptors; connections, with their handshake, reader,
 * frames, calls and replies; what these share (ServerContext). This class has the server's life
 * cycle and its periodic chores.
 */
#ifndef SHINAR_CORE_SERVER_HPP
#define SHINAR_CORE_SERVER_HPP

#include <chrono>
#include <memory>
#include <random>
#include <vector>

#include "server/acceptor.hpp"
#include "server/server_context.hpp"

namespace shinar::wire {

class Server final : private WorkerPool::Owner {
 public:
  /** Listens at once; throws Error(bind, unknown_host). The host outlives the server. */
  Server(Host& host, ServerOptions options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  /** Where it listens, with the port that was chosen. */
  const Endpoint& endpoint() const { return acceptors_.front()->endpoint(); }
  const std::vector<std::unique_ptr<Acceptor>>& acceptors() const { return acceptors_; }

  /** Listens on one more address. Before start(). */
  const Endpoint& listen(const Endpoint& endpoint);
  Ledger& ledger() { return context_.ledger; }

  /** Begins to serve. Once. */
  void start();

  /**
   * Takes no more calls except those of chains in work here, waits at most `patience` for these to
   * finish, closes. False if some still run: the server must not be destroyed then.
   */
  bool stop(std::chrono::milliseconds patience);
  /** True if stop() cut off calls that did not finish in time, whether they still run or not. */
  bool has_cut() const { return context_.calls.has_cut(); }

  /**
   * The lease of clients that connect from now on: how long the references of a vanished client
   * live.
   */
  void set_lease(std::uint32_t milliseconds) { context_.lease_ms.store(milliseconds); }

  const ServerCounters& counters() const { return context_.counters; }
  std::size_t connection_count() { return context_.connections.size(); }
  /** Connections with data that no worker has begun to read. */
  std::size_t unread_count();
  int calls_in_work() const { return context_.calls.count(); }

 private:
  using Clock = WorkerPool::Clock;

  void check_who_may_come(const Endpoint& endpoint) const;
  void open_local_doors();
  void add_door(const Endpoint& endpoint);
  void chores(Clock::time_point now) override;
  void scan_all();
  void send_signs_of_life(Clock::time_point now);
  void look_after_throttled(Clock::time_point now);
  void look_after_held();
  void tell_of_long_waits(Clock::time_point now);
  void close_silent(Clock::time_point now);
  void let_rest(Clock::time_point now);
  void drop_kept_memory();

  void say_goodbye_to_all();
  void await_taken(Clock::time_point until);
  void drop_calls();

  std::vector<std::unique_ptr<Acceptor>> acceptors_;  ///< constant once it has started
  std::vector<std::unique_ptr<Acceptor>> doors_;      ///< beside these, for clients of this host
  bool started_ = false;
  Clock::time_point next_chores_{};   ///< watch thread's
  Clock::time_point next_telling_{};  ///< watch thread's
  Clock::time_point next_rest_{};     ///< watch thread's
  Clock::time_point next_ends_{};     ///< watch thread's
  std::uint64_t calls_seen_ = 0;      ///< watch thread's
  int quiet_looks_ = 5;               ///< watch thread's: without a call
  std::minstd_rand first_look_;       ///< watch thread's: see look_after_held()
  ServerContext context_;             ///< last: its threads end before anything else is destroyed
};

}  // namespace shinar::wire
#endif
