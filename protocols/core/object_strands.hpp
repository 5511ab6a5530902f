/**
 * Serialises calls that must not run concurrently: those of one object, class or library, in the
 * whole process. Its address identifies the strand.
 *
 * The first call of a strand runs; calls that arrive meanwhile are queued in order, without
 * blocking a thread, and the thread that has run one runs the next or has it run. An idle strand
 * costs nothing; an uncontended one costs two atomic operations per call. Any thread.
 */
#ifndef SHINAR_CORE_OBJECT_STRANDS_HPP
#define SHINAR_CORE_OBJECT_STRANDS_HPP

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <list>
#include <mutex>
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

  /** Enters the strand of `running` if it is free, and nobody waits for another of its hash. */
  bool enter_at_once(const RunningCall& running) {
    std::uintptr_t free = 0;
    return slot_of(running.strand())
        .word.compare_exchange_strong(free, reinterpret_cast<std::uintptr_t>(&running),
                                      std::memory_order_acq_rel);
  }
  /** The same. False if it is busy: `call` is then moved into its queue: see leave(). */
  bool enter(RunningCall& running, IncomingCall& call, Link& link);
  /** A call that holds a grant of its strand begins. */
  void begin(const RunningCall& running);
  /** Leaves the strand. The next call, which holds a grant of it, becomes `next`. */
  void leave(const RunningCall& running, std::optional<QueuedCall>& next) {
    auto own = reinterpret_cast<std::uintptr_t>(&running);
    if (!slot_of(running.strand())
             .word.compare_exchange_strong(own, 0, std::memory_order_release)) {
      next = leave_slowly(running.strand());
    }
  }
  /** A call that holds a grant will not run. */
  std::optional<QueuedCall> give_up(const void* strand) { return leave_slowly(strand); }

  /** Removes a queued call of this chain; the caller must hold the strand. */
  std::optional<QueuedCall> take(const void* strand, const ChainId& chain);
  /** Removes all queued calls of a runner that has ended: see Link. */
  std::vector<QueuedCall> take_all_of(const void* runner);
  /** Removes a queued call. */
  std::optional<IncomingCall> cancel(const Link& link, std::uint64_t id);
  /**
   * Calls action for each queue, under its lock. Takes all locks: a call that is queued meanwhile
   * is either seen here, or its thread sees what was done before.
   */
  template <class Action>
  void for_each_queue(Action action) {
    for (Slot& slot : slots_) {
      const std::lock_guard lock(slot.mutex);
      for (State& state : slot.states) action(state.queue);
    }
  }

  struct Report {
    std::int64_t waiting = 0;    ///< calls
    std::int64_t longest = 0;    ///< of the queues
    std::int64_t oldest_ms = 0;  ///< running time of the longest-running call that others wait for
  };
  Report report();
  /**
   * A log line for each strand whose holder has made others wait for `patience`, once per holder.
   */
  std::vector<std::string> overdue(std::chrono::milliseconds patience);

 private:
  struct State {
    const void* strand;
    const RunningCall* holder;  ///< NULL: granted to a call that has not begun
    Clock::time_point since;    ///< when the holder began, or the first call had to wait
    bool is_told = false;       ///< a line has been logged about the holder
    std::deque<QueuedCall> queue{};
  };
  /** Strands whose addresses have the same hash. Slots do not share cache lines. */
  struct alignas(64) Slot {
    /** 0: free; a RunningCall: the holder; if the lowest bit is set, `states` applies. */
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
  std::optional<QueuedCall> leave_slowly(const void* strand);

  static ObjectStrands* instance_;

  std::array<Slot, slot_count> slots_;
};

/**
 * Holds the object strand for a call that a thread is about to run, from construction to leave().
 */
class StrandTurn {
 public:
  /** If the strand is busy, `call` is moved into its queue or to the thread that holds it. */
  StrandTurn(RunningCall& running, IncomingCall& call, Host& host);
  StrandTurn(const StrandTurn&) = delete;
  StrandTurn& operator=(const StrandTurn&) = delete;
  ~StrandTurn() {
    if (running_.strand() != nullptr) pass_on();
  }

  bool is_now() const { return is_now_; }
  /** The call has ended; the next one to run, if any, becomes `next`. */
  void leave(std::optional<QueuedCall>& next) {
    if (running_.strand() == nullptr) return;
    ObjectStrands::of_process().leave(running_, next);
    running_.set_strand(nullptr);
  }

 private:
  void pass_on();
  static void look_again(const void* strand, const ChainId& chain);

  RunningCall& running_;
  bool is_now_ = true;
};

}  // namespace shinar::wire
#endif
