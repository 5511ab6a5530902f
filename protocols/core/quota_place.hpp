/**
 * A call that is among those in work of its party, whose quota says how many there may be: from
 * when it begins, or waits for its object, to its end. While its thread waits for other calls it is
 * not one of them: they might wait for the quota.
 */
#ifndef SHINAR_CORE_QUOTA_PLACE_HPP
#define SHINAR_CORE_QUOTA_PLACE_HPP

#include <memory>
#include <utility>

namespace shinar::wire {

class Party;

/** Of one call, with which it moves. Empty: the call is not counted. */
class QuotaPlace {
 public:
  QuotaPlace() = default;
  /** After try_begin_call(). */
  explicit QuotaPlace(std::shared_ptr<Party> party) : party_(std::move(party)) {}
  QuotaPlace(QuotaPlace&& other) noexcept : party_(std::move(other.party_)) {}
  QuotaPlace& operator=(QuotaPlace&& other) noexcept {
    end();
    party_ = std::move(other.party_);
    return *this;
  }
  ~QuotaPlace() { end(); }

  explicit operator bool() const { return party_ != nullptr; }
  /** The call is over; another one of the party may begin. Without locks. */
  void end() noexcept {
    if (party_ != nullptr) give_back();
  }
  /** Its thread waits for other calls; false: it does already. */
  bool pause() const;
  /** It goes on. */
  void resume() const;

 private:
  void give_back() noexcept;
  std::shared_ptr<Party> party_;
  mutable bool is_paused_ = false;  ///< of a call that runs; its thread's
};

/**
 * This thread waits for other calls, as long as it lives. Waits within it change nothing; what the
 * thread runs meanwhile is counted, and may wait as well. On its stack.
 */
class WaitForCalls {
 public:
  WaitForCalls();
  WaitForCalls(const WaitForCalls&) = delete;
  WaitForCalls& operator=(const WaitForCalls&) = delete;
  ~WaitForCalls();

 private:
  const QuotaPlace* place_;  ///< NULL: the thread runs no call that is counted
};

}  // namespace shinar::wire
#endif
