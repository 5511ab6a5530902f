/**
 * A peer that this process calls: the objects at the other end of some links, a server's or a
 * client's.
 *
 * Chooses the link of a call: usually an idle one; for a call made while running a call of the
 * peer, the link of that one, so that the thread that waits there runs it; after ordered calls of
 * this thread, their link, so that it does not overtake them. Any thread.
 */
#ifndef SHINAR_CORE_CALLEE_HPP
#define SHINAR_CORE_CALLEE_HPP

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
  bool has_fate = true;  ///< false if nothing was to run there

  /** The error with call, place, elapsed time and fate in its text. */
  Error explain(const Error& error) const;
};

class Callee : public std::enable_shared_from_this<Callee> {
 public:
  virtual ~Callee() = default;

  /** Unique among all callees this process ever has. */
  const std::uint64_t serial = next_serial();

  /**
   * Sends a request and waits for its answer: a reply or exception frame. An error frame and every
   * failure are thrown as an Error whose text names peer, method, elapsed time and fate.
   */
  void call(Request& request, Message& answer);
  /** Sends a request; its answer is taken from the pending call. */
  std::unique_ptr<PendingCall> begin(Request& request);
  /** Sends a call that is not answered. */
  void send(Request& request);

  /**
   * A message that is being read hands out a reference to an object of the callee, to be released.
   * Throws Error if this process holds too many of such a peer.
   */
  virtual void hold(std::string_view /*object*/) {}
  /**
   * Pays for references in an answer that nobody waits for, which are given back. Throws Error if
   * this process has so many to give back to the callee.
   */
  virtual Charge pay_for_unclaimed(std::uint64_t /*bytes*/) { return {}; }
  /**
   * Releases counts. Does not wait for an answer; deferred if there is no connection now. `paid`:
   * for what is kept of it meanwhile, unless let_go() does.
   */
  void release(const std::string& object, std::uint64_t count, Charge paid = {}) noexcept;
  /** The same for any notice about references. */
  virtual void tell(Notice notice) noexcept = 0;
  void tell_all(std::vector<Notice> notices) noexcept;

  /** A link was found broken: settles the reference counts of both ends. */
  virtual void tidy() noexcept {}
  /**
   * Reads what arrived while no call was in progress. True if there is something for tidy() to do.
   */
  virtual bool look() noexcept { return false; }

  /**
   * In a forked child: acquires a count of its own on an object of which the parent had a handle.
   * Throws Error.
   */
  virtual void inherit(const std::string& object) = 0;

  /** Where the callee's objects live, for error texts. */
  virtual std::string place() const = 0;
  /** True if other processes can reach it: its objects have URLs. */
  virtual bool has_own_place() const = 0;
  /** The URL of an object, or empty. */
  virtual std::string url(const std::string& object) const = 0;

  /**
   * Where references that calls to this callee hand out are booked; without a session it accepts
   * none.
   */
  struct Lender {
    Ledger* ledger = nullptr;
    std::shared_ptr<Session> session;
  };
  virtual Lender lender() = 0;

  /** See Link. */
  virtual bool is_ruled() const { return false; }
  virtual void check_attach(std::string_view /*object*/) {}

  /**
   * So many references that were held are not any more. Returns what pays for their release: a part
   * of what was paid for holding them, as it must not fail.
   */
  virtual Charge let_go(std::string_view /*object*/, std::uint64_t /*count*/) noexcept {
    return {};
  }

  /** Calls of a thread keep their order even if a link breaks; else only per link. */
  virtual bool has_order_of_links() const = 0;

 protected:
  using Clock = Link::Clock;

  /**
   * A link for this thread, counted as in use; `reused` is set if it may turn out to be closed.
   * Throws Error.
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
  void abandon(Link& link, const Request& first) const;
  CallText text_of(const Request& request, Clock::time_point start) const;
};

/** Reads the body of an error frame. */
Error decode_error(Message& message);

}  // namespace shinar::wire
#endif
