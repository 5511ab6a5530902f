#include "core/server/write_poll.hpp"

#include <sys/epoll.h>

#include <mutex>
#include <utility>

#include "core/server/server_connection.hpp"
#include "core/worker_pool.hpp"

namespace shinar::wire {

WritePoll::WritePoll(WorkerPool& pool) : pool_(pool), epoll_(epoll_of_server()) {}

void WritePoll::start() {
  pool_.add(epoll_.fd(), *this);
}

bool WritePoll::add(ServerConnection& connection, bool is_known) {
  {
    const std::lock_guard lock(mutex_);
    backlogged_.try_emplace(
        &connection, std::static_pointer_cast<ServerConnection>(connection.shared_from_this()));
  }
  return arm(connection, is_known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD);
}

bool WritePoll::rearm(ServerConnection& connection) {
  return arm(connection, EPOLL_CTL_MOD);
}

bool WritePoll::arm(ServerConnection& connection, int how) {
  static_assert(EPOLLIN == POLLIN && EPOLLOUT == POLLOUT);
  const pollfd awaited = connection.channel->writable_event();
  epoll_event event{};
  event.events = static_cast<std::uint32_t>(awaited.events) | EPOLLONESHOT;
  event.data.ptr = &connection;
  return ::epoll_ctl(epoll_.fd(), how, awaited.fd, &event) == 0;
}

void WritePoll::remove(ServerConnection& connection) {
  const std::lock_guard lock(mutex_);
  backlogged_.erase(&connection);
}

std::vector<std::shared_ptr<ServerConnection>> WritePoll::all() {
  std::vector<std::shared_ptr<ServerConnection>> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [raw, connection] : backlogged_) all.push_back(connection);
  return all;
}

std::vector<std::shared_ptr<ServerConnection>> WritePoll::take_all() {
  auto taken = all();
  const std::lock_guard lock(mutex_);
  backlogged_.clear();
  return taken;
}

void WritePoll::serve(Worker& worker) {
  epoll_event events[16];
  const int count = ::epoll_wait(epoll_.fd(), events, 16, 0);
  std::vector<std::shared_ptr<ServerConnection>> ready;
  {
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < count; ++i) {
      const auto at = backlogged_.find(static_cast<ServerConnection*>(events[i].data.ptr));
      if (at != backlogged_.end()) ready.push_back(at->second);
    }
  }
  pool_.arm(epoll_.fd(), *this);
  for (const auto& connection : ready) connection->replies.send_on(&worker);
}

}  // namespace shinar::wire
