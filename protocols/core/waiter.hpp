/**
 * Somebody who waits for the answer to a call: a thread in Link::await, or the owner of a ticket.
 */
#ifndef SHINAR_CORE_WAITER_HPP
#define SHINAR_CORE_WAITER_HPP

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "event.hpp"
#include "incoming_call.hpp"

namespace shinar::wire {

struct CallsOfThread;
class Landing;

struct Waiter {
  /** The caller's: the answer; until then for other frames, if the waiting thread reads. */
  Message& message;
  /** Nobody need be waiting when the answer comes: it is handed over under the link's lock. */
  const bool is_ticket = false;

  std::uint64_t id = 0;
  bool done = false;       ///< the answer is there; a thread's: its own, a ticket's: under the lock
  bool taken_out = false;  ///< of the list, to be handed its answer; under the lock
  bool listens = false;    ///< a thread waits, and runs nothing meanwhile; under the lock
  bool concluded = false;  ///< nobody will ask for the answer any more; the waiting thread's
  std::atomic<bool> cancelled{false};
  const char* why_cancelled = nullptr;  ///< a literal; under the lock
  /** What the callee may want until it has answered, be it too late for the waiter: see
   *  Link::give_up_waiting. NULL: nothing. */
  std::shared_ptr<void> held{};
  /** Where the answer goes: see Landing. The caller's; NULL: nowhere in particular. */
  const std::shared_ptr<Landing>* landing = nullptr;

  /** Calls made in the course of this one, to be run by the thread that waits; under the lock. */
  std::vector<IncomingCall> nested{};
  /** Of the thread, as soon as it has run one of them, or something else, while it waits; under the
   *  lock. */
  const CallsOfThread* thread = nullptr;
  /**
   * One of them has to wait for others, and is handed over again when its turn has come: by any
   * thread, while this one may be asleep on the socket. The waiting thread's.
   */
  bool expects_calls = false;

  /**
   * `look`, notified under the lock while the waiter is in the list: time to lead, or all is lost.
   * `called`, with notify_poller: there is a call to be run, or no sense in waiting on, be it as
   * the leader. `delivered`, by whoever took the waiter out: the last notification.
   */
  Event event{};
  static constexpr std::uint32_t look = 1, delivered = 2, called = 4;
};

}  // namespace shinar::wire
#endif
