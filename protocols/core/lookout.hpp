/**
 * What a thread that waits for an answer looks out for beside it: calls of its chain, and somebody
 * who wants it elsewhere. On the stack of that thread, as long as it waits.
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
  /** `in_call`: it waits in the course of a call of a peer. */
  Lookout(Waiter& waiter, bool in_call) {
    if (in_call) standby_.emplace(waiter);
  }

  /** This, or NULL if there is nothing to look out for. */
  Lookout* get() { return standby_ || interruption.may_come() ? this : nullptr; }

  bool has_work() const { return has_calls() || interruption.is_due(); }
  /** Of the chain; or there is no sense in waiting on. */
  bool has_calls() const { return standby_ && standby_->has_work(); }
  std::optional<QueuedCall> take() { return standby_ ? standby_->take() : std::nullopt; }
  bool is_given_up() const { return standby_ && standby_->is_given_up(); }

  /** True if calls of a chain may come, of which the waiter's event tells. */
  bool expects_calls() const { return standby_.has_value(); }

  /** How long the thread sleeps at most. */
  std::chrono::milliseconds patience() const {
    return interruption.may_come() ? std::min(Interruption::look, Standby::look) : Standby::look;
  }

  /** Around what the thread runs meanwhile. */
  void pause() {
    if (standby_) standby_->pause();
  }
  void resume() {
    if (standby_) standby_->resume();
  }

  Interruption interruption;
  bool was_interrupted = false;

 private:
  std::optional<Standby> standby_;
};

}  // namespace shinar::wire
#endif
