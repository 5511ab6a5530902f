/**
 * The memory for the messages of all connections of a server, and for connections that themselves
 * take much: see Resource::memory. Any thread.
 */
#ifndef SHINAR_CORE_TOTAL_MEMORY_HPP
#define SHINAR_CORE_TOTAL_MEMORY_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "memory.hpp"
#include "memory_claim.hpp"
#include "tenant.hpp"

namespace shinar::wire {

/** `wished`: bytes; 0: half of what the process may use, by the machine and its control group. */
std::uint64_t total_memory(std::uint64_t wished);

/** Of a server: what all connections and their messages may take, and who may take it next. */
struct MessageMemory {
  /** What a tenant may have, however many others want some. */
  static constexpr std::uint64_t floor = std::uint64_t{16} << 20;

  explicit MessageMemory(std::uint64_t bytes) : all(bytes) {}
  /** What is left to messages if there are none. */
  std::uint64_t beside_connections() const {
    const std::uint64_t taken = of_connections.load(std::memory_order_relaxed);
    return all.limit() > taken ? all.limit() - taken : 0;
  }
  bool has_messages() const { return all.used() != of_connections.load(std::memory_order_relaxed); }

  Budget all;
  MemoryClaim claim;                             ///< of tenants
  std::atomic<std::uint64_t> of_connections{0};  ///< what they take beside messages
  std::atomic<unsigned> unpaid{0};               ///< connections that are told that there is none
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
          tenant_->try_take(Resource::memory, bytes, free, MessageMemory::floor)) {
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
        tenant_->may_take(Resource::memory, bytes, free, MessageMemory::floor)) {
      return true;
    }
    want(bytes, now);
    return false;
  }
  std::uint64_t most() const override {
    return std::max(MessageMemory::floor, memory_->beside_connections() / (times() + 1) * times());
  }

 private:
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

/** What a connection itself takes of it as long as it exists. One thread at a time. */
class ConnectionMemory {
 public:
  explicit ConnectionMemory(std::shared_ptr<MessageMemory> memory) : memory_(std::move(memory)) {}
  ConnectionMemory(const ConnectionMemory&) = delete;
  ConnectionMemory& operator=(const ConnectionMemory&) = delete;
  ~ConnectionMemory();

  /**
   * Takes so much for the tenant, instead of what it had. Why it may not, and then has nothing;
   * empty: it may.
   */
  std::string take(std::shared_ptr<Tenant> tenant, std::uint64_t bytes);
  /** It has none, and lives on until its client was told. False if too many do. */
  bool go_unpaid();
  /** Why another connection of a tenant that has some must wait for that; empty: it need not. */
  static std::string why_full(const MessageMemory& memory, const Tenant& tenant,
                              std::uint64_t bytes);

 private:
  void give_back();

  const std::shared_ptr<MessageMemory> memory_;
  std::shared_ptr<Tenant> tenant_;
  std::uint64_t bytes_ = 0;
  bool is_unpaid_ = false;
};

}  // namespace shinar::wire
#endif
