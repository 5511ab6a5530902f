/**
 * Where the bulk segments of an answer go: into memory of the caller, who has said so beforehand.
 *
 * The caller's thread makes it, and revokes it when the call is over, however it ends. Meanwhile
 * whoever reads the connection fills the memory: nobody else may count on its contents then, and
 * when the call has failed they are not known.
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

  /** An answer has begun to come, of which the header and the body are here. Any thread. */
  void begin(Message& answer, std::span<const std::uint64_t> sizes) {
    const std::lock_guard lock(mutex_);
    places_.assign(sizes.size(), std::nullopt);
    if (!is_revoked_) choose(answer);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (places_[i] && places_[i]->size() != sizes[i]) places_[i].reset();
    }
  }

  /** Whether a segment has a place. By whoever reads, after begin(), as the next. */
  bool has(std::size_t segment) const { return places_[segment].has_value(); }
  /** Bytes that lie in one piece from `offset` on. */
  std::size_t piece(std::size_t segment, std::size_t offset) const {
    return places_[segment]->piece(offset).size();
  }

  /** Calls action(place) for that of a segment, unless it is not to be used any more: false. */
  template <class Action>
  bool use(std::size_t segment, Action action) {
    const std::lock_guard lock(mutex_);
    if (is_revoked_) return false;
    action(*places_[segment]);
    return true;
  }

  /** The memory is not used from here on. */
  void revoke() {
    const std::lock_guard lock(mutex_);
    is_revoked_ = true;
  }

 protected:
  /** Says by set() which segments have a place: where the size is another one they have not. Throws
   *  std::bad_alloc alone; no calls, no users' code. */
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
