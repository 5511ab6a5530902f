/**
 * Chains of calls: a call, those that are made in its course, those in the course of these, through
 * any number of processes.
 *
 * A chain begins with the first call that a method makes while it runs for a peer, or with a
 * nonblocking one outside of such (OutermostChain), and is known by a random id, which the calls
 * carry. A thread that waits for a peer in the course of a call is on standby: calls of its chain
 * that come in meanwhile, over whatever connection, are run by it. So a chain takes one thread of a
 * process, however often it comes by, and passes the objects that it holds itself. Any thread,
 * unless said otherwise.
 */
#ifndef SHINAR_CORE_CHAIN_HPP
#define SHINAR_CORE_CHAIN_HPP

#include <atomic>
#include <chrono>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "checked_mutex.hpp"
#include "incoming_call.hpp"
#include "link.hpp"
#include "running_call.hpp"

namespace shinar::wire {

/** A call, and the connection that it came over. */
struct QueuedCall {
  QueuedCall(IncomingCall its_call, std::shared_ptr<Link> its_link)
      : link(std::move(its_link)), call(std::move(its_call)) {}
  QueuedCall(QueuedCall&&) = default;
  QueuedCall& operator=(QueuedCall&& other) noexcept {
    call = std::move(other.call);
    link = std::move(other.link);
    return *this;
  }

  std::shared_ptr<Link> link;  ///< which counts the call, and so must outlive it
  IncomingCall call;
};

/**
 * A thread that waits at a link runs something else meanwhile, in the course of which it may wait
 * again, at this link or another one. Calls that are nested in what it waited for first are then
 * run by it all the same. On the stack of that thread.
 */
class SuspendedWait {
 public:
  SuspendedWait(Link& link, Waiter& waiter)
      : link_(link),
        waiter_(waiter),
        outer_(std::exchange(CallsOfThread::here().suspended, this)) {}
  SuspendedWait(const SuspendedWait&) = delete;
  SuspendedWait& operator=(const SuspendedWait&) = delete;
  ~SuspendedWait() { CallsOfThread::here().suspended = outer_; }

  SuspendedWait* outer() const { return outer_; }
  /** Calls of the chain that are nested in what it waited for and have not been run. */
  std::vector<IncomingCall> take_nested(const ChainId& chain) {
    return link_.take_nested(waiter_, chain);
  }
  Link& link() const { return link_; }

 private:
  Link& link_;
  Waiter& waiter_;
  SuspendedWait* const outer_;
};

/**
 * A thread that runs a call of a peer, and waits for one. On the stack of that thread; between
 * construction and destruction it waits, or runs what take() gave it.
 */
class Standby {
 public:
  /** How long a thread sleeps at most before it looks whether its own caller is still there. */
  static constexpr std::chrono::milliseconds look{200};

  /** `waiter`: `called` is notified when there is a call to be run. In the course of a call. */
  explicit Standby(Waiter& waiter);
  Standby(const Standby&) = delete;
  Standby& operator=(const Standby&) = delete;
  /** What was not run is run elsewhere. */
  ~Standby();

  /** There is a call to be run, or no sense in waiting on. Its thread, as the following. */
  bool has_work() const { return has_calls_.load(std::memory_order_acquire) || is_given_up(); }
  /** A call in the course of which this thread waits has been given up by its caller. */
  bool is_given_up() const { return innermost_.is_within_given_up(); }
  /** A call to be run by this thread, which waits no more until resume(). */
  std::optional<QueuedCall> take();
  void resume();
  /** As take() and resume(), around what the thread runs for other reasons. */
  void pause();

 private:
  friend class Chains;
  bool holds(const void* strand) const;
  void kick();
  void take_from_strands();
  void take_from_suspended();

  Waiter& waiter_;
  const CallsOfThread* const thread_ = &CallsOfThread::here();
  RunningCall& innermost_;
  const ChainId chain_;
  Standby* const outer_;  ///< of the same thread
  std::atomic<bool> has_calls_{false};

  // Under the mutex of Chains:
  std::deque<QueuedCall> inbox_;
  bool waits_ = true;
};

/** Who is on standby in this process. */
class Chains {
 public:
  /** Never destroyed: calls may be made late in exit. A forked child has its own. */
  static Chains& of_process() { return *instance_; }
  static void renew_in_child() { instance_ = new Chains; }

  /**
   * Gives a call to the thread of its chain that has to run it: the one that holds `strand`, or one
   * of the same server that waits. False: there is none, and the call is as it was. `strand` may be
   * NULL.
   */
  bool offer(IncomingCall& call, Link& link, const void* strand);

  /**
   * Gives a call to a thread, if that is on standby in its chain: it is nested in another one, for
   * whose answer the thread waits as well. False: as above. Under the lock of the link.
   */
  bool offer_to(const CallsOfThread* thread, IncomingCall& call, Link& link);

  /** True if a thread on standby in the chain holds the strand. */
  bool has_holder(const ChainId& chain, const void* strand);

  /** True while this process runs a call that is part of the chain. */
  bool is_in_work(const ChainId& chain);

  /** Threads that wait for a peer in the course of a call; what they wait for may have to be read.
   */
  int waiting() const { return waiting_.load(std::memory_order_relaxed); }

 private:
  friend class Standby;
  friend class RunningCall;
  struct Hash {
    std::size_t operator()(const ChainId& id) const {
      std::size_t part = 0;
      std::memcpy(&part, id.data(), sizeof part);
      return part;
    }
  };
  Standby* find_holder(const ChainId& chain, const void* strand);
  Standby* find_idle(const ChainId& chain, const Link& link);
  void begin(const ChainId& chain);
  void end(const ChainId& chain) noexcept;

  CheckedMutex<"Chains"> mutex_;  ///< guards the following, and what Standby says
  std::unordered_map<ChainId, std::vector<Standby*>, Hash> standbys_;
  std::unordered_map<ChainId, int, Hash> in_work_;  ///< threads that run calls of it
  std::atomic<int> waiting_{0};
  static Chains* instance_;
};

}  // namespace shinar::wire
#endif
