/**
 * The threads of a server: one waits for sockets, workers serve them, one watches over both.
 *
 * Leader/follower: one worker at a time is the leader and waits in epoll for all idle connections;
 * what is ready is queued, and each queue entry belongs to the worker that takes it (sockets are
 * registered one-shot). A worker that is done takes the next entry, that of the tenant for which
 * least was done (ReadyQueue), so that under load several connections are served per wake-up. A
 * watch thread, which never runs user code, supervises: work that takes longer than a few ticks
 * releases its connection (Pollable::release) and counts as one of the threads that its tenant has
 * (Resource::threads), queued work wakes or creates more workers up to the limit, and the owner's
 * chores are run.
 *
 * As many workers are at work as there are cores, and those whose calls block; more only if that
 * helps. Strangers are greeted by a thread of their own.
 *
 * Workers that wait for a peer (see Crew) do not count towards the limit: others take their place
 * meanwhile, so that a peer that does not answer cannot block the rest.
 */
#ifndef SHINAR_CORE_WORKER_POOL_HPP
#define SHINAR_CORE_WORKER_POOL_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "checked_mutex.hpp"
#include "crew.hpp"
#include "encoder.hpp"
#include "frame_reader.hpp"
#include "incoming_call.hpp"
#include "limits.hpp"
#include "ready_queue.hpp"
#include "server/pollable.hpp"
#include "socket.hpp"
#include "tenant.hpp"
#include "thread_demand.hpp"

namespace shinar::wire {

class WorkerPool;

/** An epoll. Throws Error(bind). */
Socket epoll_of_server();

class Worker final : private Crew {
 public:
  explicit Worker(WorkerPool& pool) : pool_(pool) {}

  ReceiveBuffer buffer;                           ///< this worker's receive buffer
  IncomingCall call;                              ///< the last one it read
  Encoder encoder;                                ///< its answers
  Tenant* tenant = nullptr;                       ///< whose calls it runs; NULL: nobody's
  std::chrono::steady_clock::time_point ready{};  ///< when what it serves became ready

 private:
  friend class WorkerPool;
  /** Of the tenant whose call it runs. */
  static constexpr unsigned takes_long = 1, waits = 2;

  void wait_begins() override;
  void wait_ends() override;
  void check_capacity() const override;
  unsigned most_errands() const override;
  void add_mark(unsigned mark);
  void take_mark(unsigned mark);

  enum class State { idle, executing, releasing, released };
  std::atomic<State> state{State::idle};
  std::atomic<std::uint64_t> since{0};  ///< tick at which the work began
  Pollable* what = nullptr;             ///< valid while executing or releasing
  std::atomic<unsigned> marks{0};  ///< the tenant has the thread if it takes long and does not wait
  ReadyQueue* queue = nullptr;     ///< from which it took what it serves; under the pool's lock
  std::shared_ptr<ReadyLine> line;                ///< of what it serves; under the pool's lock
  std::chrono::steady_clock::time_point taken{};  ///< when it began to serve; likewise
  bool has_ended = false;                         ///< likewise
  ThreadDemand demand;                            ///< of a call that takes long; watch thread's
  std::atomic<pid_t> id{0};
  std::thread thread;
  WorkerPool& pool_;
};

class WorkerPool {
 public:
  using Clock = std::chrono::steady_clock;

  /** What a pool works for. */
  class Owner {
   public:
    /** Called by the watch thread at least every 200 ms, often when there is work. */
    virtual void chores(Clock::time_point now) = 0;

   protected:
    ~Owner() = default;
  };

  /** `spare_threads`: see ServerOptions. */
  WorkerPool(Owner& owner, unsigned most_threads, std::optional<unsigned> spare_threads);
  ~WorkerPool();

  void start();
  /** Ends the threads without interrupting what they run. Waits at most `patience`. */
  bool stop(std::chrono::milliseconds patience);

  /** Registers and arms a socket. */
  void add(int fd, Pollable& what);
  /**
   * Reports `what` once, as soon as the socket is readable. The caller must not touch it any more.
   */
  void arm(int fd, Pollable& what);
  void remove(int fd);
  /** Queues `what` as if epoll had reported it at that time: ahead of what became ready later. */
  void enqueue(Pollable& what, Clock::time_point since = Clock::now());

  /** Begins work that may run long in user code. */
  void begin(Worker& worker, Pollable& what);
  /** Ends it; false if `what` was released meanwhile and no longer belongs to this worker. */
  bool end(Worker& worker);
  /** Continues the work after an end() that returned `ours`. */
  void resume(Worker& worker, Pollable& what, bool ours);

  /** The worker takes the tenant's thread for a task, which may take long. */
  static void begin_task(Worker& worker, Tenant& tenant);
  static void end_task(Worker& worker);

  /**
   * Takes those ready entries that are `wanted` of those that no worker will take soon, as all are
   * busy, or those that its tenant may have. The caller must not run
   * user code for them, and must arm or enqueue each.
   */
  template <class Predicate>
  std::vector<Ready> take_over(Predicate wanted) {
    std::vector<Ready> taken;
    const std::lock_guard lock(mutex_);
    const bool all_busy = idle_ == 0 && !leader_ && running_ >= most_running();
    ready_.remove_if([&](const ReadyLine& line, const Ready& each) {
      const bool is_taken = (all_busy || !has_share(line)) && wanted(*each.what);
      if (is_taken) taken.push_back(each);
      return is_taken;
    });
    return taken;
  }
  /** Calls action for each entry that waits for a worker, under the lock. */
  template <class Action>
  void for_each_waiting(Action action) {
    const std::lock_guard lock(mutex_);
    ready_.for_each([&](const Ready& each) { action(*each.what); });
  }

