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
#include <utility>

#include "memory.hpp"
#include "memory_claim.hpp"
#include "tenant.hpp"

namespace shinar::wire {

/** `wished`: bytes; 0: half of what the process may use, by the machine and its control group. */
std::uint64_t total_memory(std::uint64_t wished);

/** Of a server: what messages of all connections may take, and who may take it next. */
struct MessageMemory {
  explicit MessageMemory(std::uint64_t bytes) : all(bytes) {}
  Budget all;
  MemoryClaim claim;  ///< of tenants
};

/** What a connection takes of it for its tenant; `all` limits the rest. */
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
      if (leaves_what_is_claimed(free, now) &&
          tenant_->try_take(Resource::memory, bytes, free, floor)) {
        used_.fetch_add(bytes, std::memory_order_relaxed);
        memory_->claim.is_met(tenant_.get());
        tenant_->claim.is_met(this);
        return true;
      }
      all.give_back(bytes);
    }
    want(bytes, now);
    return false;
  }
  void give_back(std::uint64_t bytes) override {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    tenant_->give_back(Resource::memory, bytes);
    memory_->all.give_back(bytes);
    tenant_->let_one_go_on();
  }
  bool has(std::uint64_t bytes) const override {
    const auto now = Clock::now();
    const Budget& all = memory_->all;
    const std::uint64_t used = all.used() + bytes;
    const std::uint64_t free = used > all.limit() ? 0 : all.limit() - used;
    if (used <= all.limit() && leaves_what_is_claimed(free, now) &&
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

  bool leaves_what_is_claimed(std::uint64_t free, Clock::time_point now) const {
    return free >= memory_->claim.beside(tenant_.get(), now) &&
           tenant_->claim.beside(this, now) == 0;
  }
  /** Others of the tenant leave it what becomes free, and other tenants, if this one has none. */
  void want(std::uint64_t bytes, Clock::time_point now) const {
    if (used_.load(std::memory_order_relaxed) != 0) return;
    const std::uint64_t claimed = bytes + bytes / times();
    tenant_->claim.make(this, claimed, now);
    if (tenant_->used(Resource::memory) == 0) memory_->claim.make(tenant_.get(), claimed, now);
  }
  std::uint64_t times() const { return Tenant::times_of_one * tenant_->weight(); }

  const std::shared_ptr<MessageMemory> memory_;
  const std::shared_ptr<Tenant> tenant_;
  std::atomic<std::uint64_t> used_{0};
};

}  // namespace shinar::wire
#endif
