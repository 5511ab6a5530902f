/** What a client tells a server of references and connections. */
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "exports.hpp"
#include "notice.hpp"
#include "peer.hpp"
#include "thread_end.hpp"

namespace shinar::wire {

/** The notices for the server. Under the lock. */
std::vector<Notice> Peer::take_notices() {
  std::vector<Notice> notices = std::exchange(unsent_, {});
  std::erase_if(dropped_, [&](const Dropped& each) {
    const Connection connection = each.connection.lock();
    if (connection != nullptr && !connection->is_read_to_the_end()) return false;
    for (Notice& notice : Notice::end_of(*each.stream)) notices.push_back(std::move(notice));
    return true;
  });
  streams_->tidy();
  return notices;
}

void Peer::tell(Notice notice) noexcept {
  const Cancelling not_now(PTHREAD_CANCEL_DISABLE);
  try {
    send(std::move(notice), exports_ == nullptr);
  } catch (const std::exception&) {
    // Out of memory: the count is dropped when the session ends.
  }
}

void Peer::tidy() noexcept {
  const Cancelling not_now(PTHREAD_CANCEL_DISABLE);
  try {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (!generation_.is_current()) return;
      drop_broken();
      if (connections_.empty()) return;
      std::vector<Notice> notices = take_notices();
      lock.unlock();
      if (notices.empty()) return;
      // This may find more connections broken.
      for (Notice& each : notices) send(std::move(each), true);
    }
  } catch (const std::exception&) {
    // Out of memory: what was lost stays booked until the session ends.
  }
}

bool Peer::look() noexcept {
  const Cancelling not_now(PTHREAD_CANCEL_DISABLE);
  try {
    std::vector<Connection> unattended;
    std::unique_lock lock(mutex_);
    if (!generation_.is_current()) return false;
    if (!lends_) unattended = connections_;
    for (const Connection& each : connections_) each->rest_sending();
    lock.unlock();
    for (const Connection& each : unattended) each->service();
    lock.lock();
    drop_broken();
    return !connections_.empty() && !(dropped_.empty() && unsent_.empty());
  } catch (const std::exception&) {
    return false;  // out of memory: the next look() tries again
  }
}

/**
 * Tries another connection if one breaks; keeps the notice if there is none. `waits`: for the
 * server to take it; else another thread does.
 */
void Peer::send(Notice notice, bool waits) {
  const bool is_release = !notice.object.empty();
  for (;;) {
    Connection connection;
    bool has_more = false;
    {
      const std::lock_guard lock(mutex_);
      if (!generation_.is_current()) return;  // the reference is the parent's
      drop_broken();
      has_more = is_release && !dropped_.empty();
      if (connections_.empty()) {
        unsent_.push_back(std::move(notice));
        return;
      }
      connection = connections_.front();
    }
    try {
      notice.send(*connection, *streams_, waits);
      if (has_more) tidy();
      return;
    } catch (const Error& error) {
      if (!connection->is_usable()) continue;  // try another connection
      if (waits || error.failure() != Failure::time_out) throw;
      return postpone(std::move(notice));
    }
  }
}

/** One thread sends all that the server does not take now. */
void Peer::postpone(Notice notice) {
  {
    const std::lock_guard lock(mutex_);
    postponed_.push_back(std::move(notice));
    if (std::exchange(is_sending_postponed_, true)) return;
  }
  exports_->submit([peer = weak_from_this()] {
    if (const auto self = peer.lock()) static_cast<Peer&>(*self).send_postponed();
  });
}

void Peer::send_postponed() noexcept {
  try {
    for (;;) {
      std::unique_lock lock(mutex_);
      if (postponed_.empty()) {
        is_sending_postponed_ = false;
        return;
      }
      Notice next = std::move(postponed_.front());
      postponed_.pop_front();
      lock.unlock();
      send(std::move(next), true);
    }
  } catch (const std::exception&) {
    // Out of memory: the rest is sent behind what is postponed next, or dropped with the session.
    const std::lock_guard lock(mutex_);
    is_sending_postponed_ = false;
  }
}

}  // namespace shinar::wire
