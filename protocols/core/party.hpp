/**
 * One identity among a server's clients: what it may do, and what all its connections use together.
 * Those who have proved nothing are one party.
 */
#ifndef SHINAR_CORE_PARTY_HPP
#define SHINAR_CORE_PARTY_HPP

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "checked_mutex.hpp"
#include "identity.hpp"
#include "policy.hpp"

namespace shinar::wire {

/** Any thread. */
class Party {
 public:
  explicit Party(Identity who) : identity(std::move(who)) {}

  const Identity identity;

  /** False: it may do everything, as the server has no policy. */
  bool is_ruled() const { return is_ruled_.load(std::memory_order_relaxed); }
  /** Changes whenever the policy does. */
  std::uint32_t policy_version() const { return version_.load(std::memory_order_acquire); }
  /** If it is ruled; NULL: it may do nothing. */
  std::shared_ptr<const Role> role() const {
    const std::lock_guard lock(mutex_);
    return role_;
  }
  /** NULL: there is no policy any more. */
  void set_policy(const Policy* policy);

 private:
  std::atomic<bool> is_ruled_{false};
  std::atomic<std::uint32_t> version_{1};
  mutable CheckedMutex<"Party"> mutex_;
  std::shared_ptr<const Role> role_;
};

/** Those of a server. Any thread. */
class Parties {
 public:
  /** Lives as long as somebody has it, or a connection of its identity might come back. */
  std::shared_ptr<Party> of(const Identity& identity);
  /** From now on, for connections that exist as well; NULL: everybody may do everything. */
  void set_policy(std::shared_ptr<const Policy> policy);

 private:
  CheckedMutex<"Parties"> mutex_;
  std::shared_ptr<const Policy> policy_;
  std::map<std::pair<std::string, std::string>, std::weak_ptr<Party>> parties_;
};

}  // namespace shinar::wire
#endif
