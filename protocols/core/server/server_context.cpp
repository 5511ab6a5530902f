#include "core/server/server_context.hpp"

#include <memory>
#include <mutex>

#include "core/back_channel.hpp"

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
  if (back == nullptr) back = std::make_shared<BackChannel>(ledger, session, "client " + peer);
  return *back;
}

}  // namespace shinar::wire
