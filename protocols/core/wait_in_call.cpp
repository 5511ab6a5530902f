#include "wait_in_call.hpp"

#include <algorithm>

namespace shinar::wire {

bool WaitInCall::wait(Clock::time_point until) {
  if (standby_.is_given_up()) {
    if (!std::exchange(was_given_up_, true)) return false;
  } else if (auto call = standby_.take()) {
    waits_.end();
    call->link->run_here(call->call);
    waits_.begin();
    standby_.resume();
    return true;
  }
  waiter_.event.wait(std::min(until, Clock::now() + Standby::look));
  return true;
}

bool WaitInCall::look() {
  constexpr std::chrono::milliseconds while_in_need(20);
  const auto now = Clock::now();
  const bool is_needed = Chains::of_process().has_need(RunningCall::innermost()->chain());
  if (!wait(is_needed ? now + while_in_need : now)) return false;
  return !is_needed || !has_work() || wait(now);
}

}  // namespace shinar::wire
