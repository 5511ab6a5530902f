/**
 * A call of a peer that has been read and not run yet.
 *
 * An object that it owns counts it among its connection's calls in work, so that the count drops
 * however the call ends, exceptions included.
 */
#ifndef SHINAR_CORE_INCOMING_CALL_HPP
#define SHINAR_CORE_INCOMING_CALL_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "chain_id.hpp"
#include "message.hpp"
#include "method_numbers.hpp"
#include "pin.hpp"
#include "quota_place.hpp"

namespace shinar::wire {

/** Counts calls in work. */
class CallCounter {
 public:
  /** A call has ended. `is_answered`: its answer is counted separately until it has been sent. */
  virtual void call_ended(bool is_answered) noexcept = 0;

 protected:
  ~CallCounter() = default;
};

/** Counts one call in work as long as it lives. The counter outlives it. */
class CountedCall {
 public:
  CountedCall() = default;
  /** The call has been added to the count already. */
  explicit CountedCall(CallCounter& counter) : counter_(&counter) {}
  CountedCall(CountedCall&& other) noexcept
      : counter_(std::exchange(other.counter_, nullptr)), is_answered_(other.is_answered_) {}
  CountedCall& operator=(CountedCall&& other) noexcept {
    end();
    counter_ = std::exchange(other.counter_, nullptr);
    is_answered_ = other.is_answered_;
    return *this;
  }
  ~CountedCall() { end(); }

  /** From now on the answer is counted separately. */
  void set_answered() { is_answered_ = true; }
  void end() noexcept {
    if (counter_ != nullptr) std::exchange(counter_, nullptr)->call_ended(is_answered_);
  }

 private:
  CallCounter* counter_ = nullptr;
  bool is_answered_ = false;
};

/** A call's turn in its object strand: see ObjectStrands. Destroying it lets the next call run. */
class StrandGrant {
 public:
  StrandGrant() = default;
  explicit StrandGrant(const void* strand) : strand_(strand) {}
  StrandGrant(StrandGrant&& other) noexcept : strand_(std::exchange(other.strand_, nullptr)) {}
  StrandGrant& operator=(StrandGrant&& other) noexcept {
    std::swap(strand_, other.strand_);
    return *this;
  }
  ~StrandGrant();

  explicit operator bool() const { return strand_ != nullptr; }
  /** The call begins. */
  const void* take() { return std::exchange(strand_, nullptr); }

 private:
  const void* strand_ = nullptr;
};

struct IncomingCall {
  Message message;  ///< until it runs: the host then swaps it for a used one
  Pin target;       ///< the object called, pinned since the call was read; NULL: no such object
  const Method* method = nullptr;                   ///< NULL: the connection has not named it
  std::chrono::steady_clock::time_point arrived{};  ///< from when its deadline counts
  CountedCall count{};
  QuotaPlace place{};              ///< once it has begun, if the quota of its client counts it
  std::optional<ChainId> chain{};  ///< the call is part of
  /** Set once it has entered its caller strand: see CallerStrands. */
  std::optional<std::pair<std::uint16_t, std::string>> caller_strand{};
  StrandGrant grant{};
  bool is_handed_over = false;  ///< to a thread of its chain, which will run it
  std::size_t arguments = 0;    ///< their offset in the body; 0: unknown
  const void* found = nullptr;  ///< for the host: what it looked up about the method

  /** Resets the queueing state: the call has just been read. */
  void begin_waiting() {
    caller_strand.reset();
    is_handed_over = false;
    found = nullptr;
  }
};

/** Reads the chain id of a request. Throws Error. */
void read_chain(IncomingCall& call);

/** A call made while running a call of the receiver's, its parent. */
inline bool is_nested(const IncomingCall& call) {
  return call.message.type() == FrameType::request && call.message.header.strand == 0 &&
         (call.message.header.flags & flag_nested) != 0;
}

/** A call made while running another call of its chain. */
inline bool is_within_chain(const IncomingCall& call) {
  return call.chain && (call.message.header.flags & flag_outermost) == 0;
}

}  // namespace shinar::wire
#endif
