/**
 * What identifies a chain of calls, and a branch of it: see chain.hpp.
 */
#ifndef SHINAR_CORE_CHAIN_ID_HPP
#define SHINAR_CORE_CHAIN_ID_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "id128.hpp"

namespace shinar::wire {

/** Ids of all branches of a chain are equal. */
class ChainId {
 public:
  ChainId() = default;
  static ChainId random() {
    ChainId made;
    made.bytes_ = random_id();
    return made;
  }

  std::byte* data() { return bytes_.data(); }
  const std::byte* data() const { return bytes_.data(); }

  friend bool operator==(const ChainId& one, const ChainId& other) {
    return std::equal(one.bytes_.begin(), one.bytes_.begin() + chain_bytes, other.bytes_.begin());
  }
  /** True if they are of one chain, and of different branches. */
  bool is_beside(const ChainId& other) const { return *this == other && bytes_ != other.bytes_; }
  /** From now on it is that of another branch; returns itself. */
  const ChainId& begin_branch() {
    static std::atomic<std::uint32_t> last{0};
    std::uint32_t branch = 0;
    std::memcpy(&branch, bytes_.data() + chain_bytes, sizeof branch);
    // Processes that begin branches of one chain begin different ones, more often than not.
    branch += 0x9e3779b9U * (last.fetch_add(1, std::memory_order_relaxed) * 2 + 1);
    std::memcpy(bytes_.data() + chain_bytes, &branch, sizeof branch);
    return *this;
  }

 private:
  static constexpr std::size_t chain_bytes = 12;

  Id128 bytes_{};
};
static_assert(sizeof(ChainId) == sizeof(Id128));

}  // namespace shinar::wire
#endif
