#include "core/server/connection_list.hpp"

#include <algorithm>
#include <utility>

#include "core/server/server_connection.hpp"

namespace shinar::wire {
namespace {

using std::chrono::milliseconds;

// How long strangers may have a place that others need. What a client sends first comes with the
// connection, however far away it is; for the rest of the handshake it waits for answers.
constexpr milliseconds patience_with_silence{100};
constexpr milliseconds patience{1000};

/** Those that were taken and do not count. */
constexpr std::size_t most_leaving = 64;

}  // namespace

std::size_t ConnectionList::add(const std::shared_ptr<ServerConnection>& connection) {
  const std::lock_guard lock(mutex_);
  connections_.emplace(connection.get(), Entry{connection, ++last_number_});
  silent_.emplace(last_number_, connection.get());
  return staying();
}

/** Those that were taken end soon; if too many do not, they count. */
std::size_t ConnectionList::staying() const {
  return connections_.size() - std::min(leaving_, most_leaving);
}

void ConnectionList::no_stranger(std::uint64_t number) {
  silent_.erase(number);
  heard_.erase(number);
  surplus_.erase(number);
}

void ConnectionList::remove(ServerConnection& connection) {
  std::shared_ptr<ServerConnection> keep;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  const auto known = connections_.find(&connection);
  if (known == connections_.end()) return;
  no_stranger(known->second.number);
  if (known->second.leaves) --leaving_;
  keep = std::move(known->second.connection);
  connections_.erase(known);
}

void ConnectionList::is_heard(const ServerConnection& connection) {
  const std::lock_guard lock(mutex_);
  const auto known = connections_.find(&connection);
  if (known == connections_.end()) return;
  const Entry& entry = known->second;
  auto node = silent_.extract(entry.number);
  if (!node) return;
  heard_.insert(std::move(node));
  if (entry.is_surplus) surplus_.emplace(entry.number, &connection);
}

/** Before it is read. */
void ConnectionList::is_surplus(const ServerConnection& connection) {
  const std::lock_guard lock(mutex_);
  const auto known = connections_.find(&connection);
  if (known != connections_.end()) known->second.is_surplus = true;
}

void ConnectionList::is_no_stranger(const ServerConnection& connection) {
  const std::lock_guard lock(mutex_);
  const auto known = connections_.find(&connection);
  if (known == connections_.end()) return;
  no_stranger(known->second.number);
}

std::shared_ptr<ServerConnection> ConnectionList::take_stranger(
    std::chrono::steady_clock::time_point now) {
  const std::lock_guard lock(mutex_);
  auto taken = take_first(silent_, now - patience_with_silence);
  return taken != nullptr ? taken : take_first(heard_, now - patience);
}

std::shared_ptr<ServerConnection> ConnectionList::take_first(
    Strangers& from, std::chrono::steady_clock::time_point before) {
  if (from.empty()) return nullptr;
  const auto oldest = from.begin();
  Entry& entry = connections_.at(oldest->second);
  if (entry.connection->handshake.begin() > before) return nullptr;
  no_stranger(oldest->first);
  entry.leaves = true;
  ++leaving_;
  return entry.connection;
}

std::shared_ptr<ServerConnection> ConnectionList::take_surplus() {
  const std::lock_guard lock(mutex_);
  if (leaving_ >= most_leaving) return nullptr;
  return take_first(surplus_, std::chrono::steady_clock::time_point::max());
}

std::size_t ConnectionList::size() {
  const std::lock_guard lock(mutex_);
  return connections_.size();
}

std::size_t ConnectionList::admitted() {
  const std::lock_guard lock(mutex_);
  return staying() - silent_.size() - heard_.size();
}

std::vector<std::shared_ptr<ServerConnection>> ConnectionList::all() {
  std::vector<std::shared_ptr<ServerConnection>> all;
  for_each([&](const auto& connection) { all.push_back(connection); });
  return all;
}

}  // namespace shinar::wire
