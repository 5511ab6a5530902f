/**
 * Interrupts a thread that waits for a peer, for example for Python after Ctrl-C. Costs nothing
 * where no language installs a hook.
 */
#ifndef SHINAR_CORE_INTERRUPTION_HPP
#define SHINAR_CORE_INTERRUPTION_HPP

#include <cerrno>
#include <chrono>
#include <utility>

#include "checked_mutex.hpp"
#include "error.hpp"
#include "running_call.hpp"
#include "sidl_process.h"

namespace shinar::wire {

/** A wait that was interrupted; the call it waited for may go on. */
class Interrupted : public Error {
 public:
  static constexpr const char* text = "the waiting thread was interrupted";
  explicit Interrupted(Fate fate) : Error(Failure::cancelled, text, fate, EINTR) {}
};

/** For one wait, or several in a row. On the waiting thread. */
class Interruption {
 public:
  using Clock = std::chrono::steady_clock;
  /** Longest sleep before the thread asks. */
  static constexpr std::chrono::milliseconds look{100};

  Interruption() {
    if (hook_ != nullptr) next_look_ = Clock::now() + look;
  }

  bool may_come() const { return hook_ != nullptr; }
  /** It is time to ask. */
  bool is_due() const { return hook_ != nullptr && Clock::now() >= next_look_; }
  /** A signal has come: ask at once. */
  void hurry() { next_look_ = {}; }
  /**
   * Asks the hook, which may run anything, including calls over the same connection: the thread
   * must hold no locks and must not be a leader.
   */
  bool has_come() {
    assert_no_lock_held("asking whether a thread is interrupted");
    CallOrder order;  // calls made now must not queue behind the one that waits
    CallOrder*& of_thread = CallsOfThread::here().order;
    CallOrder* const outer = std::exchange(of_thread, &order);
    const bool wants_out = hook_->wants_out() != 0;
    of_thread = outer;
    next_look_ = Clock::now() + look;
    return wants_out;
  }

 private:
  const ::sidl_interruption* const hook_ = ::sidl_interruption_of_thread();
  Clock::time_point next_look_{};
};

}  // namespace shinar::wire
#endif
