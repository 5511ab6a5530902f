#include "core/server/connection_list.hpp"

#include <utility>

#include "core/server/server_connection.hpp"

namespace shinar::wire {

std::size_t ConnectionList::add(const std::shared_ptr<ServerConnection>& connection) {
  const std::lock_guard lock(mutex_);
  connections_.emplace(connection.get(), Entry{connection, ++last_number_});
  strangers_.emplace(last_number_, connection.get());
  return connections_.size();
}

void ConnectionList::remove(ServerConnection& connection) {
  std::shared_ptr<ServerConnection> keep;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  const auto known = connections_.find(&connection);
  if (known == connections_.end()) return;
  strangers_.erase(known->second.number);
  keep = std::move(known->second.connection);
  connections_.erase(known);
}

void ConnectionList::is_no_stranger(const ServerConnection& connection) {
  const std::lock_guard lock(mutex_);
  const auto known = connections_.find(&connection);
  if (known != connections_.end()) strangers_.erase(known->second.number);
}

std::shared_ptr<ServerConnection> ConnectionList::take_oldest_stranger(
    std::chrono::steady_clock::time_point before) {
  const std::lock_guard lock(mutex_);
  if (strangers_.empty()) return nullptr;
  const auto oldest = strangers_.begin();
  auto connection = connections_.at(oldest->second).connection;
  if (connection->handshake.begin() > before) return nullptr;
  strangers_.erase(oldest);
  return connection;
}

std::size_t ConnectionList::size() {
  const std::lock_guard lock(mutex_);
  return connections_.size();
}

std::size_t ConnectionList::admitted() {
  const std::lock_guard lock(mutex_);
  return connections_.size() - strangers_.size();
}

std::vector<std::shared_ptr<ServerConnection>> ConnectionList::all() {
  std::vector<std::shared_ptr<ServerConnection>> all;
  for_each([&](const auto& connection) { all.push_back(connection); });
  return all;
}

}  // namespace shinar::wire
