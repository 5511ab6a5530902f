/**
 * One connection as its callers see it: what client and server ends have in common.
 *
 * The caller's thread handles a call from send to receive. Waiters are in a list; the reader of the
 * socket hands them their answers, and calls nested in a waiting one. Who reads the socket is up to
 * the two ends. Any thread.
 */
#ifndef SHINAR_CORE_LINK_HPP
#define SHINAR_CORE_LINK_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "channel.hpp"
#include "checked_mutex.hpp"
#include "encoder.hpp"
#include "error.hpp"
#include "host.hpp"
#include "identity.hpp"
#include "method_numbers.hpp"
#include "outbox.hpp"
#include "stream.hpp"
#include "waiter.hpp"

namespace shinar::wire {

class Crew;
class Exports;
class PeerLog;
class Session;

/** The time at which the caller stops waiting. */
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/** Milliseconds from now, at least one, clamped to about a year. */
inline Deadline deadline_after(std::int64_t milliseconds) {
  constexpr std::int64_t most = std::int64_t{366} * 24 * 3600 * 1000;
  return std::chrono::steady_clock::now() +
         std::chrono::milliseconds(std::clamp<std::int64_t>(milliseconds, 1, most));
}

/** A frame that asks for an answer (create, attach, request) or for none (one-way, release, …). */
struct Request {
  FrameType type = FrameType::request;
  std::uint8_t flags = 0;
  std::string_view method{};  ///< of a request or one-way call, else empty
  std::uint64_t digest = 0;   ///< of the method's signature
  Encoder* encoder = nullptr;
  Deadline deadline{};
  std::uint16_t caller_strand = 0;  ///< see CallerStrands
  std::uint64_t parent = 0;  ///< the peer's call in the course of which this one is made, or 0
  const ChainId* chain = nullptr;  ///< of which it is part; NULL: of none
  bool is_outermost = false;  ///< of a chain, but not in the course of a call: see OutermostChain
  bool abandons = false;      ///< the server must first hear which connections the thread has left
  /** Of a frame about references: false: it fails (time_out) where the peer takes no data now. */
  bool waits = true;
  Crew* crew = nullptr;              ///< of the thread that calls
  Entry* entry = nullptr;            ///< what it does to the books; NULL: nothing
  const Session* lent_to = nullptr;  ///< where what it lends is booked; NULL: it lends nothing
  /** What its objects of third processes need until it is answered; NULL: nothing. */
  std::shared_ptr<void> held{};
  const std::shared_ptr<Landing>* landing = nullptr;  ///< of a call's answer; NULL: none
};

class Link : public std::enable_shared_from_this<Link>, public CallCounter {
 public:
  using Clock = std::chrono::steady_clock;
  using StateMutex = CheckedMutex<"Link::state_">;

  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  virtual ~Link() = default;

  /** Sends a request and waits for its answer: a reply, exception or error frame. */
  virtual void call(const Request& request, Message& answer);
  /** Sends a request; the waiter, which must not move, gets the answer. */
  void begin(const Request& request, Waiter& waiter);
  /** Sends a frame that is not answered. */
  void send(const Request& request);

  /** Waits for the answer to a call that was begun. Throws Error if it does not come. */
  virtual void await(Waiter& waiter, Deadline deadline) = 0;
  /** Reads what arrived while no thread waited; returns is_usable(). */
  virtual bool refresh() = 0;
  /** Sending has failed: makes sure that what the peer sent before is read. */
  virtual void read_last_words() { refresh(); }
  /**
   * For a ticket that another thread awaits, which may run something else meanwhile: ends the wait
   * as await does, throwing what that throws, if the call is over; else false.
   */
  bool conclude_if_over(Waiter& waiter, Deadline deadline);
  /** True if await would not wait. */
  bool is_over(Waiter& waiter, Deadline deadline);
  /** Cancels a call and tells the peer; false if it was over already. `why` must be a literal. */
  bool cancel(Waiter& waiter, const char* why = "the call was cancelled");
  /**
   * Has the observer in the list told when the call is over; false if it is. `counted` was made
   * before attend_to_observed(), and is taken for the first observer of a call.
   */
  bool observe(TicketWaiter& waiter, std::unique_ptr<ObservedCall>& counted,
               std::list<Observer>& observer);
  /** Makes sure that answers are read while calls are observed. Throws Error. */
  virtual void attend_to_observed(Exports& exports) = 0;
  /** Observed calls that are not over. */
  std::atomic<int> observed{0};
  /** Another count that shall include them; NULL: none. */
  virtual std::atomic<int>* awaited_count() { return nullptr; }
  /** Removes a waiter: a late answer is dropped. `was_sent`: there may be one. */
  void leave(Waiter& waiter, bool was_sent = true);

