#include "total_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "limits.hpp"

namespace shinar::wire {
namespace {

constexpr const char* total_memory_setting = "SIDL_RMI_TOTAL_MEMORY";

}  // namespace

std::uint64_t total_memory(std::uint64_t wished) {
  if (wished != 0) return wished;
  const auto pages = static_cast<std::uint64_t>(std::max(1L, ::sysconf(_SC_PHYS_PAGES)));
  std::uint64_t most = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  // Of a container; says "max" where there is no limit.
  std::ifstream file("/sys/fs/cgroup/memory.max");
  if (std::uint64_t of_group = 0; file >> of_group) most = std::min(most, of_group);
  return most / 2;
}

ConnectionMemory::~ConnectionMemory() {
  give_back();
  if (is_unpaid_) memory_->unpaid.fetch_sub(1, std::memory_order_relaxed);
}

void ConnectionMemory::give_back() {
  if (bytes_ == 0) return;
  memory_->of_connections.fetch_sub(bytes_, std::memory_order_relaxed);
  memory_->all.give_back(bytes_);
  tenant_->give_back(Resource::memory, std::exchange(bytes_, 0));
  tenant_->let_one_go_on();
}

std::string ConnectionMemory::take(std::shared_ptr<Tenant> tenant, std::uint64_t bytes) {
  give_back();
  if (bytes == 0) return "";
  Budget& all = memory_->all;
  if (!all.take(bytes)) {
    return Limits::exceeded("bytes of memory for connections and messages", all.limit(),
                            all.used() + bytes, total_memory_setting)
        .what();
  }
  if (!tenant->try_take(Resource::memory, bytes, all.limit() - all.used(), MessageMemory::floor)) {
    all.give_back(bytes);
    const std::uint64_t used = tenant->used(Resource::memory);
    return Limits::exceeded(
               "bytes of memory for connections and messages of one client, as others "
               "need some",
               used, used + bytes, total_memory_setting)
        .what();
  }
  memory_->of_connections.fetch_add(bytes, std::memory_order_relaxed);
  tenant_ = std::move(tenant);
  bytes_ = bytes;
  return "";
}

bool ConnectionMemory::go_unpaid() {
  constexpr unsigned most = 64;
  is_unpaid_ = true;
  return memory_->unpaid.fetch_add(1, std::memory_order_relaxed) < most;
}

std::string ConnectionMemory::why_full(const MessageMemory& memory, const Tenant& tenant,
                                       std::uint64_t bytes) {
  if (bytes == 0) return "";
  const std::uint64_t had = tenant.used(Resource::memory);
  const std::uint64_t used = memory.all.used() + bytes;
  const std::uint64_t free = used > memory.all.limit() ? 0 : memory.all.limit() - used;
  const bool is_full = used > memory.all.limit() ||
                       !tenant.may_take(Resource::memory, bytes, free, MessageMemory::floor);
  if (had == 0 || !is_full) return "";
  return Limits::exceeded("bytes of memory for connections that have not finished the handshake",
                          had, had + bytes, total_memory_setting)
      .what();
}

}  // namespace shinar::wire
