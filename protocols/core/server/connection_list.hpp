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
  /** Adds it, as a stranger that is silent; returns how many there are then that stay. */
  std::size_t add(const std::shared_ptr<ServerConnection>& connection);
  void remove(ServerConnection& connection);

  /** It has sent something. */
  void is_heard(const ServerConnection& connection);
  /** It will be refused. */
  void is_surplus(const ServerConnection& connection);
  /** It has finished the handshake. */
  void is_no_stranger(const ServerConnection& connection);
  /**
   * Of those that have not, one that has had its time, which does not count then, as the caller
   * closes it: the oldest one that is silent, else the oldest one. NULL if there is none.
   */
  std::shared_ptr<ServerConnection> take_stranger(std::chrono::steady_clock::time_point now);

  /**
   * The oldest of those that will be refused and have sent a part of their hello; as above. NULL if
   * there is none, or as many were taken as may be without counting.
   */
  std::shared_ptr<ServerConnection> take_surplus();

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
    bool leaves = false;  ///< was taken
    bool is_surplus = false;
  };
  using Strangers = std::map<std::uint64_t, const ServerConnection*>;  ///< by number: as they came

  std::shared_ptr<ServerConnection> take_first(Strangers& from,
                                               std::chrono::steady_clock::time_point before);
  void no_stranger(std::uint64_t number);
  std::size_t staying() const;

  CheckedMutex<"ConnectionList"> mutex_;
  std::unordered_map<const ServerConnection*, Entry> connections_;
  Strangers silent_, heard_;  ///< that have not finished the handshake
  Strangers surplus_;         ///< of the latter, those that will be refused
  std::size_t leaving_ = 0;
  std::uint64_t last_number_ = 0;
};

}  // namespace shinar::wire
#endif
