/**
 * What the threads of a server serve: a connection, an address on which it listens, a queue.
 *
 * It becomes ready by its descriptor or by WorkerPool::enqueue, and belongs then to the worker that
 * takes it, until it is armed or enqueued again.
 */
#ifndef SHINAR_CORE_SERVER_POLLABLE_HPP
#define SHINAR_CORE_SERVER_POLLABLE_HPP

#include <chrono>

namespace shinar::wire {

class Worker;

class Pollable {
 public:
  using Clock = std::chrono::steady_clock;

  /** It is ready, and this worker's. */
  virtual void serve(Worker& worker) = 0;
  /** The worker's task takes long: from now on somebody else may serve it. Watch thread. */
  virtual void release() {}

  /**
   * All workers are at work: true if there is something to be done here without code of users.
   * `looks` is how many such looks may be in vain. Watch thread, under the lock of the pool.
   */
  virtual bool wants_scan(int& /*looks*/) const { return false; }
  /** Does it. It is the watch thread's now, and was ready since then. */
  virtual void scan(Clock::time_point /*since*/) {}

  /** It has to wait for a worker. Under the lock of the pool. */
  virtual void is_kept_waiting() {}
  /** True for a connection, on which something has come. */
  virtual bool is_connection() const { return false; }

 protected:
  ~Pollable() = default;
};

}  // namespace shinar::wire
#endif
