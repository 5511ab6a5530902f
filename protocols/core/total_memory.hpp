/**
 * The memory for the messages of all connections of a server: see Resource::memory. Any thread.
 */
#ifndef SHINAR_CORE_TOTAL_MEMORY_HPP
#define SHINAR_CORE_TOTAL_MEMORY_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "checked_mutex.hpp"
#include "memory.hpp"
#include "tenant.hpp"

namespace shinar::wire {

/** `wished`: bytes; 0: half of what the process may use, by the machine and its control group. */
std::uint64_t total_memory(std::uint64_t wished);

/**
 * A large message needs all of its memory at once, which many small ones never leave: now and then
 * a tenant that has none may claim it, and for a moment others leave it what becomes free. Only a
 * moment, as who claims may have no good intentions. Any thread.
 */
class MemoryClaim {
 public:
  using Clock = std::chrono::steady_clock;

  /** Claims so much for the tenant, unless somebody has done so lately. */
  void make(const Tenant& tenant, std::uint64_t bytes, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    if (now < next_) return;
    tenant_ = &tenant;
    bytes_ = bytes;
    until_.store(now + length, std::memory_order_relaxed);
    next_ = now + interval;
  }
  /** What this tenant has to leave to another one. */
  std::uint64_t beside(const Tenant& tenant, Clock::time_point now) {
    if (now >= until_.load(std::memory_order_relaxed)) return 0;
    const std::lock_guard lock(mutex_);
    return tenant_ == &tenant ? 0 : bytes_;
  }
  /** The tenant has got what it wanted. */
  void is_met(const Tenant& tenant) {
    const std::lock_guard lock(mutex_);
    if (tenant_ == &tenant) until_.store(Clock::time_point(), std::memory_order_relaxed);
  }

 private:
  static constexpr std::chrono::milliseconds length{200}, interval{1000};

  std::atomic<Clock::time_point> until_{Clock::time_point()};
  CheckedMutex<"MemoryClaim"> mutex_;  ///< guards the following
  const Tenant* tenant_ = nullptr;     ///< to be compared alone
  std::uint64_t bytes_ = 0;
  Clock::time_point next_{};
};

/** Of a server: what messages of all connections may take, and who may take it next. */
struct MessageMemory {
  explicit MessageMemory(std::uint64_t bytes) : all(bytes) {}
  Budget all;
  MemoryClaim claim;
};

/** What a connection's tenant takes of it; `all` limits the rest. */
class TenantMemory final : public SharedBudget {
 public:
  using Clock = std::chrono::steady_clock;

  TenantMemory(std::shared_ptr<MessageMemory> memory, std::shared_ptr<Tenant> tenant)
      : memory_(std::move(memory)), tenant_(std::move(tenant)) {}

  bool take(std::uint64_t bytes) override {
    const auto now = Clock::now();
    Budget& all = memory_->all;
    if (all.take(bytes)) {
      const std::uint64_t free = all.limit() - all.used();
      if (free >= memory_->claim.beside(*tenant_, now) &&
          tenant_->try_take(Resource::memory, bytes, free, floor)) {
        memory_->claim.is_met(*tenant_);
        return true;
      }
      all.give_back(bytes);
    }
    want(bytes, now);
    return false;
  }
  void give_back(std::uint64_t bytes) override {
    tenant_->give_back(Resource::memory, bytes);
    memory_->all.give_back(bytes);
    tenant_->let_one_go_on();
  }
  bool has(std::uint64_t bytes) const override {
    const auto now = Clock::now();
    const Budget& all = memory_->all;
    const std::uint64_t used = all.used() + bytes;
    const std::uint64_t free = used > all.limit() ? 0 : all.limit() - used;
    if (used <= all.limit() && free >= memory_->claim.beside(*tenant_, now) &&
        tenant_->may_take(Resource::memory, bytes, free, floor)) {
      return true;
    }
    want(bytes, now);
    return false;
  }
  std::uint64_t most() const override {
    return std::max(floor, memory_->all.limit() / (times() + 1) * times());
  }

 private:
  /** What a tenant may have, however many others want some. */
  static constexpr std::uint64_t floor = std::uint64_t{16} << 20;
  void want(std::uint64_t bytes, Clock::time_point now) const {
    if (tenant_->used(Resource::memory) != 0) return;
    memory_->claim.make(*tenant_, bytes + bytes / times(), now);
  }
  std::uint64_t times() const { return Tenant::times_of_one * tenant_->weight(); }

  const std::shared_ptr<MessageMemory> memory_;
  const std::shared_ptr<Tenant> tenant_;
};

}  // namespace shinar::wire
#endif
