#include "core/server/connection_list.hpp"

#include "core/server/server_connection.hpp"

namespace shinar::wire {

std::size_t ConnectionList::add(const std::shared_ptr<ServerConnection>& connection) {
  const std::lock_guard lock(mutex_);
  connections_.emplace(connection.get(), connection);
  return connections_.size();
}

void ConnectionList::remove(ServerConnection& connection) {
  const std::lock_guard lock(mutex_);
  connections_.erase(&connection);
}

std::size_t ConnectionList::size() {
  const std::lock_guard lock(mutex_);
  return connections_.size();
}

std::vector<std::shared_ptr<ServerConnection>> ConnectionList::all() {
  std::vector<std::shared_ptr<ServerConnection>> all;
  for_each([&](const auto& connection) { all.push_back(connection); });
  return all;
}

}  // namespace shinar::wire
