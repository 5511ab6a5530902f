/**
 * Whether a thread that waits for a peer is wanted elsewhere: by Python, say, as somebody has
 * pressed Ctrl-C. Threads that nobody interrupts, which is all of them in programs without such a
 * language, wait as if this were not there.
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

/** A wait that ended because its thread was interrupted; what it was for may go on. */
class Interrupted : public Error {
 public:
  static constexpr const char* text = "the waiting thread was interrupted";
  explicit Interrupted(Fate fate) : Error(Failure::cancelled, text, fate, EINTR) {}
};

/** Of one wait, or of several in a row; its thread. */
class Interruption {
 public:
  using Clock = std::chrono::steady_clock;
  /** How long a thread sleeps at most before it looks. */
  static constexpr std::chrono::milliseconds look{100};

  Interruption() {
    if (hook_ != nullptr) next_look_ = Clock::now() + look;
  }

  bool may_come() const { return hook_ != nullptr; }
  /** It is time to ask. */
  bool is_due() const { return hook_ != nullptr && Clock::now() >= next_look_; }
  /** A signal has come: do not wait to ask. */
  void hurry() { next_look_ = {}; }
  /**
   * Asks. Anything may be run meanwhile, calls over the same connection among it: the thread holds
   * no locks and leads nobody.
   */
  bool has_come() {
    assert_no_lock_held("asking whether a thread is interrupted");
    CallOrder order;  // calls that are made now must not wait for the one that waits
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
