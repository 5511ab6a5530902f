/**
 * A large message needs all of its memory at once, which many small ones never leave: now and then
 * one that waits may claim it, and for a moment others leave it what becomes free. Only a moment,
 * as who claims may have no good intentions. Tenants claim it from others, connections of a tenant
 * from each other. Any thread.
 */
#ifndef SHINAR_CORE_MEMORY_CLAIM_HPP
#define SHINAR_CORE_MEMORY_CLAIM_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

#include "checked_mutex.hpp"

namespace shinar::wire {

class MemoryClaim {
 public:
  using Clock = std::chrono::steady_clock;

  /** Claims so much, unless somebody has done so lately. `who` is only compared. */
  void make(const void* who, std::uint64_t bytes, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    if (now < next_) return;
    who_ = who;
    bytes_ = bytes;
    until_.store(now + length, std::memory_order_relaxed);
    next_ = now + interval;
  }
  /** What this one has to leave to another. */
  std::uint64_t beside(const void* who, Clock::time_point now) {
    if (now >= until_.load(std::memory_order_relaxed)) return 0;
    const std::lock_guard lock(mutex_);
    return who_ == who ? 0 : bytes_;
  }
  /** It has got what it wanted. */
  void is_met(const void* who) {
    if (until_.load(std::memory_order_relaxed) == Clock::time_point()) return;
    const std::lock_guard lock(mutex_);
    if (who_ == who) until_.store(Clock::time_point(), std::memory_order_relaxed);
  }

 private:
  static constexpr std::chrono::milliseconds length{200}, interval{1000};

  std::atomic<Clock::time_point> until_{Clock::time_point()};
  CheckedMutex<"MemoryClaim"> mutex_;  ///< guards the following
  const void* who_ = nullptr;
  std::uint64_t bytes_ = 0;
  Clock::time_point next_{};
};

}  // namespace shinar::wire
#endif
