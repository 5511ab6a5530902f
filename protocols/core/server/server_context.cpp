#include "core/server/server_context.hpp"

#include <memory>
#include <mutex>

#include "core/back_channel.hpp"

namespace shinar::wire {

BackChannel& ServerContext::way_back(const std::shared_ptr<Session>& session,
                                     const std::string& peer) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<BackChannel>& back = session->back;
  if (back == nullptr) back = std::make_shared<BackChannel>(ledger, session, "client " + peer);
  return *back;
}

}  // namespace shinar::wire