  /** Runs a call read from this link on a thread where it may take long. */
  virtual void run_elsewhere(IncomingCall call) = 0;
  /** "127.0.0.1:4711" of the peer, for log lines. */
  virtual std::string other_end() const { return channel->peer(); }
  /** Who the peer has proved to be, once there are calls. */
  virtual Identity identity() const = 0;
  /** True if a policy says what the peer may do: to be asked before the following, which throw. */
  virtual bool is_ruled() const { return false; }
  /** Whether the peer may have the object of this process that is published under the name. */
  virtual void check_attach(std::string_view /*object*/) {}
  /** Whether this process may connect to `url` for the peer. */
  virtual void check_errand(const std::string& /*url*/) {}
  /** For the audit log: `what` was refused to the peer, by this rule. */
  virtual void note_refused(std::string_view /*action*/, std::string_view /*what*/,
                            const std::string& /*rule*/) const {}
  /** Where lines about its peer belong; NULL: nowhere. */
  virtual PeerLog* log() { return nullptr; }

  /** Takes the calls of the chain that are nested in the waiter's call and have not run. */
  std::vector<IncomingCall> take_nested(Waiter& waiter, const ChainId& chain);

  /** Runs a call read from this link on this thread. */
  virtual void run_here(IncomingCall& call) = 0;
  /** Identifies who runs the calls of this link: threads of one runner may run any of them. */
  virtual const void* runner() const { return nullptr; }

  /** The peer cancelled a call that has begun or is about to: its waits end. */
  void note_cancelled(std::uint64_t id);
  bool was_cancelled(std::uint64_t id) {
    return has_cancelled_.load(std::memory_order_relaxed) && is_among_cancelled(id);
  }
  /** A call has ended. */
  void forget_cancelled(std::uint64_t id) {
    if (has_cancelled_.load(std::memory_order_relaxed)) take_from_cancelled(id);
  }
  /** True once the connection is broken. */
  bool is_broken() const { return is_broken_.load(std::memory_order_acquire); }
  /**
   * True if the peer is gone without a goodbye: those of its calls that expect an answer and have
   * not begun are dropped.
   */
  bool has_lost_caller() const { return is_broken() && !has_said_goodbye(); }
  virtual bool has_said_goodbye() const { return false; }

  /** False once the connection is broken or the peer said goodbye: no new calls. */
  bool is_usable() const { return usable_.load(std::memory_order_acquire); }
  /** Ends the connection; all waiters get the error. */
  void fail(const Error& error);
  /** The same, but the channel stays open. */
  void end_calls(const Error& error);

  /** Serial number of the callee whose objects are at the other end; 0: none. */
  virtual std::uint64_t callee() const = 0;

  /** Calls in progress, counted by the callee. */
  std::atomic<int> in_use{0};
  /** The number the client has given the connection; 0: none. */
  std::uint64_t number() const { return stream->number; }
  /** How far the two ends have sent and read. */
  const std::shared_ptr<Stream> stream;
  /**
   * The peer continues over another connection: calls that have not begun are dropped. See
   * CallerStrands.
   */
  std::atomic<bool> abandoned{false};

  /** Nothing has been sent for a while: frees memory, unless a thread is sending. */
  void rest_sending() {
    const std::unique_lock lock(write, std::try_to_lock);
    if (lock.owns_lock() && !is_write_blocked) channel->rest_sending();
  }

  const std::unique_ptr<Channel> channel;
  using WriteMutex = CheckedMutex<"Link::write">;
  WriteMutex write;               ///< held while a frame is sent
  bool is_write_blocked = false;  ///< the channel has a backlog; under write
  bool holds_back = false;  ///< whole frames are held back to be sent with others; under write

