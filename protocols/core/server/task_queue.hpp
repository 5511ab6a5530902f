/**
 * Work for a server's workers besides its connections: tasks, and the destruction of unreferenced
 * objects. Any thread may add to both.
 */
#ifndef SHINAR_CORE_SERVER_TASK_QUEUE_HPP
#define SHINAR_CORE_SERVER_TASK_QUEUE_HPP

#include <deque>
#include <functional>
#include <utility>

#include "core/checked_mutex.hpp"
#include "core/host.hpp"
#include "core/server/pollable.hpp"

namespace shinar::wire {

class WorkerPool;

/** Tasks that may run users' code or wait for a peer. */
class TaskQueue final : public Pollable {
 public:
  using Task = std::function<void(Worker&)>;

  explicit TaskQueue(WorkerPool& pool) : pool_(pool) {}

  void add(Task task);
  void serve(Worker& worker) override;
  /** Drops all tasks at the end; destroying one may add another. */
  void clear() {
    while (!tasks_.empty()) std::exchange(tasks_, {});
  }

 private:
  WorkerPool& pool_;
  CheckedMutex<"TaskQueue"> mutex_;
  std::deque<Task> tasks_;
};

/** Objects whose destruction may run users' destructors. */
class Disposal final : public Pollable {
 public:
  explicit Disposal(WorkerPool& pool) : pool_(pool) {}

  void add(Ended things);
  void serve(Worker& worker) override;

 private:
  WorkerPool& pool_;
  CheckedMutex<"Disposal"> mutex_;
  Ended things_;
};

}  // namespace shinar::wire
#endif
