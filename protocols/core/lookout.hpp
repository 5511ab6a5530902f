/**
 * What a thread watches for besides the answer it waits for: calls of its chain, and interruption.
 * On the stack of that thread, as long as it waits.
 */
#ifndef SHINAR_CORE_LOOKOUT_HPP
#define SHINAR_CORE_LOOKOUT_HPP

#include <algorithm>
#include <optional>

#include "chain.hpp"
#include "interruption.hpp"

namespace shinar::wire {

class Lookout {
 public:
  /** `in_call`: the thread runs a call of a peer. */
  Lookout(Waiter& waiter, bool in_call) {
    if (in_call) standby_.emplace(waiter);
  }

  /** This, or NULL if there is nothing to watch for. */
  Lookout* get() { return standby_ || interruption.may_come() ? this : nullptr; }

  bool has_work() const { return has_calls() || interruption.is_due(); }
  /** Calls of the chain have come, or there is no point in waiting on. */
  bool has_calls() const { return standby_ && standby_->has_work(); }
  std::optional<QueuedCall> take() { return standby_ ? standby_->take() : std::nullopt; }
  bool is_given_up() const { return standby_ && standby_->is_given_up(); }

  /** True if calls of a chain may come, which the waiter's event signals. */
  bool expects_calls() const { return standby_.has_value(); }

  /** Longest sleep of the thread. */
  std::chrono::milliseconds patience() const {
    return interruption.may_come() ? std::min(Interruption::look, Standby::look) : Standby::look;
  }

  /** pause() and resume() enclose what the thread runs meanwhile. */
  void pause() {
    if (standby_) standby_->pause();
  }
  void resume() {
    if (standby_) standby_->resume();
  }

  Interruption interruption;
  bool was_interrupted = false;
  bool has_led = false;  ///< in this wait the thread has read the connection

 private:
  std::optional<Standby> standby_;
};

}  // namespace shinar::wire
#endif
