/**
 * What waits for the answer to a call: a thread in Link::await, or a ticket.
 */
#ifndef SHINAR_CORE_WAITER_HPP
#define SHINAR_CORE_WAITER_HPP

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "event.hpp"
#include "incoming_call.hpp"
#include "tellers.hpp"

namespace shinar::wire {

struct CallsOfThread;
class Landing;

struct Waiter {
  /** Receives the answer; before that the waiting thread, if it reads, uses it for other frames. */
  Message& message;
  /** No thread need be waiting when the answer comes: it is stored under the link's lock. */
  const bool is_ticket = false;

  std::uint64_t id = 0;
  bool done = false;  ///< the answer is there; of a thread: its own, of a ticket: under the lock
  bool taken_out =
      false;  ///< of the list by the reader, which is handing over the answer; under the lock
  bool listens = false;    ///< a thread waits and runs nothing meanwhile; under the lock
  bool concluded = false;  ///< the answer will not be asked for any more; the waiting thread's
  std::atomic<bool> cancelled{false};
  const char* why_cancelled = nullptr;  ///< a literal; under the lock
  /**
   * What the callee may need until it has answered, even too late for the waiter: see
   * Link::give_up_waiting. NULL: nothing.
   */
  std::shared_ptr<void> held{};
  /** The landing of the answer; NULL: none. */
  const std::shared_ptr<Landing>* landing = nullptr;

  /** The deadline of the wait that the thread is in. The waiting thread's. */
  std::optional<std::chrono::steady_clock::time_point> until{};

  /** Nested calls, to be run by the waiting thread; under the lock. */
  std::vector<IncomingCall> nested{};
  /** The waiting thread, set once it has run something while it waited; under the lock. */
  const CallsOfThread* thread = nullptr;
  /**
   * A nested call is queued for its strand and will be handed over again by another thread, while
   * this one may sleep on the socket. The waiting thread's.
   */
  bool expects_calls = false;

  /**
   * `look`, notified under the lock while the waiter is in the list: take the lead, or the
   * connection is broken. `called`, with notify_poller: there is a call to run, or no point in
   * waiting on, even as the leader. `delivered`, from the thread that took the waiter out: the last
   * notification.
   */
  Event event{};
  static constexpr std::uint32_t look = 1, delivered = 2, called = 4;
};

/** Every waiter that is a ticket. */
struct TicketWaiter : Waiter {
  explicit TicketWaiter(Message& answer) : Waiter{answer, true} {}
  std::unique_ptr<ObservedCall> observed;  ///< NULL: it is not; set under the lock
};

}  // namespace shinar::wire
#endif
