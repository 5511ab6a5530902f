/**
 * What one thread sleeps on and others ring: a futex, without the mutex that a condition variable
 * would make the woken thread queue for. Where the owner waits for a socket instead, it polls a
 * descriptor of the bell beside it.
 *
 * A ring that comes before the wait is heard. The owner may go away as soon as it has heard one:
 * after that ring() names the bell's address to the kernel, but does not touch it.
 */
#ifndef SHINAR_CORE_BELL_HPP
#define SHINAR_CORE_BELL_HPP

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

class Bell {
 public:
  using Clock = std::chrono::steady_clock;

  /** Any thread. `what` is a set of bits, not empty. */
  void ring(std::uint32_t what) {
    rung_.fetch_or(what, std::memory_order_release);
    ::syscall(SYS_futex, &rung_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }

  /** The same for an owner that may poll the descriptor, and does not go away meanwhile. */
  void ring_through(std::uint32_t what) {
    ring(what);
    const std::lock_guard lock(mutex_);
    if (wake_.is_open()) static_cast<void>(!::eventfd_write(wake_.fd(), 1));
  }

  /** True if some of `what` was rung, and neither waited for nor forgotten since. */
  bool is_rung(std::uint32_t what) const {
    return (rung_.load(std::memory_order_acquire) & what) != 0;
  }
  void forget(std::uint32_t what) {
    if (is_rung(what)) rung_.fetch_and(~what, std::memory_order_acquire);
  }

  /** Readable after ring_through; -1: the process has no more descriptors. Owner's thread. */
  int descriptor() {
    if (!wake_.is_open()) open();
    return wake_.fd();
  }
  /** It was found readable, and what was rung is looked at after this. Owner's thread. */
  void clear_descriptor() {
    eventfd_t ignored = 0;
    if (wake_.is_open()) static_cast<void>(!::eventfd_read(wake_.fd(), &ignored));
  }
  /** Nobody polls any more, though the bell may stay for long. Owner's thread. */
  void close_descriptor() {
    if (!wake_.is_open()) return;
    const std::lock_guard lock(mutex_);
    Socket(std::move(wake_));
  }

  /** Sleeps until the bell is rung or the time has come; returns what was rung. Owner's thread. */
  std::uint32_t wait(const std::optional<Clock::time_point>& until) {
    timespec time{};
    if (until) {
      const auto since = until->time_since_epoch();
      const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
      time.tv_sec = seconds.count();
      time.tv_nsec = static_cast<long>(std::chrono::nanoseconds(since - seconds).count());
    }
    while (rung_.load(std::memory_order_relaxed) == 0) {
      // Against the absolute time of CLOCK_MONOTONIC, which is what steady_clock shows.
      ::syscall(SYS_futex, &rung_, FUTEX_WAIT_BITSET_PRIVATE, 0, until ? &time : nullptr, nullptr,
                FUTEX_BITSET_MATCH_ANY);
      if (until && Clock::now() >= *until) break;
    }
    return rung_.exchange(0, std::memory_order_acquire);
  }

 private:
  /** Whoever rings sees it then, or it shows what was rung. */
  void open() {
    const std::lock_guard lock(mutex_);
    wake_ = Socket(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (wake_.is_open() && rung_.load() != 0) static_cast<void>(!::eventfd_write(wake_.fd(), 1));
  }

  static_assert(sizeof(std::atomic<std::uint32_t>) == 4);
  std::atomic<std::uint32_t> rung_{0};
  CheckedMutex<"Bell"> mutex_;
  Socket wake_;  ///< the owner's, who changes it under the mutex
};

/** While it lives the owner may poll the bell's descriptor. */
class PolledBell {
 public:
  explicit PolledBell(Bell& bell) : bell_(bell) {}
  PolledBell(const PolledBell&) = delete;
  PolledBell& operator=(const PolledBell&) = delete;
  ~PolledBell() { bell_.close_descriptor(); }

 private:
  Bell& bell_;
};

}  // namespace shinar::wire
#endif
