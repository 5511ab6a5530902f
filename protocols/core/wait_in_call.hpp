/**
 * A thread that runs a call of a peer waits for something other than an answer on its link: for
 * another thread that waits for one, or for the first of several. Like every thread that waits for
 * peers it lets another thread of its crew run, and runs calls of its chain meanwhile. On the stack
 * of that thread, without locks.
 */
#ifndef SHINAR_CORE_WAIT_IN_CALL_HPP
#define SHINAR_CORE_WAIT_IN_CALL_HPP

#include <chrono>

#include "chain.hpp"
#include "crew.hpp"
#include "waiter.hpp"

namespace shinar::wire {

class WaitInCall {
 public:
  using Clock = std::chrono::steady_clock;

  /** The thread must run a call: see RunningCall::innermost. */
  WaitInCall() = default;

  /** Wakes the thread to check again. Any thread, while this lives. */
  void wake() { waiter_.event.notify(Waiter::look); }

  /**
   * Runs a call that has come; else sleeps until woken, or `until`. Returns false, once, if the
   * call the thread runs was given up.
   */
  bool wait(Clock::time_point until);

  /**
   * For a thread that polls: as wait(), without sleeping, but a little if a call of its chain waits
   * for the quota, which it does until it finds the thread waiting.
   */
  bool look();

  /** There is a call to run. */
  bool has_work() const { return standby_.has_work(); }

  /** Runs something else, not counted as waiting. */
  template <class Action>
  void run_meanwhile(Action action) {
    standby_.pause();
    waits_.end();
    action();
    waits_.begin();
    standby_.resume();
  }

 private:
  Message none_;
  Waiter waiter_{none_};
  Standby standby_{waiter_};
  WaitForPeer waits_;
  bool was_given_up_ = false;
};

}  // namespace shinar::wire
#endif
