/**
 * A call of a peer between the frame and the method: read, not run yet.
 *
 * It is counted among its connection's calls in work by an object that goes with it, so that
 * whatever becomes of the call, be it an exception, ends the counting.
 */
#ifndef SHINAR_CORE_INCOMING_CALL_HPP
#define SHINAR_CORE_INCOMING_CALL_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "id128.hpp"
#include "message.hpp"
#include "method_numbers.hpp"
#include "pin.hpp"

namespace shinar::wire {

/** Who counts calls in work. */
class CallCounter {
 public:
  /** A call has ended. `is_answered`: its answer is counted apart until it has been sent. */
  virtual void call_ended(bool is_answered) noexcept = 0;

 protected:
  ~CallCounter() = default;
};

/** One call in work, as long as this lives. The counter outlives it. */
class CountedCall {
 public:
  CountedCall() = default;
  /** Of a call that has been added to the count. */
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

  /** From now on the answer is counted apart. */
  void set_answered() { is_answered_ = true; }
  void end() noexcept {
    if (counter_ != nullptr) std::exchange(counter_, nullptr)->call_ended(is_answered_);
  }

 private:
  CallCounter* counter_ = nullptr;
  bool is_answered_ = false;
};

/** The right of a call to run in its strand: see ObjectStrands. Whoever drops it lets the next one
 * run.
 */
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
  Message message;  ///< until it is run: then the host takes it, and leaves an old one
  Pin target;  ///< the object that is called, held since the call was read; NULL: it was not here
  const Method* method = nullptr;                   ///< NULL: the connection has not named it
  std::chrono::steady_clock::time_point arrived{};  ///< from when its deadline counts
  CountedCall count{};
  std::optional<ChainId> chain{};  ///< of which it is part
  /** Set once it has entered its caller strand: see CallerStrands. */
  std::optional<std::pair<std::uint16_t, std::string>> caller_strand{};
  StrandGrant grant{};
  bool is_handed_over = false;  ///< to a thread of its chain, which shall run it
  std::size_t arguments = 0;    ///< where they begin in the body; 0: not known
  const void* found = nullptr;  ///< the host's: what it has found out about the method

  /** Nothing is known of where it has to wait: it has just been read. */
  void begin_waiting() {
    caller_strand.reset();
    is_handed_over = false;
    found = nullptr;
  }
};

/** Reads of which chain a request is part. Throws Error. */
void read_chain(IncomingCall& call);

/** A call that is made in the course of one of the receiver's. */
inline bool is_nested(const IncomingCall& call) {
  return call.message.type() == FrameType::request && call.message.header.strand == 0 &&
         (call.message.header.flags & flag_nested) != 0;
}

/** A call that is made in the course of one that the chain is in. */
inline bool is_within_chain(const IncomingCall& call) {
  return call.chain && (call.message.header.flags & flag_outermost) == 0;
}

}  // namespace shinar::wire
#endif
