/**
 * Calls that must not run at the same time: those of one object, or class, or library, in the whole
 * process. What it is has an address, by which the strand is known.
 *
 * The first call of a strand runs, those that come meanwhile are kept in their order, without a
 * thread, and whoever has run one runs the next or has it run. A strand that nobody wants costs
 * nothing; one that is not contended costs two atomic operations for each call. Any thread.
 */
#ifndef SHINAR_CORE_OBJECT_STRANDS_HPP
#define SHINAR_CORE_OBJECT_STRANDS_HPP

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "chain.hpp"
#include "checked_mutex.hpp"
#include "host.hpp"

namespace shinar::wire {

class ObjectStrands {
 public:
  using Clock = std::chrono::steady_clock;

  /** Never destroyed: calls may be made late in exit. A forked child has its own. */
  static ObjectStrands& of_process() { return *instance_; }
  static void renew_in_child() { instance_ = new ObjectStrands; }

  /**
   * Enters the strand that `running` says; false: others are before it, and `call` is kept until
   * they have ended: then leave() gives it out.
   */
  bool enter(RunningCall& running, IncomingCall& call, Link& link) {
    std::uintptr_t free = 0;
    if (slot_of(running.strand())
            .word.compare_exchange_strong(free, reinterpret_cast<std::uintptr_t>(&running),
                                          std::memory_order_acq_rel)) {
      return true;
    }
    return enter_slowly(running, call, link);
  }
  /** A call that was granted its strand begins. */
  void begin(const RunningCall& running);
  /** Leaves the strand; returns the next call, to which it is granted. */
  std::optional<QueuedCall> leave(const RunningCall& running) {
    auto own = reinterpret_cast<std::uintptr_t>(&running);
    if (slot_of(running.strand()).word.compare_exchange_strong(own, 0, std::memory_order_release)) {
      return std::nullopt;
    }
    return leave_slowly(running.strand());
  }
  /** A call that was granted its strand will not be run. */
  std::optional<QueuedCall> give_up(const void* strand) { return leave_slowly(strand); }

  /** Takes out a call of this chain that waits for the strand, which the caller holds. */
  std::optional<QueuedCall> take(const void* strand, const ChainId& chain);
  /** Takes out all calls that `runner` would run, which it never will: see Link. */
  std::vector<QueuedCall> take_all_of(const void* runner);
  /** Takes out a call that waits for a strand. */
  std::optional<IncomingCall> cancel(const Link& link, std::uint64_t id);

  struct Report {
    std::int64_t waiting = 0;  ///< calls
    std::int64_t longest = 0;  ///< of the queues
    std::int64_t oldest_ms =
        0;  ///< how long the oldest call has been running for which others wait
  };
  Report report();
  /** A line for each strand whose first call has waited for so long, said once for each call. */
  std::vector<std::string> overdue(std::chrono::milliseconds patience);

 private:
  struct State {
    const void* strand;
    const RunningCall* holder;  ///< NULL: granted, to a call that has not begun
    Clock::time_point since;    ///< when the holder began, or somebody else came first
    bool is_told = false;       ///< a line has been logged about the holder
    std::deque<QueuedCall> queue{};
  };
  /** ObjectStrands whose addresses have the same hash. Each has a cache line of its own. */
  struct alignas(64) Slot {
    /** 0: free; the RunningCall that is in; with the lowest bit: `states` says all. */
    std::atomic<std::uintptr_t> word{0};
    CheckedMutex<"ObjectStrands"> mutex;  ///< guards the following
    std::list<State> states;
    State* find(const void* strand);
  };
  static constexpr std::size_t slot_count = 512;
  static constexpr std::uintptr_t contended = 1;

  Slot& slot_of(const void* strand) {
    const auto address = reinterpret_cast<std::uintptr_t>(strand);
    return slots_[(address * 0x9E3779B97F4A7C15ull >> 40) % slot_count];
  }
  bool enter_slowly(RunningCall& running, IncomingCall& call, Link& link);
  std::optional<QueuedCall> leave_slowly(const void* strand);

  static ObjectStrands* instance_;

  std::array<Slot, slot_count> slots_;
};

/** The turn of a call that a thread is about to run, from construction to leave(). */
class StrandTurn {
 public:
  /** `call` is moved from if its turn has not come: then it is run by and by. */
  StrandTurn(RunningCall& running, IncomingCall& call, Host& host);
  StrandTurn(const StrandTurn&) = delete;
  StrandTurn& operator=(const StrandTurn&) = delete;
  ~StrandTurn() {
    if (running_.strand() != nullptr) pass_on();
  }

  bool is_now() const { return is_now_; }
  /** True: others may wait for it to leave(). */
  bool has_strand() const { return running_.strand() != nullptr; }
  /** The call has ended: the next one to be run, if there is one. */
  std::optional<QueuedCall> leave() {
    if (running_.strand() == nullptr) return std::nullopt;
    auto next = ObjectStrands::of_process().leave(running_);
    running_.set_strand(nullptr);
    return next;
  }

 private:
  void pass_on();
  static void look_again(const void* strand, const ChainId& chain);

  RunningCall& running_;
  bool is_now_ = true;
};

}  // namespace shinar::wire
#endif
