#include "core/server/task_queue.hpp"

#include <mutex>

#include "core/worker_pool.hpp"

namespace shinar::wire {

void TaskQueue::add(Task task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  pool_.enqueue(*this);
}

void TaskQueue::serve(Worker& worker) {
  Task task;
  {
    const std::lock_guard lock(mutex_);
    task = std::move(tasks_.front());
    tasks_.pop_front();
  }
  task(worker);
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
