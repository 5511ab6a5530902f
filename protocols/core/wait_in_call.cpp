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

}  // namespace shinar::wire
