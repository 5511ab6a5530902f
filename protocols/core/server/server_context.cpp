#include "core/server/server_context.hpp"

#include <exception>
#include <memory>
#include <mutex>

#include "core/back_channel.hpp"
#include "sidl_log.h"

#include <sys/resource.h>

#include <algorithm>

namespace shinar::wire {

std::size_t connections_within_descriptors(std::size_t connections) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return connections;
  // Those of the server itself, of its users' code, and of connections that shake hands.
  const auto others = std::clamp<rlim_t>(limit.rlim_cur / 8, 16, 256);
  const rlim_t left = limit.rlim_cur > others ? limit.rlim_cur - others : 1;
  return std::min<std::size_t>(connections, left);
}

BackChannel& ServerContext::way_back(const std::shared_ptr<Session>& session,
                                     const std::string& peer) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<BackChannel>& back = session->back;
  if (back == nullptr)
    back = std::make_shared<BackChannel>(ledger, session, "client " + peer,
                                         options.limits.session_references);
  return *back;
}

/** However little the server shall log: its operator believes that something else is in force. */
void ServerContext::warn(const std::string& line) {
  ::sidl_log(sidl_log_error, "simhandle", line.c_str());
}

void ServerContext::begin_trust() {
  trust_ = ::sidl_trust_generation();
  std::shared_ptr<const Policy> policy = options.policy ? options.policy() : nullptr;
  has_policy_ = policy != nullptr;
  parties.set_policy(std::move(policy));
}

/** What was in force remains where a file is no good, or none is named any more. */
void ServerContext::renew_trust() {
  std::string trouble;
  {
    const std::lock_guard lock(trust_mutex_);
    const std::uint32_t generation = ::sidl_trust_generation();
    if (generation == trust_.load(std::memory_order_relaxed)) return;
    try {
      std::shared_ptr<const Policy> policy = options.policy ? options.policy() : nullptr;
      if (policy != nullptr) {
        has_policy_ = true;
        parties.set_policy(std::move(policy));
      } else if (has_policy_) {
        trouble = "no policy is named any more";
      }
    } catch (const std::exception& error) {
      trouble = reason_of(error);
    }
    trust_.store(generation, std::memory_order_relaxed);
  }
  parties.go_by_quotas();
  audit.reopen();
  if (trouble.empty()) return;
  warn(trouble + "; " +
       (has_policy_ ? "the policy before it remains in force"
                    : "clients may do everything, as before"));
}

bool ServerContext::belongs_to(Session& session, const Identity& identity) {
  if (identity.name.empty()) return true;
  const std::lock_guard lock(mutex_);
  Identity& owner = session.owner;
  if (owner.name.empty()) owner = identity;
  return owner.name == identity.name && owner.proof == identity.proof;
}

}  // namespace shinar::wire
