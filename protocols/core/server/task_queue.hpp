/**
 * What the workers of a server do beside serving its connections: tasks, and the end of what nobody
 * refers to any more. Any thread may add to both.
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

/** Tasks that may run code of users, or wait for a peer. */
class TaskQueue final : public Pollable {
 public:
  using Task = std::function<void(Worker&)>;

  explicit TaskQueue(WorkerPool& pool) : pool_(pool) {}

  void add(Task task);
  void serve(Worker& worker) override;
  /** Nobody is left to run them. Each may make room for another. */
  void clear() {
    while (!tasks_.empty()) std::exchange(tasks_, {});
  }

 private:
  WorkerPool& pool_;
  CheckedMutex<"TaskQueue"> mutex_;
  std::deque<Task> tasks_;
};

/** Things whose end may run destructors of users. */
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
