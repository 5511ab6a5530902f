#include "core/server/task_queue.hpp"

#include <mutex>

#include "core/tenant.hpp"
#include "core/thread_end.hpp"
#include "core/worker_pool.hpp"

namespace shinar::wire {

class TaskQueue::Waiting final : public Pollable {
 public:
  Waiting(TaskQueue& its_queue, Task its_task, std::shared_ptr<Tenant> whose)
      : queue(its_queue), task(std::move(its_task)), of(std::move(whose)) {}

  void serve(Worker& worker) override { queue.serve(*this, worker); }
  std::shared_ptr<ReadyLine> line() override { return of == nullptr ? nullptr : of->line; }

  TaskQueue& queue;
  const Task task;
  const std::shared_ptr<Tenant> of;
};

void TaskQueue::add(Task task, const std::shared_ptr<Tenant>& tenant) {
  const auto added = std::make_shared<Waiting>(*this, std::move(task), tenant);
  {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(added.get(), added);
  }
  pool_.enqueue(*added);
}

void TaskQueue::serve(Waiting& waiting, Worker& worker) {
  std::shared_ptr<Waiting> keep;
  {
    const std::lock_guard lock(mutex_);
    const auto at = waiting_.find(&waiting);
    keep = std::move(at->second);
    waiting_.erase(at);
  }
  if (keep->of == nullptr) {
    keep->task(worker);
    return;
  }
  pool_.begin_task(worker, *keep->of);
  const auto end = [&] { pool_.end_task(worker); };
  if_thread_ends(end, [&] { keep->task(worker); });
  end();
}

void Disposal::add(Ended things) {
  if (things.empty()) return;
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    is_first = things_.empty();
    things_.add(std::move(things));
  }
  if (is_first) pool_.enqueue(*this);
}

void Disposal::serve(Worker& /*worker*/) {
  Ended things;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  things = std::move(things_);
}

}  // namespace shinar::wire
