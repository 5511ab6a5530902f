/**
 * Work for a server's workers besides its connections: tasks, and the destruction of unreferenced
 * objects. Any thread may add to both.
 */
#ifndef SHINAR_CORE_SERVER_TASK_QUEUE_HPP
#define SHINAR_CORE_SERVER_TASK_QUEUE_HPP

#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "core/checked_mutex.hpp"
#include "core/host.hpp"
#include "core/server/pollable.hpp"

namespace shinar::wire {

class Tenant;
class WorkerPool;

/** Tasks that may run users' code or wait for a peer. */
class TaskQueue {
 public:
  using Task = std::function<void(Worker&)>;

  explicit TaskQueue(WorkerPool& pool) : pool_(pool) {}

  /** `tenant`: whose thread it takes, and in whose line it waits for one; NULL: nobody's. */
  void add(Task task, const std::shared_ptr<Tenant>& tenant = nullptr);
  /** Drops all tasks at the end; destroying one may add another. */
  void clear() {
    while (!waiting_.empty()) std::exchange(waiting_, {});
  }

 private:
  class Waiting;

  void serve(Waiting& waiting, Worker& worker);

  WorkerPool& pool_;
  CheckedMutex<"TaskQueue"> mutex_;
  std::map<Waiting*, std::shared_ptr<Waiting>> waiting_;
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