 protected:
  explicit Link(std::unique_ptr<Channel> its_channel,
                std::shared_ptr<Stream> its_stream = std::make_shared<Stream>())
      : stream(std::move(its_stream)), channel(std::move(its_channel)) {}

  /** What the peer accepts; set once, before the first call. */
  void set_limits(std::uint32_t inline_limit, std::uint64_t message_limit) {
    inline_limit_ = inline_limit;
    message_limit_ = message_limit;
  }
  void set_limits_of(const Link& other) { set_limits(other.inline_limit_, other.message_limit_); }
  /** Tells the peer that a call was cancelled. A thread that cancels need not wait for the peer. */
  virtual void send_cancel(std::uint64_t id);
  /** The same, and false if the peer takes no data now. */
  bool try_send_cancel(std::uint64_t id);
  /** An answer that may still come is not waited for any more. Called without locks. */
  virtual void answer_is_late() noexcept {}
  /** Waits until the backlog allows another call. Throws Error. */
  virtual void await_capacity(Deadline /*deadline*/) {}
  /**
   * Sends `before` (whole frames, may be empty) and a frame, or appends them to the backlog.
   * `reads`: see transmit. `deadline`: until when it waits for the peer to take the beginning;
   * NULL: as long as it waits for the rest. Throws Error. Under write; the caller destroys `spent`
   * after releasing it.
   */
  virtual void put_in_line(std::span<const std::byte> before, const FrameHeader& header,
                           Encoder& encoder, bool reads, const Deadline* deadline,
                           Spent& spent) = 0;
  /** Something was read that a release of the peer waits for, or nothing more will be read. */
  virtual void go_on() {}
  /** The thread that reads the connection lets another one do so. */
  virtual void step_down() {}
  /**
   * Destroys what is not needed any more, such as references of a dropped answer, on a thread that
   * may run destructors.
   */
  virtual void dispose(Ended what);

  /** A call or an answer was read and its references are pinned. Called by the reader. */
  void count_read() {
    if (stream->count_read()) go_on();
  }
  /** Asks the peer how far it has read, if that is due. Under write, with an empty backlog. */
  virtual void ask_for_confirmation();
  /** False: its answer will be dropped. `self`: the reader's own waiter. */
  bool is_waited_for(std::uint64_t call, const Waiter* self) {
    if (self != nullptr && self->id == call) return true;
    const std::lock_guard lock(state_);
    return find(call) != nullptr;
  }
  /** The landing of the answer with this header; NULL: none. */
  std::shared_ptr<Landing> landing_of(const FrameHeader& header);
  /**
   * Hands an answer to its waiter, or drops it if there is none. `self`: the reader's own waiter.
   */
  void deliver(Message& message, Waiter* self);
  /** The waiter's thread is about to run something else. Under state_. */
  static void suspend(Waiter& waiter);
  /** Hands a nested call to the thread that waits for its parent; false if none can run it. */
  bool deliver_nested(IncomingCall& call);
  /** Completes the header of an answer; if it exceeds a limit of the peer it becomes an error. */
  void complete_answer(FrameHeader& header, const FrameHeader& request, Answer& answer) const;

  /**
   * The waiter has been removed from the list. If its answer has not come, what the call holds is
   * kept until it does or the connection ends: the callee may be about to attach to it. Under
   * state_, held since the removal.
   */
  void give_up_waiting(Waiter& waiter);
  /** The connection has ended: drops what abandoned calls held. */
  void let_go_of_unanswered() noexcept;

  /** Removes the waiter from the list; false if it was not in it. Under state_. */
  bool take_out(Waiter& waiter) {
    if (!waiters_.empty() && waiters_.back() == &waiter) {
      waiters_.pop_back();
      return true;
    }
    return std::erase(waiters_, &waiter) != 0;
  }
  /** The call is over: tells its observers, if it has any. Under state_. */
  static void tell_observers(Waiter& waiter) {
    if (!waiter.is_ticket) return;
    const auto& observed = static_cast<TicketWaiter&>(waiter).observed;
    if (observed != nullptr) observed->end();
  }
  void pass_on(Waiter& waiter, std::unique_lock<StateMutex>& lock);
  /** Removes a thread's waiter from the list at the end of its scope, however its call ends. */
  class Listed {
   public:
    Listed(Link& link, Waiter& waiter) : link_(link), waiter_(waiter) {}
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;
    ~Listed() {
      if (!waiter_.concluded) link_.leave(waiter_);
    }

