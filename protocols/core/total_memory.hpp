/**
 * The memory for the messages of all connections of a server: see Resource::memory. Any thread.
 */
#ifndef SHINAR_CORE_TOTAL_MEMORY_HPP
#define SHINAR_CORE_TOTAL_MEMORY_HPP

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "memory.hpp"
#include "tenant.hpp"

namespace shinar::wire {

/** `wished`: bytes; 0: half of what the process may use, by the machine and its control group. */
std::uint64_t total_memory(std::uint64_t wished);

/** What a connection's tenant takes of it; `all` limits the rest. */
class TenantMemory final : public SharedBudget {
 public:
  TenantMemory(std::shared_ptr<Budget> all, std::shared_ptr<Tenant> tenant)
      : all_(std::move(all)), tenant_(std::move(tenant)) {}

  bool take(std::uint64_t bytes) override {
    if (!all_->take(bytes)) return false;
    if (tenant_->try_take(Resource::memory, bytes, all_->limit() - all_->used(), floor)) {
      return true;
    }
    all_->give_back(bytes);
    return false;
  }
  void give_back(std::uint64_t bytes) override {
    tenant_->give_back(Resource::memory, bytes);
    all_->give_back(bytes);
    tenant_->let_one_go_on();
  }
  bool has(std::uint64_t bytes) const override {
    const std::uint64_t used = all_->used() + bytes;
    return used <= all_->limit() &&
           tenant_->may_take(Resource::memory, bytes, all_->limit() - used, floor);
  }
  std::uint64_t most() const override {
    const std::uint64_t times = Tenant::times_of_one * tenant_->weight();
    return std::max(floor, all_->limit() / (times + 1) * times);
  }

 private:
  /** What a tenant may have, however many others want some. */
  static constexpr std::uint64_t floor = std::uint64_t{16} << 20;

  const std::shared_ptr<Budget> all_;
  const std::shared_ptr<Tenant> tenant_;
};

}  // namespace shinar::wire
#endif
