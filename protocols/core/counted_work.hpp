/**
 * A call that a thread runs for a client whose quota says how many may run at a time. While the
 * thread waits for other calls it is not one of them: they might wait for the quota.
 */
#ifndef SHINAR_CORE_COUNTED_WORK_HPP
#define SHINAR_CORE_COUNTED_WORK_HPP

#include <utility>

#include "running_call.hpp"

namespace shinar::wire {

class CountedWork {
 public:
  CountedWork(const CountedWork&) = delete;
  CountedWork& operator=(const CountedWork&) = delete;

  /** Called by its thread, also within each other: while it runs something else, that may wait. */
  void wait_begins() {
    if (waits_++ == 0) pause();
  }
  void wait_ends() {
    if (--waits_ == 0) resume();
  }

 protected:
  CountedWork() : outer_(std::exchange(CallsOfThread::here().work, this)) {}
  ~CountedWork() { CallsOfThread::here().work = outer_; }

 private:
  virtual void pause() = 0;
  virtual void resume() = 0;

  CountedWork* const outer_;
  int waits_ = 0;
};

/** This thread waits for other calls, as long as it lives. On its stack. */
class WaitForCalls {
 public:
  WaitForCalls() : work_(CallsOfThread::here().work) {
    if (work_ != nullptr) work_->wait_begins();
  }
  WaitForCalls(const WaitForCalls&) = delete;
  WaitForCalls& operator=(const WaitForCalls&) = delete;
  ~WaitForCalls() {
    if (work_ != nullptr) work_->wait_ends();
  }

 private:
  CountedWork* const work_;  ///< NULL: the thread runs no call that is counted
};

}  // namespace shinar::wire
#endif
