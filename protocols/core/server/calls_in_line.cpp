#include "core/server/calls_in_line.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "core/server/server_connection.hpp"

namespace shinar::wire {

class CallsInLine::Waiting final : public Held {
 public:
  Waiting(CallsInLine& all, QueuedCall call, std::shared_ptr<Party> party)
      : call_(std::move(call)), all_(all), party_(std::move(party)) {}

  bool let_on(bool has_place) override {
    if (!all_.remove(*this)) return false;
    if (has_place) {
      call_.call.place = QuotaPlace(party_);
      party_->turn_is_over();
    }
    Link& link = *call_.link;
    link.run_elsewhere(std::move(call_.call));
    return true;
  }
  const std::shared_ptr<Party>& party() const { return party_; }
  /** False if no thread of its chain can run it. Under the mutex. */
  bool hand_over() {
    return is_within_chain(call_.call) &&
           static_cast<ServerConnection&>(*call_.link).calls.hand_over(call_.call);
  }

 private:
  QueuedCall call_;  ///< under the mutex, until it is removed
  CallsInLine& all_;
  const std::shared_ptr<Party> party_;
};

/** False if it does not wait any more. */
bool CallsInLine::remove(const Waiting& call) {
  const std::lock_guard lock(mutex_);
  return std::erase_if(calls_, [&](const auto& each) { return each.get() == &call; }) != 0;
}

void CallsInLine::enter(QueuedCall call, const std::shared_ptr<Party>& party) {
  const auto waiting = std::make_shared<Waiting>(*this, std::move(call), party);
  {
    const std::lock_guard lock(mutex_);
    if (waiting->hand_over()) return;
    calls_.push_back(waiting);
  }
  party->hold_for_quota(waiting);
  party->go_by_quota();
}

bool CallsInLine::look_after() {
  std::vector<std::shared_ptr<Waiting>> gone;  // destroyed without the mutex
  std::set<std::shared_ptr<Party>> waiting;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(calls_, [&](const auto& each) {
      if (!each->hand_over()) {
        waiting.insert(each->party());
        return false;
      }
      gone.push_back(each);
      return true;
    });
  }
  for (const auto& party : waiting) party->go_by_quota();
  return !waiting.empty();
}

}  // namespace shinar::wire
