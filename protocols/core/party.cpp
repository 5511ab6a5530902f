#include "party.hpp"

namespace shinar::wire {

void Party::set_policy(const Policy* policy) {
  const std::lock_guard lock(mutex_);
  role_ = policy == nullptr ? nullptr : policy->role_of(identity);
  is_ruled_.store(policy != nullptr, std::memory_order_relaxed);
  version_.fetch_add(1, std::memory_order_release);  // last: who sees it sees that role
}

std::shared_ptr<Party> Parties::of(const Identity& identity) {
  const std::lock_guard lock(mutex_);
  std::weak_ptr<Party>& known = parties_[{identity.proof, identity.name}];
  std::shared_ptr<Party> party = known.lock();
  if (party != nullptr) return party;
  std::erase_if(parties_,
                [&](const auto& each) { return &each.second != &known && each.second.expired(); });
  party = std::make_shared<Party>(identity);
  party->set_policy(policy_.get());
  known = party;
  return party;
}

void Parties::set_policy(std::shared_ptr<const Policy> policy) {
  const std::lock_guard lock(mutex_);
  policy_ = std::move(policy);
  for (const auto& [key, known] : parties_) {
    if (const auto party = known.lock()) party->set_policy(policy_.get());
  }
}

}  // namespace shinar::wire
