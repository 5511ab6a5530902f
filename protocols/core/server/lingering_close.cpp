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
void LingeringClose::drop_some(const std::shared_ptr<ServerConnection>& connection) {
  constexpr int most = 64;
  int portions = 0;
  do {
    if (!connection->channel->discard()) return remove(connection);
    ++portions;
  } while (portions < most &&
           connection->channel->await(true, false, -1, std::chrono::milliseconds(0)).readable);
  count(*connection, portions);
}

/** What has sent too much is not looked at any more until its time is over. */
void LingeringClose::count(const ServerConnection& connection, int portions) {
  constexpr int most = 256;  // of 4 KiB
  const std::lock_guard lock(mutex_);
  const auto at = entries_.find(&connection);
  if (at == entries_.end() || (at->second.portions += portions) < most) return;
  ::epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, connection.channel->descriptor(), nullptr);
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
  for (const auto& connection : ready) drop_some(connection);
  pool_.arm(epoll_.fd(), *this);
}

}  // namespace shinar::wire
