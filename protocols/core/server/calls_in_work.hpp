/**
 * Admits and counts the calls of a server; its end waits for those in work.
 *
 * While a server ends it takes only calls of chains that it runs, until these are over or its
 * patience is; after that none. Any thread.
 */
#ifndef SHINAR_CORE_SERVER_CALLS_IN_WORK_HPP
#define SHINAR_CORE_SERVER_CALLS_IN_WORK_HPP

#include <atomic>
#include <chrono>

#include "core/checked_mutex.hpp"
#include "core/incoming_call.hpp"

namespace shinar::wire {

class CallsInWork {
 public:
  /** Counts a call that was read; false if it is not admitted. */
  bool admit(const IncomingCall& call) {
    if (is_ending_) [[unlikely]]
      return admit_late(call);
    count_.fetch_add(1);
    return true;
  }
  /** A call in work is counted once more: somebody else will end it. */
  void one_more() { count_.fetch_add(1); }
  /** That many calls are over and their answers sent. */
  void done(int calls);
  int count() const { return count_.load(std::memory_order_relaxed); }

  /** True if a call admitted before may still begin. */
  bool may_begin(const IncomingCall& call) const {
    return !is_ending_ || (!is_over_ && is_part_of_one(call));
  }

  /** The server begins to end; false if it had begun before. */
  bool begin_end() { return !is_ending_.exchange(true); }
  bool is_ending() const { return is_ending_; }
  /** Waits for calls in work; from then on no call is admitted. */
  void await_all(std::chrono::steady_clock::time_point until);
  bool is_over() const { return is_over_; }
  /** Calls that did not finish in time were cut off. */
  bool has_cut() const { return has_cut_; }

 private:
  bool admit_late(const IncomingCall& call);
  static bool is_part_of_one(const IncomingCall& call);

  std::atomic<int> count_{0};
  std::atomic<bool> is_ending_{false};
  std::atomic<bool> is_over_{false};  ///< becomes so under the lock
  std::atomic<bool> has_cut_{false};
  CheckedMutex<"CallsInWork"> mutex_;
  CheckedCondition none_left_;
};

}  // namespace shinar::wire
#endif
