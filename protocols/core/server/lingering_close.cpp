#include "core/server/lingering_close.hpp"

#include <sys/epoll.h>

#include <mutex>
#include <utility>
#include <vector>

#include "core/server/server_connection.hpp"
#include "core/worker_pool.hpp"

namespace shinar::wire {

LingeringClose::LingeringClose(WorkerPool& pool) : pool_(pool), epoll_(epoll_of_server()) {}

void LingeringClose::start() {
  pool_.add(epoll_.fd(), *this);
}

bool LingeringClose::add(std::shared_ptr<ServerConnection> connection) {
  constexpr std::size_t most = 64;  // descriptors beyond the limit of connections
  constexpr std::chrono::seconds patience(1);
  const int fd = connection->channel->descriptor();
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = connection.get();
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= most || ::epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, fd, &event) != 0)
    return false;
  entries_.emplace(connection.get(), Entry{connection, Clock::now() + patience});
  return true;
}

void LingeringClose::remove(const std::shared_ptr<ServerConnection>& connection) {
  {
    const std::lock_guard lock(mutex_);
    if (entries_.erase(connection.get()) == 0) return;
    ::epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, connection->channel->descriptor(), nullptr);
  }
  connection->channel->shut_down();
}

void LingeringClose::tidy(Clock::time_point now) {
  std::vector<std::shared_ptr<ServerConnection>> over;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [raw, entry] : entries_) {
      if (now >= entry.until) over.push_back(entry.connection);
    }
  }
  for (const auto& connection : over) remove(connection);
}

/** Drops what has come, for a while: others want to be served, too. */
bool LingeringClose::has_ended(ServerConnection& connection) const {
  constexpr int most = 64;
  for (int i = 0; i < most; ++i) {
    if (!connection.channel->discard()) return true;
    const auto now = std::chrono::milliseconds(0);
    if (!connection.channel->await(true, false, -1, now).readable) break;
  }
  return false;
}

void LingeringClose::serve(Worker& /*worker*/) {
  epoll_event events[16];
  const int count = ::epoll_wait(epoll_.fd(), events, 16, 0);
  std::vector<std::shared_ptr<ServerConnection>> ready;
  {
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < count; ++i) {
      const auto at = entries_.find(static_cast<ServerConnection*>(events[i].data.ptr));
      if (at != entries_.end()) ready.push_back(at->second.connection);
    }
  }
  for (const auto& connection : ready) {
    if (has_ended(*connection)) remove(connection);
  }
  pool_.arm(epoll_.fd(), *this);
}

}  // namespace shinar::wire
