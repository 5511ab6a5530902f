/**
 * A simhandle server: listens, shakes hands, runs calls on a Host, books references.
 *
 * The thread that read a request runs it and answers it. A malformed frame closes its own
 * connection and nothing else. Functions may be called from any thread unless said otherwise.
 */
#ifndef SHINAR_CORE_SERVER_HPP
#define SHINAR_CORE_SERVER_HPP

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "checked_mutex.hpp"
#include "host.hpp"
#include "ledger.hpp"
#include "server_connection.hpp"
#include "socket.hpp"
#include "transport.hpp"
#include "worker_pool.hpp"

namespace shinar::wire {

/** Where clients come in. */
struct Door {
  explicit Door(const Endpoint& wanted) : listener(Transport::of(wanted).listen(wanted)) {}

  const std::unique_ptr<Listener> listener;
  std::atomic<bool> exhausted{false};  ///< there is no room for what waits; accepting worker's
  bool paused = false;  ///< watch thread's and accepting worker's, see accept_all; under mutex_
};

struct ServerOptions {
  Endpoint listen{"127.0.0.1", 0};
  Limits limits = Limits::from_environment();
  unsigned threads = 32;  ///< most workers
};

class Server : private WorkerPool::Owner {
  friend struct ServerConnection;

 public:
  /** Listens at once; throws Error(bind, unknown_host). The host outlives the server. */
  Server(Host& host, ServerOptions options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() override;

  /** Where it listens, with the port that was chosen. */
  const Endpoint& endpoint() const { return doors_.front()->listener->endpoint(); }
  const std::vector<std::unique_ptr<Door>>& doors() const { return doors_; }

  /** Listens on one more address. Before start(). */
  const Endpoint& listen(const Endpoint& endpoint);
  Ledger& ledger() { return ledger_; }

  /** Begins to serve. Once. */
  void start();

  /**
   * Takes no more calls but those of chains that are in work here, lets these finish for at most
   * `patience`, closes. Returns false if some still run: the server must not be destroyed then.
   */
  bool stop(std::chrono::milliseconds patience);
  /** True if stop() has cut calls off that did not finish in time, whether they still run or not.
   */
  bool has_cut() const { return has_cut_; }

  /** How long the references of a vanished client live, for clients that connect from now on. */
  void set_lease(std::uint32_t milliseconds) { lease_ms_.store(milliseconds); }

  struct Counters {
    std::atomic<std::uint64_t> accepted{0}, refused{0}, calls{0}, errors{0};
    std::atomic<std::uint64_t> bytes_received{0}, bytes_sent{0};  ///< of calls and their answers
  };
  const Counters& counters() const { return counters_; }
  std::size_t connection_count();
  /** Connections on which something has come that no worker has begun to read. */
  std::size_t unread_count();
  int calls_in_work() const { return in_work_.load(std::memory_order_relaxed); }

 private:
  class Wait;
  using Clock = WorkerPool::Clock;

  // server.cpp: life, accepting, chores
  void serve(void* what, Worker& worker) override;
  void release(void* what) override;
  void chores(Clock::time_point now) override;
  Door* door_of(void* what) const;
  ServerConnection* connection_of(void* what) const;
  void accept_all(Door& door);
  void admit(Listener::Accepted accepted);
  void send_signs_of_life(Clock::time_point now);
  void close_silent(Clock::time_point now);
  std::vector<std::shared_ptr<ServerConnection>> all_connections();
  void await_calls_in_work(Clock::time_point until);
  void say_goodbye_to_all();
  void forget(Ledger::Forgotten gone);

  // server_reading.cpp: handshake and frames of one connection
  void serve_connection(ServerConnection& connection, Worker& worker);
  bool greet(ServerConnection& connection);
  bool finish_greeting(ServerConnection& connection);
  void read_frames(ServerConnection& connection, Worker& worker);
  bool run_deferred(ServerConnection& connection, Worker& worker);
  static bool will_have_room(const ServerConnection& connection);
  bool may_read_ahead(const ServerConnection& connection) const;
  /** True if what the client has sent might concern calls that were read and have not begun: some
   *  of it may have been there for more than a few ms. */
  bool is_stale(const ServerConnection& connection) const {
    constexpr std::uint64_t fresh_ticks = 2;
    return pool_.tick() - connection.looked >= fresh_ticks && may_read_ahead(connection);
  }
  void arm(ServerConnection& connection);
  void let_go(ServerConnection& connection, Clock::time_point since = Clock::now());
  void close(ServerConnection& connection);
  void end_stream(ServerConnection& connection);
  void refuse(ServerConnection& connection, const std::string& why);
  void send_goodbye(ServerConnection& connection, bool is_failure, const std::string& text,
                    Clock::time_point until = {});

  // server_calls.cpp: what frames ask for
  bool handle(ServerConnection& connection, Worker& worker, Clock::time_point& arrived);
  bool handle_small(ServerConnection& connection, Message& message);
  void abandon(ServerConnection& connection, Message& message);
  void cancel(ServerConnection& connection, std::uint64_t id);
  std::optional<IncomingCall> take_waiting(ServerConnection& connection, std::uint64_t id);
  void pass_lane_on(ServerConnection& connection, const IncomingCall& call);
  void introduce(ServerConnection& connection);
  void take_answer(ServerConnection& connection, Message& message, Waiter* self);
  void settle(ServerConnection& connection, Message& message);
  static void drop(IncomingCall& call);
  IncomingCall incoming(ServerConnection& connection, Message& message, Clock::time_point arrived);
  bool accept_call(ServerConnection& connection, Worker& worker, IncomingCall& call);
  static Lanes::Turn line_up(ServerConnection& connection, IncomingCall& call);
  bool defer(ServerConnection& connection, Worker& worker, IncomingCall& call);
  bool execute(ServerConnection& connection, Worker& worker, IncomingCall& call);
  void run_next(std::optional<QueuedCall> next, Worker& worker, ServerConnection* read);
  void run_nested(ServerConnection& connection, Worker* worker, IncomingCall& call);
  enum class Ran { now, later };
  Ran perform(ServerConnection& connection, Worker* worker, IncomingCall& call, Encoder& encoder,
              bool more, std::optional<QueuedCall>& next);
  void call_is_over(ServerConnection& connection, const IncomingCall& call,
                    std::optional<QueuedCall>& next);
  void note_failure(const ServerConnection& connection, const IncomingCall& call,
                    Answer& answer) const;
  void check_waiting(RunningCall& running, std::atomic<std::uint32_t>& waiting) const;
  int most_in_work() const;
  void look_after_waiting();
  void drop_calls();
  void tell_of_long_waits(Clock::time_point now);
  void run(ServerConnection& connection, IncomingCall& call, Answer& answer);
  void run_attach(ServerConnection& connection, Message& message, Answer& answer);
  void run_create(ServerConnection& connection, Message& message, Answer& answer);
  void hand_out(ServerConnection& connection, const Instance& instance, Answer& answer);
  static void put_instance(const Instance& instance, Answer& answer);
  bool count_work(ServerConnection& connection, IncomingCall& call);
  bool admit(const IncomingCall& call);
  static bool is_of_work(const IncomingCall& call);
  void turn_away(ServerConnection& connection, const IncomingCall& call);
  void refuse_call(ServerConnection& connection, const FrameHeader& request, const Error& error);
  void run_in_worker(std::function<void(Worker&)> task);
  void work_done(int calls);
  BackChannel& way_back(ServerConnection& connection);
  bool throttle(ServerConnection& connection);
  void unthrottle(ServerConnection& connection);

  // server_sending.cpp: answers
  void reply(ServerConnection& connection, const FrameHeader& request, Answer& answer,
             bool may_wait, int calls = 1) noexcept;
  void flush(ServerConnection& connection) noexcept;
  Spent send_held_back(ServerConnection& connection) noexcept;
  void answers_sent(ServerConnection& connection);
  static void ask_later(ServerConnection& connection);
  Spent linger(ServerConnection& connection);
  void note_backlog(ServerConnection& connection);
  void poll_for_room(ServerConnection& connection);
  bool arm_room(ServerConnection& connection, int how) const;
  void drop_answers(ServerConnection& connection);
  void give_up(ServerConnection& connection, const std::exception& error);
  bool closes_later(ServerConnection& connection);
  bool is_full(const ServerConnection& connection) const {
    return connection.backlog > options_.limits.unsent_bytes;
  }
  bool stall(std::optional<QueuedCall>& next);
  void serve_room(Worker& worker);
  void send_on(ServerConnection& connection, Worker* worker);
  void press_slow_readers(Clock::time_point now);

  // server_waiting.cpp: calls to clients
  class Glance;
  class Patience;
  enum class Sorted { handled, deferred, closed };
  class Waiting;
  void wait_for_client(ServerConnection& connection, Waiter& waiter, Deadline deadline);
  bool read_for(ServerConnection& connection, Worker& worker, Waiter& waiter, Standby* standby,
                Clock::time_point until);
  Sorted sort(ServerConnection& connection, Message& message, Waiter* self);
  bool read_ahead(ServerConnection& connection);
  void skim_all();
  void skim(ServerConnection& connection, Clock::time_point since);

  Host& host_;
  ServerOptions options_;
  const Id128 id_ = random_id();
  Ledger ledger_;
  std::vector<std::unique_ptr<Door>> doors_;  ///< constant once it has started
  Socket room_;                               ///< an epoll of its own, which the pool's looks at
  Counters counters_;
  std::atomic<std::uint32_t> lease_ms_;
  std::atomic<bool> stopping_{false};  ///< only calls of chains that are in work are taken
  std::atomic<bool> stopped_{false};   ///< nothing is; becomes so under mutex_
  std::atomic<bool> has_cut_{false};

  CheckedMutex<"Server"> mutex_;  ///< guards the following
  std::unordered_map<ServerConnection*, std::shared_ptr<ServerConnection>> connections_;
  /** Whose answers wait for room, which room_ reports. */
  std::unordered_map<ServerConnection*, std::shared_ptr<ServerConnection>> backlogged_;
  Ledger::Forgotten forgotten_;                     ///< to be destroyed by a worker
  std::deque<std::function<void(Worker&)>> tasks_;  ///< for workers
  CheckedCondition drained_;

  std::atomic<int> in_work_{0};
  std::atomic<int> waiting_{0};       ///< threads that wait for clients
  bool accept_paused_ = false;        ///< watch thread's and accepting worker's, see accept_all
  Clock::time_point next_chores_{};   ///< watch thread's
  Clock::time_point next_telling_{};  ///< watch thread's
  bool started_ = false;

  WorkerPool pool_;  ///< last: its threads end before anything else goes
};

}  // namespace shinar::wire
#endif
