/**
 * What one thread waits for and others set: a futex, without the mutex that a condition variable
 * would make the woken thread queue for. An owner that waits for a socket instead polls the event's
 * descriptor beside it.
 *
 * A notification that precedes the wait is not lost. The owner may destroy the event as soon as it
 * has seen a notification: after that notify() passes the event's address to the kernel, but does
 * not touch it.
 */
#ifndef SHINAR_CORE_EVENT_HPP
#define SHINAR_CORE_EVENT_HPP

#include <linux/futex.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <optional>
#include <utility>

#include "checked_mutex.hpp"
#include "socket.hpp"

namespace shinar::wire {

class Event {
 public:
  using Clock = std::chrono::steady_clock;

  /** Any thread. `what` is a set of bits, not empty. */
  void notify(std::uint32_t what) {
    bits_.fetch_or(what, std::memory_order_release);
    ::syscall(SYS_futex, &bits_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }

  /** The same for an owner that may be polling the descriptor. The event must outlive the call. */
  void notify_poller(std::uint32_t what) {
    notify(what);
    const std::lock_guard lock(mutex_);
    if (wake_.is_open()) static_cast<void>(!::eventfd_write(wake_.fd(), 1));
  }

  /** True if some of `what` was notified and has neither been waited for nor cleared since. */
  bool is_set(std::uint32_t what) const {
    return (bits_.load(std::memory_order_acquire) & what) != 0;
  }
  void clear(std::uint32_t what) {
    if (is_set(what)) bits_.fetch_and(~what, std::memory_order_acquire);
  }

  /** Readable after notify_poller; -1: the process is out of descriptors. Owner's thread. */
  int descriptor() {
    if (!wake_.is_open()) open();
    return wake_.fd();
  }
  /** To be called when the descriptor was readable, before the bits are examined. Owner's thread.
   */
  void clear_descriptor() {
    eventfd_t ignored = 0;
    if (wake_.is_open()) static_cast<void>(!::eventfd_read(wake_.fd(), &ignored));
  }
  /** The owner stops polling, though the event may live on for long. Owner's thread. */
  void close_descriptor() {
    if (!wake_.is_open()) return;
    const std::lock_guard lock(mutex_);
    Socket(std::move(wake_));
  }

  /** Sleeps until notified or the time has come; returns and clears the bits. Owner's thread. */
  std::uint32_t wait(const std::optional<Clock::time_point>& until) {
    timespec time{};
    if (until) {
      const auto since = until->time_since_epoch();
      const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
      time.tv_sec = seconds.count();
      time.tv_nsec = static_cast<long>(std::chrono::nanoseconds(since - seconds).count());
    }
    while (bits_.load(std::memory_order_relaxed) == 0) {
      // Against the absolute time of CLOCK_MONOTONIC, which is what steady_clock shows.
      ::syscall(SYS_futex, &bits_, FUTEX_WAIT_BITSET_PRIVATE, 0, until ? &time : nullptr, nullptr,
                FUTEX_BITSET_MATCH_ANY);
      if (until && Clock::now() >= *until) break;
    }
    return bits_.exchange(0, std::memory_order_acquire);
  }

 private:
  /** Either the notifier sees the descriptor, or the descriptor shows what was notified. */
  void open() {
    const std::lock_guard lock(mutex_);
    wake_ = Socket(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (wake_.is_open() && bits_.load() != 0) static_cast<void>(!::eventfd_write(wake_.fd(), 1));
  }

  static_assert(sizeof(std::atomic<std::uint32_t>) == 4);
  std::atomic<std::uint32_t> bits_{0};
  CheckedMutex<"Event"> mutex_;
  Socket wake_;  ///< changed by the owner alone, under the mutex
};

/** The owner may poll the event's descriptor during its lifetime. */
class PolledEvent {
 public:
  explicit PolledEvent(Event& event) : event_(event) {}
  PolledEvent(const PolledEvent&) = delete;
  PolledEvent& operator=(const PolledEvent&) = delete;
  ~PolledEvent() { event_.close_descriptor(); }

 private:
  Event& event_;
};

}  // namespace shinar::wire
#endif
