#include "core/server/calls_in_work.hpp"

#include <mutex>

#include "core/chain.hpp"

namespace shinar::wire {

/** True if a call that this process runs may depend on this one. */
bool CallsInWork::is_part_of_one(const IncomingCall& call) {
  return is_nested(call) || (is_within_chain(call) && Chains::of_process().is_in_work(*call.chain));
}

/** While the server ends. */
bool CallsInWork::admit_late(const IncomingCall& call) {
  if (!is_part_of_one(call)) return false;
  const std::lock_guard lock(mutex_);
  if (is_over_) return false;
  count_.fetch_add(1);
  return true;
}

void CallsInWork::done(int calls) {
  if (count_.fetch_sub(calls) == calls && is_ending_) {
    const std::lock_guard lock(mutex_);
    none_left_.notify_all();
  }
}

void CallsInWork::await_all(std::chrono::steady_clock::time_point until) {
  std::unique_lock lock(mutex_);
  none_left_.wait_until(lock, until, [this] { return count_.load() == 0; });
  is_over_ = true;
  has_cut_ = count_.load() != 0;
}

}  // namespace shinar::wire
