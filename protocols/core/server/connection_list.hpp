/**
 * The connections of a server. Any thread.
 */
#ifndef SHINAR_CORE_SERVER_CONNECTION_LIST_HPP
#define SHINAR_CORE_SERVER_CONNECTION_LIST_HPP

#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/checked_mutex.hpp"

namespace shinar::wire {

class ServerConnection;

class ConnectionList {
 public:
  /** Adds it; returns how many there are then. */
  std::size_t add(const std::shared_ptr<ServerConnection>& connection);
  void remove(ServerConnection& connection);

  std::size_t size();
  std::vector<std::shared_ptr<ServerConnection>> all();
  /** Under the lock. */
  template <class Action>
  void for_each(Action action) {
    const std::lock_guard lock(mutex_);
    for (const auto& [raw, connection] : connections_) action(connection);
  }

 private:
  CheckedMutex<"ConnectionList"> mutex_;
  std::unordered_map<ServerConnection*, std::shared_ptr<ServerConnection>> connections_;
};

}  // namespace shinar::wire
#endif
