/**
 * Whom a process calls: the objects at the other end of some links, a server's or a client's.
 *
 * Chooses the link of a call: one on which nobody waits, as a rule; that of the peer's call, in the
 * course of which this one is made, so that it runs on the thread that waits there; that of the
 * thread's earlier calls that nobody waited for, so that it does not overtake them. Any thread.
 */
#ifndef SHINAR_CORE_CALLEE_HPP
#define SHINAR_CORE_CALLEE_HPP

#include <chrono>
#include <memory>
#include <string>

#include "link.hpp"

namespace shinar::wire {

class Ledger;
struct CallsOfThread;
struct Notice;
class PendingCall;
class Session;

/** What the text of an error says about the call. */
struct CallText {
  std::string what;  ///< "calling 'solve'"
  std::string place;
  std::chrono::steady_clock::time_point start;
  bool has_fate = true;  ///< something was to be run there

  /** The error with call, place, elapsed time and fate in its text. */
  Error explain(const Error& error) const;
};

class Callee : public std::enable_shared_from_this<Callee> {
 public:
  virtual ~Callee() = default;

  /** No other callee of this process ever has it. */
  const std::uint64_t serial = next_serial();

  /**
   * Sends a request and waits for its answer: a reply or exception frame. An error frame and every
   * failure are thrown as an Error whose text names peer, method, elapsed time and fate.
   */
  void call(Request& request, Message& answer);
  /** Sends a request; the pending call is the right to its answer. */
  std::unique_ptr<PendingCall> begin(Request& request);
  /** Sends a call that is not answered. */
  void send(Request& request);

  /** Gives counts back. Never waits for an answer; remembered if there is no connection now. */
  void release(const std::string& object, std::uint64_t count) noexcept;
  /** The same for everything about the books. */
  virtual void tell(Notice notice) noexcept = 0;

  /** A link was found broken: what follows from that for the books of the two ends. */
  virtual void tidy() noexcept {}
  /** Takes what has come while nobody called. True: there is something for tidy() to do. */
  virtual bool look() noexcept { return false; }

  /**
   * In a forked child: takes a count of its own on an object of which the parent had a handle.
   * Throws Error.
   */
  virtual void inherit(const std::string& object) = 0;

  /** Where objects are that have no other place: for texts. */
  virtual std::string place() const = 0;
  /** True if others reach it, too: its objects have URLs. */
  virtual bool has_own_place() const = 0;
  /** The URL of an object, or empty. */
  virtual std::string url(const std::string& object) const = 0;

  /** Whose references calls to this callee hand out; without session: it takes none. */
  struct Lender {
    Ledger* ledger = nullptr;
    std::shared_ptr<Session> session;
  };
  virtual Lender lender() = 0;

  /** Calls of a thread keep their order though a link breaks: else those of each link do. */
  virtual bool has_order_of_links() const = 0;

 protected:
  using Clock = Link::Clock;

  /** A link counted as used, for this thread; `reused`: it may turn out to be closed. Throws Error.
   */
  virtual std::shared_ptr<Link> acquire(const CallsOfThread& thread, Clock::time_point now,
                                        Deadline deadline, bool& reused) = 0;

 private:
  static std::uint64_t next_serial();

  template <class Action>
  void attempt(Request& request, bool is_ordered, Clock::time_point start, Action action);
  std::shared_ptr<Link> choose(Request& request, bool is_ordered, Clock::time_point now,
                               bool& reused);
  std::shared_ptr<Link> surrounding(Request& request, bool is_ordered) const;
  void abandon(Link& link) const;
  CallText text_of(const Request& request, Clock::time_point start) const;
};

/** Reads the body of an error frame. */
Error decode_error(Message& message);

}  // namespace shinar::wire
#endif
