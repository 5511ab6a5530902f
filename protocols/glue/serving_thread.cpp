#include "glue/serving_thread.hpp"

#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <utility>

#include "core/thread_end.hpp"

namespace shinar::wire {

struct ServingThread::State {
  std::mutex mutex;
  std::condition_variable over;
  bool is_over = false;

  void wait() {
    std::unique_lock lock(mutex);
    over.wait(lock, [this] { return is_over; });
  }
};

std::int64_t ServingThread::start() {
  if (state_ != nullptr) return id_;
  auto state = std::make_shared<State>();
  auto keep = std::make_unique<std::shared_ptr<State>>(state);
  const auto wait = [](void* shared) -> void* {
    const std::unique_ptr<std::shared_ptr<State>> own(static_cast<std::shared_ptr<State>*>(shared));
    (*own)->wait();
    return nullptr;
  };
  pthread_t thread{};
  {
    const WithoutSignals meanwhile;
    if (pthread_create(&thread, nullptr, wait, keep.get()) != 0) return 0;
  }
  static_cast<void>(keep.release());
  state_ = std::move(state);
  id_ = static_cast<std::int64_t>(thread);
  return id_;
}

void ServingThread::end() noexcept {
  const std::shared_ptr<State> state = std::exchange(state_, nullptr);
  if (state == nullptr) return;
  const std::lock_guard lock(state->mutex);
  state->is_over = true;
  state->over.notify_all();
}

}  // namespace shinar::wire
