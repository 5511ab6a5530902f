/**
 * What the clients of a server have to prove, and it to them: given once for all, or what the
 * process is set to, which may change. A server that asks for a proof never stops doing so: it
 * keeps what it has if that cannot be replaced.
 */
#ifndef SHINAR_CORE_SERVER_REQUIRED_PROOF_HPP
#define SHINAR_CORE_SERVER_REQUIRED_PROOF_HPP

#include <cstdint>
#include <memory>
#include <optional>

#include "core/authentication.hpp"
#include "core/checked_mutex.hpp"

namespace shinar::wire {

/** Any thread. */
class RequiredProof {
 public:
  /** `since`: see ServerOptions::followed_since. */
  RequiredProof(std::shared_ptr<const Authenticator> first, std::optional<std::uint32_t> since);

  /** For a connection that begins now; NULL: nothing. May read files; called without locks. */
  std::shared_ptr<const Authenticator> now();

 private:
  std::shared_ptr<const Authenticator> renew(std::uint32_t generation);

  const bool follows_process_;
  CheckedMutex<"RequiredProof"> mutex_;
  std::shared_ptr<const Authenticator> required_;
  std::uint32_t generation_;  ///< of the files
};

}  // namespace shinar::wire
#endif