   private:
    Link& link_;
    Waiter& waiter_;
  };
  /** Ends an await: throws if there is no answer. Called under state_, may release it. */
  void conclude(Waiter& waiter, std::unique_lock<StateMutex>& lock);
  /** The same; an answer that may still come is then read by somebody. */
  void end_wait(Waiter& waiter, std::unique_lock<StateMutex>& lock);
  void send(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
            WriteWait* write_wait);
  /** Sends a frame without a body if that is possible without waiting. */
  void send_bare(FrameType type, std::uint64_t id = 0);
  [[noreturn]] void throw_broken(Fate fate);
  /** The wait is over. Under state_. */
  bool is_concluded(const Waiter& waiter) const {
    return waiter.done || waiter.taken_out || broken_ || waiter.cancelled;
  }
  Waiter* find(std::uint64_t id);
  /** How many requests were sent that expect an answer. Under state_. */
  std::uint64_t asked() const { return next_id_ - 1 - unsent_; }

  /**
   * Takes the lock `write`. Waiting for it counts as waiting for the peer; throws Error(time_out)
   * if the deadline passes meanwhile.
   */
  std::unique_lock<WriteMutex> lock_write(const Deadline& deadline = {}) {
    if (std::unique_lock lock(write, std::try_to_lock); lock.owns_lock()) return lock;
    return await_write(deadline);
  }
  std::unique_lock<WriteMutex> await_write(const Deadline& deadline);
  std::unique_lock<WriteMutex> lock_write_soon();
  void complete(FrameHeader& header, const Request& request) const;
  /** Adds the waiter to the list, with a new id. Under state_. */
  void enter(Waiter& waiter);
  void transmit(FrameHeader& header, const Request& request);
  /**
   * The same. `reads`: the caller is the reader of the socket; if another thread is sending it
   * stops being that, as the peer may take no more before its answers are read.
   */
  void transmit(FrameHeader& header, const Request& request, bool& reads);
  void post(const FrameHeader& header, const Request& request);
  void put(const FrameHeader& header, const Request& request, std::span<const std::byte> before,
           bool reads, Spent& spent);
  template <class Send>
  bool count(const Request& request, const Send& send_it);
  template <class Send>
  bool note_and_send(const Request& request, std::uint64_t position, const Send& send_it);
  /** A frame could not be sent. Throws the reason the peer gave before it closed, if any. */
  [[noreturn]] void give_up(const Error& error);

  StateMutex state_;  ///< guards the following; never held while waiting for the network
  std::vector<Waiter*> waiters_;  ///< by ascending id
  /** A call no longer waited for, and what it holds. */
  struct Unanswered {
    std::uint64_t id;
    std::shared_ptr<void> held;
  };
  std::vector<Unanswered> unanswered_;
  std::optional<Error> broken_;
  std::atomic<bool> usable_{true};
  /** The peer has said that calls unanswered when the connection ends were not run. */
  std::atomic<bool> runs_nothing_more_{false};
  std::atomic<bool> is_broken_{false};

 private:
  bool is_among_cancelled(std::uint64_t id);
  void take_from_cancelled(std::uint64_t id);

  /**
   * A lock of its own, innermost: waiters check for cancellation under state_ of this link or
   * another one.
   */
  CheckedMutex<"Link::cancelled_"> cancelled_mutex_;
  std::vector<std::uint64_t> cancelled_;  ///< ids of calls of the peer
  std::atomic<bool> has_cancelled_{false};
  std::uint32_t inline_limit_ = least_inline_bytes;
  std::uint64_t message_limit_ = 0;
  std::uint64_t next_id_ = 1;  ///< under state_
  std::uint64_t unsent_ = 0;   ///< ids that were given and not used; under state_
  MethodNumbers methods_;      ///< under write
};

}  // namespace shinar::wire
#endif
