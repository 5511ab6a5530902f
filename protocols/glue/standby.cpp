/**
 * Lets libsidl wait on standby within a call of a peer, for example for tickets of a ticket book.
 */
#include <chrono>
#include <new>
#include <optional>

#include "core/quota_place.hpp"
#include "core/running_call.hpp"
#include "core/wait_in_call.hpp"
#include "sidl_process.h"

namespace shinar::wire {
namespace {

struct StandbyOfThread {
  explicit StandbyOfThread(bool for_calls) {
    if (for_calls) waits.emplace();
  }

  std::optional<WaitForCalls> waits;
  WaitInCall wait;
};

WaitInCall& wait_of(void* standby) {
  return static_cast<StandbyOfThread*>(standby)->wait;
}

/** Without memory the thread waits without running calls of its chain. */
void* begin_standby(int for_calls) {
  try {
    return RunningCall::innermost() == nullptr ? nullptr : new StandbyOfThread(for_calls != 0);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

int stand_by(void* standby, int milliseconds) {
  WaitInCall& wait = wait_of(standby);
  if (milliseconds == 0) return int{wait.look()};
  return int{wait.wait(WaitInCall::Clock::now() + std::chrono::milliseconds(milliseconds))};
}

void wake_standby(void* standby) {
  wait_of(standby).wake();
}

void end_standby(void* standby) {
  delete static_cast<StandbyOfThread*>(standby);
}

const bool are_set = [] {
  static const sidl_standby functions{begin_standby, stand_by, wake_standby, end_standby};
  ::sidl_set_standby(&functions);
  return true;
}();

}  // namespace
}  // namespace shinar::wire
