/**
 * What the threads of a server serve: a connection, a listening address, a queue.
 *
 * Becomes ready by its descriptor or WorkerPool::enqueue, and then belongs to the worker that takes
 * it until it is armed or enqueued again.
 */
#ifndef SHINAR_CORE_SERVER_POLLABLE_HPP
#define SHINAR_CORE_SERVER_POLLABLE_HPP

#include <chrono>
#include <memory>

namespace shinar::wire {

class ReadyLine;
class Tenant;
class Worker;

class Pollable {
 public:
  using Clock = std::chrono::steady_clock;

  /** It is ready and belongs to this worker. */
  virtual void serve(Worker& worker) = 0;
  /** The worker's task takes long: from now on another worker may serve it. Watch thread. */
  virtual void release() {}

  /**
   * All workers are busy: true if scan() may find something to do without users' code. `looks`:
   * attempts left that may find nothing. Watch thread, under the lock of the pool.
   */
  virtual bool wants_scan(int& /*looks*/) const { return false; }
  /** Does it. Belongs to the watch thread now; `since`: when it became ready. */
  virtual void scan(Clock::time_point /*since*/) {}

  /** In which line it waits for a worker; NULL: in that of the server itself. Any thread. */
  virtual std::shared_ptr<ReadyLine> line() { return nullptr; }
  /** Whose threads are those that run its calls; NULL: nobody's. Any thread. */
  virtual Tenant* tenant() { return nullptr; }

  /** True for a connection that shakes hands, without waiting for others. Any thread. */
  virtual bool is_greeting() const { return false; }

  /** It is ready and waits for a worker. Under the lock of the pool. */
  virtual void is_kept_waiting() {}
  /** True for a connection. */
  virtual bool is_connection() const { return false; }

 protected:
  ~Pollable() = default;
};

}  // namespace shinar::wire
#endif
