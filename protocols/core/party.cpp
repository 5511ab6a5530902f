#include "party.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace shinar::wire {

void Party::set_policy(const Policy* policy) {
  const std::lock_guard lock(mutex_);
  role_ = policy == nullptr ? nullptr : policy->role_of(identity);
  is_ruled_.store(policy != nullptr, std::memory_order_relaxed);
  const Quota quota = role_ == nullptr ? Quota() : role_->quota;
  set_weight(quota.weight);
  calls_left_ = quota.calls_per_second;
  bytes_left_ = quota.bytes_per_second;
  filled_ = Clock::now();
  const bool is_limited =
      quota.calls_in_work != 0 || quota.calls_per_second > 0 || quota.bytes_per_second > 0;
  is_limited_.store(is_limited && !is_lifted_, std::memory_order_relaxed);
  version_.fetch_add(1, std::memory_order_release);  // last: who sees it sees that role
}

void Party::lift_limits() {
  const std::lock_guard lock(mutex_);
  is_lifted_ = true;
  is_limited_.store(false, std::memory_order_relaxed);
}

std::string Party::check_connections() const {
  const std::shared_ptr<const Role> role = this->role();
  if (role == nullptr || role->quota.connections == 0 ||
      used(Resource::connections) <= role->quota.connections) {
    return "";
  }
  const std::string what = "has " + std::to_string(role->quota.connections) + " connections";
  return BeyondQuota(identity, what, *role, "connections").what();
}

void Party::take_object() {
  take(Resource::objects, 1);
  const std::shared_ptr<const Role> role = this->role();
  if (role == nullptr || role->quota.objects == 0 ||
      used(Resource::objects) <= role->quota.objects) {
    return;
  }
  give_back(Resource::objects, 1);
  throw BeyondQuota(identity, "holds " + std::to_string(role->quota.objects) + " objects", *role,
                    "objects");
}

/** What is left grows by what a second's part brings. Under the lock. */
void Party::refill(Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - std::exchange(filled_, now)).count();
  const Quota& quota = role_->quota;
  const auto add = [seconds](double& left, double per_second) {
    left = std::min(left + seconds * per_second, std::max(1.0, per_second));
  };
  add(calls_left_, quota.calls_per_second);
  add(bytes_left_, quota.bytes_per_second);
}

bool Party::may_begin() {
  const std::lock_guard lock(mutex_);
  if (role_ == nullptr || is_lifted_) return true;
  refill(Clock::now());
  return (role_->quota.calls_in_work == 0 || calls_ < role_->quota.calls_in_work) &&
         has_time_left(turns_);
}

bool Party::try_begin_call() {
  const std::lock_guard lock(mutex_);
  const bool is_full = role_ != nullptr && !is_lifted_ && role_->quota.calls_in_work != 0 &&
                       calls_ >= role_->quota.calls_in_work;
  if (!is_full) calls_.fetch_add(1, std::memory_order_relaxed);
  return !is_full;
}

void Party::end_call() {
  calls_.fetch_sub(1, std::memory_order_relaxed);
  let_one_follow();
}

bool Party::let_one_follow() {
  while (is_waited_for() && may_begin() && try_begin_call()) {
    turns_.fetch_add(1, std::memory_order_relaxed);
    if (waiting_.let_one_go_on(true)) return true;
    turn_is_over();
    calls_.fetch_sub(1, std::memory_order_relaxed);  // who came meanwhile found no place
  }
  return false;
}

void Party::go_by_quota() {
  if (is_limited()) {
    while (let_one_follow()) continue;
  } else {
    while (waiting_.let_one_go_on(false)) continue;
  }
}

bool Party::keeps_pace() {
  const std::lock_guard lock(mutex_);
  if (role_ == nullptr || is_lifted_) return true;
  refill(Clock::now());
  return has_time_left(0);
}

/** Beside so many turns, of which each may use a call, or all bytes. Under the lock. */
bool Party::has_time_left(std::uint64_t turns) const {
  return (role_->quota.calls_per_second <= 0 || calls_left_ > static_cast<double>(turns)) &&
         (role_->quota.bytes_per_second <= 0 || (bytes_left_ > 0 && turns == 0));
}

void Party::charge_bytes(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (role_ != nullptr) bytes_left_ -= static_cast<double>(bytes);
}

bool Party::has_no_bytes_left() {
  const std::lock_guard lock(mutex_);
  return lacks_bytes(Clock::now());
}

/** Under the lock. */
bool Party::lacks_bytes(Clock::time_point now) {
  if (role_ == nullptr || role_->quota.bytes_per_second <= 0) return false;
  refill(now);
  return bytes_left_ <= 0;
}

bool Party::may_be_looked_at() {
  constexpr std::chrono::seconds interval(1);
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (!lacks_bytes(now)) return true;
  if (now < next_look_) return false;
  next_look_ = now + interval;
  return true;
}

std::string Party::check_ended() const {
  constexpr std::uint64_t most = 64;
  const std::uint64_t ended = ended_.load(std::memory_order_relaxed);
  const std::shared_ptr<const Role> role = this->role();
  if (!is_limited() || role == nullptr || ended < most) return "";
  return "calls of " + std::to_string(ended) + " connections of " + text_of(identity) +
         " that have ended still wait for the quota of role '" + role->name +
         "' of the server's policy";
}

void Party::charge_call() {
  const std::lock_guard lock(mutex_);
  if (role_ != nullptr) calls_left_ -= 1;
}

bool Party::is_rested() {
  const std::lock_guard lock(mutex_);
  if (role_ == nullptr) return true;
  refill(Clock::now());
  const Quota& quota = role_->quota;
  return calls_left_ >= quota.calls_per_second && bytes_left_ >= quota.bytes_per_second;
}

std::shared_ptr<Party> Parties::of(const Identity& identity) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Party>& party = parties_[{identity.proof, identity.name}];
  if (party != nullptr) return party;
  party = std::make_shared<Party>(identity);
  if (are_lifted_) party->lift_limits();
  party->set_policy(policy_.get());
  const std::shared_ptr<Party> keep = party;
  std::erase_if(parties_, [](const auto& each) {
    return each.second.use_count() == 1 && each.second->is_rested();
  });
  return keep;
}

void Parties::set_policy(std::shared_ptr<const Policy> policy) {
  const std::lock_guard lock(mutex_);
  policy_ = std::move(policy);
  for (const auto& [key, party] : parties_) party->set_policy(policy_.get());
}

void Parties::lift_limits() {
  {
    const std::lock_guard lock(mutex_);
    are_lifted_ = true;
    for (const auto& [key, party] : parties_) party->lift_limits();
  }
  go_by_quotas();
}

void Parties::go_by_quotas() {
  std::vector<std::shared_ptr<Party>> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, party] : parties_) all.push_back(party);
  }
  for (const auto& party : all) party->go_by_quota();
}

}  // namespace shinar::wire
