/**
 * Threads of which a limited number run at a time; one that waits for a peer lets another one run.
 */
#ifndef SHINAR_CORE_CREW_HPP
#define SHINAR_CORE_CREW_HPP

#include "running_call.hpp"

namespace shinar::wire {

class Crew {
 public:
  /** Called by a thread of the crew. */
  virtual void wait_begins() = 0;
  virtual void wait_ends() = 0;
  /** Throws Error if as many wait as may: one more could not be replaced. */
  virtual void check_capacity() const = 0;
  /** How many of its threads may make connections to where clients have sent them, at a time. */
  virtual unsigned most_errands() const = 0;

  /** Makes this thread one of the crew. */
  void enlist() { CallsOfThread::here().crew = this; }

 protected:
  ~Crew() = default;
};

/**
 * Marks this thread as waiting for a peer, if it is one of a crew. What it runs meanwhile must be
 * enclosed in end() and begin().
 */
class WaitForPeer {
 public:
  WaitForPeer() : WaitForPeer(CallsOfThread::here().crew) {}
  /** `crew`: that of this thread, or NULL. */
  explicit WaitForPeer(Crew* crew) : crew_(crew) {
    if (crew_ == nullptr) return;
    const RunningCall* const running = RunningCall::innermost();
    session_ = running == nullptr ? nullptr : running->waits();
    begin();
  }
  WaitForPeer(const WaitForPeer&) = delete;
  WaitForPeer& operator=(const WaitForPeer&) = delete;
  ~WaitForPeer() { end(); }

  void begin() {
    if (crew_ == nullptr || std::exchange(waits_, true)) return;
    if (session_ != nullptr) session_->fetch_add(1, std::memory_order_relaxed);
    crew_->wait_begins();
  }
  void end() {
    if (!std::exchange(waits_, false)) return;
    crew_->wait_ends();
    if (session_ != nullptr) session_->fetch_sub(1, std::memory_order_relaxed);
  }

 private:
  Crew* const crew_;
  std::atomic<std::uint32_t>* session_ = nullptr;
  bool waits_ = false;
};

}  // namespace shinar::wire
#endif
