/**
 * Chains of calls: a call, the calls made while it runs, the calls made while those run, and so on,
 * through any number of processes.
 *
 * A chain begins with the first call that a method makes while it runs for a peer, or with a
 * nonblocking call outside of any (OutermostChain), and is identified by a random id, which its
 * calls carry. Those that a thread begins beside each other are branches of one chain: the thread
 * that runs one of them may run another, but they are given up apart. A thread that waits for a
 * peer while it runs a call is on standby: it runs calls of its chain that arrive meanwhile, over
 * whatever connection. So a chain takes one thread per process, however often it enters it, and may
 * reenter the objects that it holds itself. Any thread, unless said otherwise.
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

/** The call that follows another one, if any. */
struct NextCall : std::optional<QueuedCall> {
  using std::optional<QueuedCall>::operator=;
  /** As one that is known to the compiler GCC would clear all of it, for each call that is run. */
  NextCall() noexcept : std::optional<QueuedCall>(std::nullopt) { asm(""); }
};

/**
 * A thread that waits at a link runs something else meanwhile, which may wait again, at this link
 * or another one. Calls nested in what it waited for first are still run by it. On the stack of
 * that thread.
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
  /** Calls of the chain nested in what it waited for that have not run. */
  std::vector<IncomingCall> take_nested(const ChainId& chain) {
    return link_.take_nested(waiter_, chain);
  }
  Link& link() const { return link_; }
  /** When the wait is to end. */
  const Deadline& until() const { return waiter_.until; }

 private:
  Link& link_;
  Waiter& waiter_;
  SuspendedWait* const outer_;
};

/**
 * A thread that runs a call of a peer and waits for a call of its own. On the stack of that thread;
 * between construction and destruction it waits, or runs what take() gave it.
 */
class Standby {
 public:
  /** Longest sleep before the thread checks whether its own caller is still there. */
  static constexpr std::chrono::milliseconds look{200};

  /**
   * `waiter`: its event gets `called` when there is a call to run. The thread must be running a
   * call.
   */
  explicit Standby(Waiter& waiter);
  Standby(const Standby&) = delete;
  Standby& operator=(const Standby&) = delete;
  /** Calls that were not run are run elsewhere. */
  ~Standby();

  /**
   * There is a call to run, or no point in waiting on. Called by its thread, as are the following.
   */
  bool has_work() const { return has_calls_.load(std::memory_order_acquire) || is_given_up(); }
  /** One of the calls this thread runs has been given up by its caller. */
  bool is_given_up() const { return innermost_.is_within_given_up(); }
  /** A call for this thread to run; it does not count as waiting until resume(). */
  std::optional<QueuedCall> take();
  void resume();
  /** As take(), with resume() to follow, around anything else the thread runs. */
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

/** The threads on standby in this process. */
class Chains {
 public:
  /** Never destroyed: calls may be made late in exit. A forked child has its own. */
  static Chains& of_process() { return *instance_; }
  static void renew_in_child() { instance_ = new Chains; }

  /**
   * Hands a call to the thread of its chain that has to run it: the one that holds `strand`, which
   * may be NULL, or an idle one of the same server. False if there is none; the call is then
   * unchanged.
   */
  bool offer(IncomingCall& call, Link& link, const void* strand);

  /**
   * Hands a call within a chain, of whatever kind, to the thread that offer() does, or else to an
   * idle one that has been handed nothing else: it waits for what this thread has. False as above.
   */
  bool offer_in_need(IncomingCall& call, Link& link, const void* strand);

  /**
   * Hands a nested call to the thread that waits for its parent, if that thread is on standby in
   * the call's chain. False as above. Under the lock of the link.
   */
  bool offer_to(const CallsOfThread* thread, IncomingCall& call, Link& link);

  /** A call of the chain, which this process runs, was offered in need, and in vain. */
  bool has_need(const ChainId& chain);

  /** True if a thread on standby in the chain holds the strand. */
  bool has_holder(const ChainId& chain, const void* strand);

  /** True while this process runs a call of the chain. */
  bool is_in_work(const ChainId& chain);

  /**
   * Number of threads that wait for a peer while they run a call; what they wait for may still have
   * to be read.
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
  Standby* find_idle(const ChainId& chain, const Link& link, bool has_nothing = false);
  static void hand(IncomingCall& call, Link& link, Standby& standby);
  void begin(const ChainId& chain);
  void end(const ChainId& chain) noexcept;

  CheckedMutex<"Chains"> mutex_;  ///< guards the following, and what Standby says it does
  std::unordered_map<ChainId, std::vector<Standby*>, Hash> standbys_;
  struct InWork {
    int threads = 0;          ///< that run calls of it
    bool is_in_need = false;  ///< see has_need()
  };
  std::unordered_map<ChainId, InWork, Hash> in_work_;
  std::atomic<int> waiting_{0};
  static Chains* instance_;
};

}  // namespace shinar::wire
#endif
