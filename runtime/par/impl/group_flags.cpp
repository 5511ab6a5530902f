// GroupState: ends of calls, where all ranks are on one machine. There are letters only if
// something goes wrong.
#include <thread>

#include "calls/shared_flags.hpp"
#include "core/digest.hpp"
#include "impl/deadlines.hpp"
#include "impl/group_state.hpp"
#include "impl/items.hpp"
#include "sidl_par_CallValues_Impl.hxx"
#include "sidl_rmi_TimeOutException.hxx"
#include "sidl_settings.h"

namespace shinar::par {
namespace {

using std::chrono::milliseconds;

// How long a thread sleeps before it asks whether a signal handler wants it.
constexpr milliseconds kGlance{100};

}  // namespace

std::string GroupState::text_of_first(const std::string& mine) {
  ::sidl::par::CallValues value = ::sidl::par::CallValues::_create();
  items_of(value).push_back(text_item(mine));
  const Letter letter = agree({false, rank_, ::sidl::babel_cast<::sidl::io::Serializable>(value)});
  par::check(letter);
  return text_in(letter.content);
}

// If all ranks can use the memory of rank 0.
void GroupState::share_flags() {
  Digest digest;
  digest.add(token_.c_str(), token_.size());
  const bool may_share = sidl_setting_value(sidl_setting_RMI_SHM) != 0;
  std::unique_ptr<SharedFlags> made;
  if (may_share && rank_ == 0) made = SharedFlags::create(size_, digest.value());
  const std::string place = text_of_first(made == nullptr ? "" : made->place());
  if (may_share && rank_ != 0) made = SharedFlags::open(place, size_, digest.value());
  // The lowest is what all get.
  const Letter all = agree({false, made == nullptr ? 0 : 1, {}});
  par::check(all);
  if (all.priority == 0) return;
  made->hide();
  const auto lock = monitor_.lock();
  flags_ = std::move(made);
}

// A thread that runs a call of a peer has to let others run meanwhile.
bool GroupState::uses_flags(const Round& round) const {
  return flags_ != nullptr && round.phase == Phase::AtEnd &&
         round.context <= SharedFlags::kMostContexts && !Monitor::is_of_peer();
}

// Else the ranks tell each other by letters what has happened.
bool GroupState::is_well_everywhere(const Round& round, const Letter& mine) {
  const SharedFlags::Operation own{rank_, round.context, round.number / kMostExchanges,
                                   static_cast<std::uint64_t>(mine.priority)};
  flags_->set(own, !mine.failed);
  if (mine.failed) return false;
  if (await_flags(own, round)) return true;
  flags_->set(own, false);
  return false;
}

// Before it sleeps: ranks of one call end soon after each other. Others that need the core get it,
// and who is seen to want one is given an idle one sooner than who sleeps and is woken.
void GroupState::look_a_while(const SharedFlags::Operation& own) const {
  const std::chrono::microseconds looking{sidl_setting_value(sidl_setting_SPIN_US)};
  const Clock::time_point end = Clock::now() + looking;
  while (flags_->look(own) == SharedFlags::Seen::Waiting && Clock::now() < end) {
    std::this_thread::yield();
  }
}

bool GroupState::await_flags(const SharedFlags::Operation& own, const Round& round) {
  look_a_while(own);
  Clock::time_point next_check = Clock::now() + kFirstCheck;
  Clock::time_point next_glance = Clock::now() + kGlance;
  bool is_over = false;
  int told = rank_;  // for whom this one waits, as others may ask
  for (;;) {
    const std::uint32_t heard = flags_->rings();
    int waits_for = rank_;
    const SharedFlags::Seen seen = flags_->look(own, &waits_for);
    if (seen != SharedFlags::Seen::Waiting) return seen == SharedFlags::Seen::Well;
    if (is_over || has_letter(round)) return false;
    if (waits_for != told) wait_for(round, told = waits_for);
    const Clock::time_point now = Clock::now();
    if (now >= round.until) return false;
    if (now >= next_glance) {
      if (Monitor::is_interrupted()) return false;
      next_glance = now + kGlance;
    }
    if (now >= next_check) {
      // If not, that may be because it is through, and then all is well.
      is_over = !goes_on(waits_for, round);
      next_check = Clock::now() + kNextCheck;
      continue;
    }
    flags_->sleep(heard, std::min({next_glance, next_check, round.until}) - now);
  }
}

// A rank may still come to the end of the call.
bool GroupState::goes_on(int rank, const Round& round) {
  try {
    const WithDeadline deadline(asking_ms(round.until));
    return !will_not_send(phase_of_sender({round.context, round.number, 0, rank}), round.phase);
  } catch (const ::sidl::rmi::TimeOutException&) {
    return is_gone(rank, round.until).empty();  // the deadline is the waiting thread's business
  } catch (const ::sidl::BaseException& failure) {
    gone(rank, failure);
    return false;
  }
}

bool GroupState::has_letter(const Round& round) {
  const auto lock = monitor_.lock();
  const auto first = letters_.lower_bound({round.context, round.number, 0, 0});
  return first != letters_.end() && std::get<0>(first->first) == round.context &&
         std::get<1>(first->first) == round.number;
}

}  // namespace shinar::par
