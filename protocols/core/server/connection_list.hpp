/**
 * The connections of a server. Any thread.
 */
#ifndef SHINAR_CORE_SERVER_CONNECTION_LIST_HPP
#define SHINAR_CORE_SERVER_CONNECTION_LIST_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/checked_mutex.hpp"

namespace shinar::wire {

class ServerConnection;

class ConnectionList {
 public:
  /** Adds it, as a stranger; returns how many there are then. */
  std::size_t add(const std::shared_ptr<ServerConnection>& connection);
  void remove(ServerConnection& connection);

  /** It has finished the handshake. */
  void is_no_stranger(const ServerConnection& connection);
  /**
   * Of those that have not, the one that came first, which does not count as one then; NULL if it
   * came later than `before`.
   */
  std::shared_ptr<ServerConnection> take_oldest_stranger(
      std::chrono::steady_clock::time_point before);

  std::size_t size();
  /** Those that have finished the handshake. */
  std::size_t admitted();
  std::vector<std::shared_ptr<ServerConnection>> all();
  /** Under the lock. */
  template <class Action>
  void for_each(Action action) {
    const std::lock_guard lock(mutex_);
    for (const auto& [raw, entry] : connections_) action(entry.connection);
  }

 private:
  struct Entry {
    std::shared_ptr<ServerConnection> connection;
    std::uint64_t number;
  };

  CheckedMutex<"ConnectionList"> mutex_;
  std::unordered_map<const ServerConnection*, Entry> connections_;
  std::map<std::uint64_t, const ServerConnection*> strangers_;  ///< by number: as they came
  std::uint64_t last_number_ = 0;
};

}  // namespace shinar::wire
#endif
