#include "calls/monitor.hpp"

#include <algorithm>

#include "sidl_process.h"

namespace shinar::par {
namespace {

// How long a thread sleeps before it asks whether a signal handler wants it.
constexpr std::chrono::milliseconds kMoment{100};

}  // namespace

bool Monitor::is_interrupted() {
  const sidl_interruption* const interruption = sidl_interruption_of_process;
  return interruption != nullptr && interruption->concerns_thread() != 0 &&
         interruption->wants_out() != 0;
}

bool Monitor::is_of_peer() {
  const sidl_standby* const functions = sidl_standby_of_process();
  void* const standby = functions == nullptr ? nullptr : functions->begin(1);
  if (standby != nullptr) functions->end(standby);
  return standby != nullptr;
}

void Monitor::wake() {
  for (Sleeper* const each : sleepers_) each->wake();
}

// The wire's own locks are taken without this one.
Monitor::Sleeper::Sleeper(Monitor& monitor, std::unique_lock<std::mutex>& lock)
    : monitor_(monitor), lock_(lock) {
  lock_.unlock();
  const sidl_standby* const functions = sidl_standby_of_process();
  standby_ = functions == nullptr ? nullptr : functions->begin(1);
  lock_.lock();
  monitor_.sleepers_.push_back(this);
}

Monitor::Sleeper::~Sleeper() {
  std::erase(monitor_.sleepers_, this);
  if (standby_ == nullptr) return;
  lock_.unlock();
  sidl_standby_of_process()->end(standby_);
  lock_.lock();
}

bool Monitor::Sleeper::sleep(Clock::time_point until) {
  if (standby_ == nullptr) {
    const bool is_over = condition_.wait_until(lock_, std::min(until, Clock::now() + kMoment)) ==
                         std::cv_status::timeout;
    if (!is_over) return true;
    lock_.unlock();
    const bool goes_on = !is_interrupted();
    lock_.lock();
    return goes_on;
  }
  constexpr std::chrono::milliseconds most{60000};
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  lock_.unlock();
  const bool goes_on = sidl_standby_of_process()->wait(
                           standby_, static_cast<int>(std::min(left, most).count())) != 0;
  lock_.lock();
  return goes_on;
}

void Monitor::Sleeper::wake() {
  if (standby_ == nullptr) {
    condition_.notify_one();
  } else {
    sidl_standby_of_process()->wake(standby_);
  }
}

}  // namespace shinar::par
