/**
 * A call that a thread runs for a client whose quota says how many may run at a time. While the
 * thread waits for other calls it is not one of them: they might wait for the quota.
 */
#ifndef SHINAR_CORE_COUNTED_WORK_HPP
#define SHINAR_CORE_COUNTED_WORK_HPP

#include <utility>

#include "party.hpp"
#include "running_call.hpp"

namespace shinar::wire {

/** Counts a call among those in work of its party; others of that may follow. On its stack. */
class CountedWork {
 public:
  explicit CountedWork(Party& party)
      : party_(party), work_of_thread_(CallsOfThread::here().work), outer_(work_of_thread_) {
    work_of_thread_ = this;
    party_.begin_call();
    party_.charge_call();
    let_one_follow();
  }
  CountedWork(const CountedWork&) = delete;
  CountedWork& operator=(const CountedWork&) = delete;
  ~CountedWork() {
    pause();
    work_of_thread_ = outer_;
  }

  void pause() {
    party_.end_call();
    let_one_follow();
  }
  void resume() { party_.begin_call(); }

 private:
  void let_one_follow() {
    if (party_.holds_any() && party_.may_begin()) party_.let_one_go_on();
  }

  Party& party_;
  CountedWork*& work_of_thread_;
  CountedWork* const outer_;
};

/**
 * This thread waits for other calls, as long as it lives. Waits within it change nothing; what the
 * thread runs meanwhile is counted, and may wait as well. On its stack.
 */
class WaitForCalls {
 public:
  WaitForCalls() : work_(std::exchange(CallsOfThread::here().work, nullptr)) {
    if (work_ != nullptr) work_->pause();
  }
  WaitForCalls(const WaitForCalls&) = delete;
  WaitForCalls& operator=(const WaitForCalls&) = delete;
  ~WaitForCalls() {
    if (work_ == nullptr) return;
    work_->resume();
    CallsOfThread::here().work = work_;
  }

 private:
  CountedWork* const work_;  ///< NULL: the thread runs no call that is counted
};

}  // namespace shinar::wire
#endif
