/**
 * Receives the bulk segments of an answer straight into the caller's memory.
 *
 * The caller's thread makes it, and revokes it when the call is over, however it ends. Meanwhile
 * the reader of the connection fills the memory, whose contents are undefined until then, and also
 * if the call has failed.
 */
#ifndef SHINAR_CORE_LANDING_HPP
#define SHINAR_CORE_LANDING_HPP

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "checked_mutex.hpp"
#include "strided.hpp"

namespace shinar::wire {

struct Message;

class Landing {
 public:
  virtual ~Landing() = default;

  /** Header and body of the answer have arrived; `sizes` are those of its segments. Any thread. */
  void begin(Message& answer, std::span<const std::uint64_t> sizes) {
    const std::lock_guard lock(mutex_);
    places_.assign(sizes.size(), std::nullopt);
    if (!is_revoked_) choose(answer);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (places_[i] && places_[i]->size() != sizes[i]) places_[i].reset();
    }
  }

  /**
   * Whether a segment has a destination. This and the next are called by the reader, after begin().
   */
  bool has(std::size_t segment) const { return places_[segment].has_value(); }
  bool is_elsewhere(std::size_t segment) const { return places_[segment]->is_elsewhere(); }
  /** Contiguous bytes from `offset` on that can be received into as they are. */
  std::size_t piece(std::size_t segment, std::size_t offset) const {
    const Strided& place = *places_[segment];
    return place.is_elsewhere() ? 0 : place.piece(offset).size();
  }

  /** Calls action(place) for a segment's destination; false if the landing has been revoked. */
  template <class Action>
  bool use(std::size_t segment, Action action) {
    const std::lock_guard lock(mutex_);
    if (is_revoked_) return false;
    action(*places_[segment]);
    return true;
  }

  /** The memory is not touched any more once this returns. */
  void revoke() {
    const std::lock_guard lock(mutex_);
    is_revoked_ = true;
  }

 protected:
  /**
   * Chooses destinations by set(); those of the wrong size are ignored. May throw only
   * std::bad_alloc; must make no calls and run no users' code.
   */
  virtual void choose(Message& answer) = 0;
  void set(std::size_t segment, const Strided& place) {
    if (segment < places_.size()) places_[segment] = place;
  }

 private:
  CheckedMutex<"Landing"> mutex_;  ///< never held while waiting for the network
  bool is_revoked_ = false;
  std::vector<std::optional<Strided>> places_;  ///< written by begin() alone
};

}  // namespace shinar::wire
#endif
