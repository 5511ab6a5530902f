/**
 * A nonblocking call: the core's side of a ticket. Any thread.
 *
 * Destroying it drops the answer but does not cancel the call. In a forked child it is over, with
 * the answer if that had come before. One that is observed is shared with its observers.
 */
#ifndef SHINAR_CORE_PENDING_CALL_HPP
#define SHINAR_CORE_PENDING_CALL_HPP

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <thread>

#include "callee.hpp"
#include "checked_mutex.hpp"
#include "forking.hpp"
#include "link.hpp"
#include "running_call.hpp"

namespace shinar::wire {

class Exports;
class WaitInCall;

class PendingCall : public std::enable_shared_from_this<PendingCall> {
 public:
  /** Sends the request over a link already counted as in use for it. Throws Error. */
  PendingCall(std::shared_ptr<Link> link, const Request& request, CallText text);
  PendingCall(const PendingCall&) = delete;
  PendingCall& operator=(const PendingCall&) = delete;
  ~PendingCall();

  /** Waits until the call is over. Throws Interrupted, after which it may be waited for again. */
  void wait();
  /**
   * True once the call is over. Reads what is available, and within a call runs one of its chain
   * that has come, but does not wait.
   */
  bool is_over();
  /**
   * Calls `over`, which throws nothing, once when the call is over: at once, if it is, else from a
   * thread of `exports`, which reads the answer if no other thread waits for it. Throws Error.
   */
  void observe(Exports& exports, std::function<void()> over);
  /** Cancels the call; false if it was over already. */
  bool cancel();
  /** Waits until the call is over; the answer is a reply or an exception frame. Throws Error. */
  Message& answer();
  /** False in a forked child of the process that made the call. */
  bool is_of_this_process() const { return generation_.is_current(); }

 private:
  using Lock = std::unique_lock<CheckedMutex<"PendingCall">>;
  class Turn;
  class InLine;
  bool is_free() const;
  void await_turn(Lock& lock);
  void await_turn_in_call();
  void look_in_call();
  void settle(Lock& lock);
  bool settle_beside(Lock& lock);
  void end(Lock& lock, std::optional<Error> error);
  bool add(Exports& exports, std::list<Observer>& observer);

  const Generation generation_;
  std::shared_ptr<Link> link_;
  const Deadline deadline_;
  const CallText text_;
  PendingInChain in_chain_;
  Message message_;
  TicketWaiter waiter_{message_};
  CheckedMutex<"PendingCall"> mutex_;  ///< guards the following
  /**
   * The thread that waits for the answer, if any. It does not hold the mutex: it may run calls of
   * its chain meanwhile, which may want the same answer, or wait for other threads that do.
   */
  std::thread::id waits_{};
  CheckedCondition has_waited_;
  std::vector<WaitInCall*> in_line_;  ///< threads that run calls and wait for their turn
  std::atomic<bool> settled_{false};
  std::optional<Error> error_;
};

}  // namespace shinar::wire
#endif
