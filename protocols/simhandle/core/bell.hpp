/**
 * What one thread sleeps on and others ring: a futex, without the mutex that a condition variable
 * would make the woken thread queue for.
 *
 * A ring that comes before the wait is heard. The owner may go away as soon as it has heard one:
 * after that ring() names the bell's address to the kernel, but does not touch it.
 */
#ifndef SIMHANDLE_BELL_HPP
#define SIMHANDLE_BELL_HPP

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>

namespace simhandle {

class Bell {
 public:
  using Clock = std::chrono::steady_clock;

  /** Any thread. `what` is a set of bits, not empty. */
  void ring(std::uint32_t what) {
    rung_.fetch_or(what, std::memory_order_release);
    ::syscall(SYS_futex, &rung_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
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
  static_assert(sizeof(std::atomic<std::uint32_t>) == 4);
  std::atomic<std::uint32_t> rung_{0};
};

}  // namespace simhandle
#endif