  /**
   * True if a worker may stay with one connection and sleep in recv; it is then counted as parked.
   */
  bool park();
  void unpark() { parked_.fetch_sub(1, std::memory_order_relaxed); }
  /** True if a worker is free to serve other connections. */
  bool has_idle_worker() const;
  /** True if somebody waits for a worker, or may do so unseen. */
  bool is_wanted() const { return waits_.load(std::memory_order_relaxed) || !has_idle_worker(); }

  /** Something waits for time to pass. Watch thread. */
  void stay_awake() { active_.store(true, std::memory_order_relaxed); }
  /** Some calls take long: only then a tenant may be short of threads. */
  bool has_long_calls() const { return long_.load(std::memory_order_relaxed) != 0; }
  /** True if the tenant has as many threads for calls that take long as it may at the moment. */
  bool is_short_of_threads(const Tenant& tenant) const;
  /** The same for threads that wait for peers. */
  bool is_short_of_waiting(const Tenant& tenant) const;

  /** A coarse clock that costs nothing: the rounds of the watch thread, every 2 ms under load. */
  std::uint64_t tick() const { return tick_.load(std::memory_order_relaxed); }

 private:
  friend class Worker;
  using PoolMutex = CheckedMutex<"WorkerPool">;
  static constexpr std::chrono::milliseconds tick_length{2};
  static constexpr std::chrono::milliseconds sleep_length{200};
  static constexpr int ticks_before_sleep = 50;
  static constexpr std::uint64_t patience_ticks = 2;
  static constexpr std::uint64_t crowd_ticks = 25;

  void work(Worker& worker);
  Pollable* next(Worker& worker, bool was_busy);
  void look_for_others(std::unique_lock<PoolMutex>& lock);
  void collect(std::unique_lock<PoolMutex>& lock, int timeout_ms);
  void greet();
  void watch();
  void release_long_work();
  void look_at_long_work(const std::vector<Worker*>& workers);
  ReadyLine* next_line() const;
  bool has_share(const ReadyLine& line) const;
  bool has_unserved_line() const;
  void rest(std::unique_lock<PoolMutex>& lock);
  void lead(std::unique_lock<PoolMutex>& lock, int timeout_ms);
  bool scale();
  bool is_contended();
  void spawn();
  void reap(std::unique_lock<PoolMutex>& lock);
  void note_long(Tenant& tenant);
  void note_over(Tenant& tenant);
  /** May exceed the limit slightly, by threads that passed check_capacity() at the same time. */
  unsigned waiting() const { return waiting_.load(std::memory_order_relaxed); }
  Pollable* begin_serving(Worker& worker, ReadyQueue& queue, ReadyLine& line);
  void is_done(Worker& worker);
  static std::chrono::nanoseconds work_of(Clock::time_point begin);
  unsigned most_busy() const {
    return cores_ + waiting() + blocked_.load(std::memory_order_relaxed) +
           parked_.load(std::memory_order_relaxed) + extra_;
  }
  unsigned most_running() const { return all_threads() + waiting(); }
  unsigned all_threads() const { return most_threads_ + spare_threads_; }
  void add_ready(Pollable& what, Clock::time_point since);

  Owner& owner_;
  const unsigned most_threads_;
  const unsigned spare_threads_;
  const unsigned cores_;
  Socket epoll_;
  Socket wake_;

  PoolMutex mutex_;  ///< guards the following
  CheckedCondition work_;
  CheckedCondition watch_wake_;
  CheckedCondition ended_;
  ReadyQueue ready_;
  ReadyQueue greetings_;  ///< for the greeter, in one line
  const std::shared_ptr<ReadyLine> strangers_ = std::make_shared<ReadyLine>();
  const std::shared_ptr<ReadyLine> common_ = std::make_shared<ReadyLine>();  ///< of what has none
  Clock::time_point collected_{};
  std::vector<std::unique_ptr<Worker>> workers_;
  unsigned busy_ = 0;
  unsigned running_ = 0;
  unsigned extra_ = 0;                ///< more than the cores can run, for calls that block
  bool is_scouting_ = false;          ///< one of those who rest
  std::chrono::microseconds nap_{0};  ///< of the one of those who rest that looks who is ready
  long preempted_ = 0;                ///< as often its threads have been
  bool stopping_ = false;
  std::thread watch_;
  std::thread greeter_;
  CheckedCondition greet_;

  std::atomic<bool> leader_{false};
  std::atomic<unsigned> idle_{0};
  std::atomic<unsigned> parked_{0};
  std::atomic<unsigned> waiting_{0};
  std::atomic<unsigned> blocked_{0};  ///< those of them that do not compute, lately
  std::atomic<unsigned> long_{0};     ///< threads that run calls which take long, and do not wait
  std::atomic<bool> waits_{false};    ///< something is ready
  std::atomic<std::uint64_t> tick_{1};
  std::atomic<std::uint64_t> crowded_until_{0};
  std::atomic<bool> active_{false};
  std::atomic<bool> watch_asleep_{false};
};

}  // namespace shinar::wire
#endif
