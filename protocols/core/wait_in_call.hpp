/**
 * A thread that runs a call of a peer waits for something else than an answer at its link: for
 * another thread, which waits for that, or for the first of many. Like every thread that waits for
 * peers it leaves its place among those that run, and runs calls of its chain that come meanwhile.
 * On the stack of that thread, without locks.
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

  /** In the course of a call: see RunningCall::innermost. */
  WaitInCall() = default;

  /** Any thread, while this lives: something has changed. */
  void wake() { waiter_.event.notify(Waiter::look); }

  /**
   * Runs a call that has come; else sleeps until woken, or `until`. False, once: the call in the
   * course of which it waits was given up.
   */
  bool wait(Clock::time_point until);

  /** Runs something else. */
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
