/**
 * Connections that wait, in the order in which they came, until there is something for them.
 */
#ifndef SHINAR_CORE_WAITING_LINE_HPP
#define SHINAR_CORE_WAITING_LINE_HPP

#include <memory>
#include <mutex>
#include <utility>

#include "checked_mutex.hpp"
#include "fifo.hpp"

namespace shinar::wire {

/** What waits: a connection that is not read, or a call. */
class Held {
 public:
  /**
   * `has_place`: a call of it has been counted among those in work of its party. False if it does
   * not wait any more; the place is then left to the caller. Any thread.
   */
  virtual bool let_on(bool has_place) = 0;

 protected:
  ~Held() = default;
};

/** Any thread. */
class WaitingLine {
 public:
  /** `first`: before all others, as it has had its turn in vain. */
  void enter(std::weak_ptr<Held> who, bool first = false) {
    const std::lock_guard lock(mutex_);
    line_.insert(first ? line_.begin() : line_.end(), std::move(who));
  }
  bool is_empty() const {
    const std::lock_guard lock(mutex_);
    return line_.empty();
  }
  /** The first one goes on; false if none waits. */
  bool let_one_go_on(bool has_place) {
    for (;;) {
      std::shared_ptr<Held> next;
      {
        const std::lock_guard lock(mutex_);
        if (line_.empty()) return false;
        next = line_.front().lock();
        line_.pop_front();
      }
      if (next != nullptr && next->let_on(has_place)) return true;
    }
  }

 private:
  mutable CheckedMutex<"WaitingLine"> mutex_;
  Fifo<std::weak_ptr<Held>> line_;
};

}  // namespace shinar::wire
#endif
