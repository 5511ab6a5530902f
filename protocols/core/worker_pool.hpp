/**
 * The threads of a server: one waits for sockets, workers serve them, one watches over both.
 *
 * Leader/follower: one worker at a time is the leader and waits in epoll for all idle connections;
 * what is ready is queued, and each queue entry belongs to the worker that takes it (sockets are
 * registered one-shot). A worker that is done takes the next entry, so that under load several
 * connections are served per wake-up. A watch thread, which never runs user code, supervises: work
 * that takes longer than a few ticks releases its connection (Pollable::release), queued work wakes
 * or creates more workers up to the limit, and the owner's chores are run.
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
#include <thread>
#include <vector>

#include "checked_mutex.hpp"
#include "crew.hpp"
#include "encoder.hpp"
#include "frame_reader.hpp"
#include "incoming_call.hpp"
#include "limits.hpp"
#include "server/pollable.hpp"
#include "socket.hpp"

namespace shinar::wire {

class Worker {
 public:
  ReceiveBuffer buffer;                           ///< this worker's receive buffer
  IncomingCall call;                              ///< the last one it read
  Encoder encoder;                                ///< its answers
  std::chrono::steady_clock::time_point ready{};  ///< when what it serves became ready

 private:
  friend class WorkerPool;
  enum class State { idle, executing, releasing, released };
  std::atomic<State> state{State::idle};
  std::atomic<std::uint64_t> since{0};  ///< tick at which the work began
  Pollable* what = nullptr;             ///< valid while executing or releasing
  bool has_ended = false;               ///< under the pool's lock
  std::thread thread;
};

class WorkerPool : private Crew {
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

  WorkerPool(Owner& owner, unsigned most_threads);
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

  /** An entry that waits for a worker. */
  struct Ready {
    Pollable* what;
    Clock::time_point since;
  };
  /**
   * If all workers are busy, takes those ready entries that are `wanted`. The caller must not run
   * user code for them, and must arm or enqueue each.
   */
  template <class Predicate>
  std::vector<Ready> take_over(Predicate wanted) {
    std::vector<Ready> taken;
    const std::lock_guard lock(mutex_);
    if (idle_ > 0 || leader_ || running_ < most_running()) return taken;
    std::erase_if(ready_, [&](const Ready& each) {
      const bool is_taken = wanted(*each.what);
      if (is_taken) taken.push_back(each);
      return is_taken;
    });
    return taken;
  }
  /** Calls action for each entry that waits for a worker, under the lock. */
  template <class Action>
  void for_each_waiting(Action action) {
    const std::lock_guard lock(mutex_);
    for (const Ready& each : ready_) action(*each.what);
  }

  /**
   * True if a worker may stay with one connection and sleep in recv; it is then counted as parked.
   */
  bool park();
  void unpark() { parked_.fetch_sub(1, std::memory_order_relaxed); }
  /** True if a worker is free to serve other connections. */
  bool has_idle_worker() const;

  /** A coarse clock that costs nothing: the rounds of the watch thread, every 2 ms under load. */
  std::uint64_t tick() const { return tick_.load(std::memory_order_relaxed); }

 private:
  using PoolMutex = CheckedMutex<"WorkerPool">;
  static constexpr std::chrono::milliseconds tick_length{2};
  static constexpr std::chrono::milliseconds sleep_length{200};
  static constexpr int ticks_before_sleep = 50;
  static constexpr std::uint64_t patience_ticks = 2;
  static constexpr std::uint64_t crowd_ticks = 25;

  void work(Worker& worker);
  Pollable* next(Worker& worker, bool was_busy);
  void collect(std::unique_lock<PoolMutex>& lock, int timeout_ms);
  void watch();
  void release_long_work();
  bool scale();
  void spawn();
  void reap(std::unique_lock<PoolMutex>& lock);
  void wait_begins() override { waiting_.fetch_add(1, std::memory_order_relaxed); }
  void wait_ends() override { waiting_.fetch_sub(1, std::memory_order_relaxed); }
  void check_capacity() const override {
    if (waiting() >= most_waiting_threads) throw Limits::too_many_waiting();
  }
  unsigned most_errands() const override { return std::max(1u, most_threads_ / 4); }
  /** May exceed the limit slightly, by threads that passed check_capacity() at the same time. */
  unsigned waiting() const { return waiting_.load(std::memory_order_relaxed); }
  unsigned most_running() const { return most_threads_ + waiting(); }

  Owner& owner_;
  const unsigned most_threads_;
  const unsigned cores_;
  Socket epoll_;
  Socket wake_;

  PoolMutex mutex_;  ///< guards the following
  CheckedCondition work_;
  CheckedCondition watch_wake_;
  CheckedCondition ended_;
  std::deque<Ready> ready_;  ///< by ascending time
  std::vector<std::unique_ptr<Worker>> workers_;
  unsigned busy_ = 0;
  unsigned running_ = 0;
  bool stopping_ = false;
  std::thread watch_;

  std::atomic<bool> leader_{false};
  std::atomic<unsigned> idle_{0};
  std::atomic<unsigned> parked_{0};
  std::atomic<unsigned> waiting_{0};
  std::atomic<std::uint64_t> tick_{1};
  std::atomic<std::uint64_t> crowded_until_{0};
  std::atomic<bool> active_{false};
  std::atomic<bool> watch_asleep_{false};
};

}  // namespace shinar::wire
#endif
