#include "quota_place.hpp"

#include "party.hpp"
#include "running_call.hpp"

namespace shinar::wire {

void QuotaPlace::give_back() noexcept {
  const std::shared_ptr<Party> party = std::move(party_);
  if (!is_paused_) party->end_call();
}

bool QuotaPlace::pause() const {
  if (std::exchange(is_paused_, true)) return false;
  party_->end_call();
  return true;
}

void QuotaPlace::resume() const {
  is_paused_ = false;
  party_->resume_call();
}

namespace {

/** Of the innermost call of the thread that has one. */
const QuotaPlace* place_of_thread() {
  const RunningCall* running = RunningCall::innermost();
  while (running != nullptr && !running->call().place) running = running->outer();
  return running == nullptr ? nullptr : &running->call().place;
}

}  // namespace

WaitForCalls::WaitForCalls() : place_(place_of_thread()) {
  if (place_ != nullptr && !place_->pause()) place_ = nullptr;
}

WaitForCalls::~WaitForCalls() {
  if (place_ != nullptr) place_->resume();
}

}  // namespace shinar::wire
