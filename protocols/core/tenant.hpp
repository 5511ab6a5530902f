/**
 * Clients share what a server has little of: threads, memory, connections. A tenant is who has a
 * share: an identity that is one's own, or, of those that many have (a shared secret, nobody), each
 * session; these are tenants of a group, their identity.
 *
 * There are no fixed shares. Each tenant may take so many times as much as is left: alone it gets
 * most of it, beside another one less, and whoever comes finds something.
 */
#ifndef SHINAR_CORE_TENANT_HPP
#define SHINAR_CORE_TENANT_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "memory_claim.hpp"
#include "ready_queue.hpp"
#include "waiting_line.hpp"

namespace shinar::wire {

enum class Resource : std::uint8_t {
  threads,      ///< that run calls which take long
  waiting,      ///< threads that wait for peers
  memory,       ///< of messages
  kept,         ///< bytes that are kept beyond messages: see Account
  connections,  ///< that have finished the handshake
  objects,      ///< that sessions hold: only counted
};
constexpr std::size_t resource_count = 6;

/** Any thread. */
class Tenant {
 public:
  /** How many times as much as is left one may have. */
  static constexpr std::uint64_t times_of_one = 2;
  static constexpr std::uint64_t times_of_group = 8;

  explicit Tenant(std::shared_ptr<Tenant> group = nullptr, std::uint64_t times = times_of_one)
      : group_(std::move(group)), times_(times) {}
  Tenant(const Tenant&) = delete;
  Tenant& operator=(const Tenant&) = delete;
  ~Tenant() = default;

  /** Its part beside that of others; at least 1. */
  unsigned weight() const { return line->weight.load(std::memory_order_relaxed); }
  void set_weight(unsigned weight) { line->weight.store(weight, std::memory_order_relaxed); }

  /**
   * True if it may have `amount` more where `free` would be left then; never less than `floor`, if
   * there is as much.
   */
  bool may_take(Resource what, std::uint64_t amount, std::uint64_t free,
                std::uint64_t floor = 0) const {
    for (const Tenant* each = this; each != nullptr; each = each->group_.get()) {
      if (!each->is_within(each->used(what) + amount, free, floor)) return false;
    }
    return true;
  }
  /** Takes it whether or not it may. */
  void take(Resource what, std::uint64_t amount) {
    for (Tenant* each = this; each != nullptr; each = each->group_.get()) {
      each->of(what).fetch_add(amount, std::memory_order_relaxed);
    }
  }
  /** Takes it if it may. */
  bool try_take(Resource what, std::uint64_t amount, std::uint64_t free, std::uint64_t floor = 0) {
    take(what, amount);
    if (may_take(what, 0, free, floor)) return true;
    give_back(what, amount);
    return false;
  }
  void give_back(Resource what, std::uint64_t amount) {
    for (Tenant* each = this; each != nullptr; each = each->group_.get()) {
      each->of(what).fetch_sub(amount, std::memory_order_relaxed);
    }
  }
  std::uint64_t used(Resource what) const {
    return used_[static_cast<std::size_t>(what)].load(std::memory_order_relaxed);
  }

  /** The connection waits for its share. */
  void hold(std::weak_ptr<Held> connection) { held_.enter(std::move(connection)); }
  /** It may have more: one connection goes on, if any waits. */
  void let_one_go_on() { held_.let_one_go_on(false); }

  const std::shared_ptr<ReadyLine> line =
      std::make_shared<ReadyLine>();  ///< of its connections that are ready; under the lock of the
                                      ///< pool
  MemoryClaim claim;                  ///< of its connections, among each other

 private:
  std::atomic<std::uint64_t>& of(Resource what) { return used_[static_cast<std::size_t>(what)]; }
  bool is_within(std::uint64_t used, std::uint64_t free, std::uint64_t floor) const {
    const std::uint64_t times = times_ * weight();
    return used <= floor || free > std::numeric_limits<std::uint64_t>::max() / times ||
           used <= times * free;
  }

  const std::shared_ptr<Tenant> group_;
  const std::uint64_t times_;
  std::array<std::atomic<std::uint64_t>, resource_count> used_{};
  WaitingLine held_;
};

}  // namespace shinar::wire
#endif
