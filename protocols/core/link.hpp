/**
 * One connection as those see it who call through it: what client and server ends have in common.
 *
 * A call runs on the caller's thread from send to receive. Who waits is in a list; whoever reads
 * the socket hands over answers, and calls that are nested in a waiting one. How a waiting thread
 * gets the socket read is the business of the two ends. Any thread.
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
#include "method_numbers.hpp"
#include "outbox.hpp"
#include "stream.hpp"
#include "waiter.hpp"

namespace shinar::wire {

class Crew;
class Session;

/** When a call is over for the caller, answered or not. */
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/** Milliseconds from now, at least one; longer than a year is for ever. */
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
  std::uint64_t digest = 0;   ///< of its signature
  Encoder* encoder = nullptr;
  Deadline deadline{};
  std::uint16_t caller_strand = 0;  ///< see CallerStrands
  std::uint64_t parent = 0;  ///< the peer's call in the course of which this one is made, or 0
  const ChainId* chain = nullptr;  ///< of which it is part; NULL: of none
  bool is_outermost = false;  ///< of a chain, but not in the course of a call: see OutermostChain
  bool abandons = false;      ///< the server must first hear which connections the thread has left
  Crew* crew = nullptr;       ///< of the thread that calls
  Entry* entry = nullptr;     ///< what it does to the books; NULL: nothing
  const Session* lent_to = nullptr;  ///< where what it lends is booked; NULL: it lends nothing
  /** What its objects of third processes need until it is answered; NULL: nothing. */
  std::shared_ptr<void> held{};
  const std::shared_ptr<Landing>* landing = nullptr;  ///< of a call's answer; NULL: it has none
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
  /** Sends a request; the waiter, which stays where it is, is told of the answer. */
  void begin(const Request& request, Waiter& waiter);
  /** Sends a frame that is not answered. */
  void send(const Request& request);

  /** Waits for the answer to a call that was begun. Throws Error if it does not come. */
  virtual void await(Waiter& waiter, Deadline deadline) = 0;
  /** Reads what came while nobody waited; returns is_usable(). */
  virtual bool refresh() = 0;
  /** Nothing can be sent any more: sees to it that what the peer said before is read. */
  virtual void read_last_words() { refresh(); }
  /** True if await would not wait. */
  bool is_over(Waiter& waiter, Deadline deadline);
  /** Gives a call up; false if it was over already. Tells the peer. `why` is a literal. */
  bool cancel(Waiter& waiter, const char* why = "the call was cancelled");
  /** The waiter goes away, whatever it waited for: a late answer is dropped. `was_sent`: there may
   * be one. */
  void leave(Waiter& waiter, bool was_sent = true);

  /** Runs a call that was read here, on a thread that may take its time. */
  virtual void run_elsewhere(IncomingCall call) = 0;
  /** "127.0.0.1:4711" of the peer, for log lines. */
  virtual std::string other_end() const { return channel->peer(); }

  /** Calls of the chain that are nested in what the waiter waits for, and that nobody has run. */
  std::vector<IncomingCall> take_nested(Waiter& waiter, const ChainId& chain);

  /** Runs a call that was read here, on this thread. */
  virtual void run_here(IncomingCall& call) = 0;
  /** Who runs the calls that are read here: those of one can be run by its threads. */
  virtual const void* runner() const { return nullptr; }

  /** The peer gave up a call that has begun, or is about to: what waits in its course ends. */
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
  /** True if the peer has gone without a word: its calls that are answered and have not begun never
   *  will. */
  bool has_lost_caller() const { return is_broken() && !has_said_goodbye(); }
  virtual bool has_said_goodbye() const { return false; }

  /** False once the connection is broken or the peer said goodbye: it takes no new calls. */
  bool is_usable() const { return usable_.load(std::memory_order_acquire); }
  /** Ends the connection; whoever waits gets the error. */
  void fail(const Error& error);

  /** Serial number of the callee whose objects are at the other end; 0: there are none. */
  virtual std::uint64_t callee() const = 0;

  /** Calls in progress, counted by the callee. */
  std::atomic<int> in_use{0};
  /** By which the client names the connection to the server; 0: it does not. */
  std::uint64_t number() const { return stream->number; }
  /** How far the two ends have come. */
  const std::shared_ptr<Stream> stream;
  /** The peer goes on over another connection: calls that have not begun never will. See
   * CallerStrands. */
  std::atomic<bool> abandoned{false};

  const std::unique_ptr<Channel> channel;
  using WriteMutex = CheckedMutex<"Link::write">;
  WriteMutex write;               ///< held while a frame is sent
  bool is_write_blocked = false;  ///< the channel has a backlog; under write
  bool holds_back = false;        ///< whole frames wait that others may follow; under write

 protected:
  explicit Link(std::unique_ptr<Channel> its_channel,
                std::shared_ptr<Stream> its_stream = std::make_shared<Stream>())
      : stream(std::move(its_stream)), channel(std::move(its_channel)) {}

  /** What the peer takes; set once, before the first call. */
  void set_limits(std::uint32_t inline_limit, std::uint64_t message_limit) {
    inline_limit_ = inline_limit;
    message_limit_ = message_limit;
  }
  /** Nobody waits for an answer any more that may still come. Without locks. */
  virtual void answer_is_late() noexcept {}
  /** Waits until the peer has taken so much of what was sent that a call may follow. Throws Error.
   */
  virtual void await_capacity(Deadline /*deadline*/) {}
  /** Sends `before` (whole frames, may be empty) and a frame, or leaves them to whoever sends what
   *  the peer has not taken yet. `reads`: see transmit. Throws Error. Under write, without which
   * the caller drops what is added to `spent`. */
  virtual void put_in_line(std::span<const std::byte> before, const FrameHeader& header,
                           Encoder& encoder, bool reads, Spent& spent) = 0;
  /** Something was read that a release of the peer waits for, or nothing more will be. */
  virtual void go_on() {}
  /** Ends what nobody wants any more, as the references of a message that nobody takes: by a thread
   *  that may run destructors. */
  virtual void dispose(Ended what);

  /** A call or an answer was read, and all that it refers to is held. By whoever reads. */
  void count_read() {
    if (stream->count_read()) go_on();
  }
  /** Asks the peer how far it has read, if it is time. Under write, with nothing that waits. */
  virtual void ask_for_confirmation();
  /** Where the answer goes of which the header has come; NULL: nowhere in particular. */
  std::shared_ptr<Landing> landing_of(const FrameHeader& header);
  /** Hands an answer over; one that nobody waits for any more is dropped. `self` reads. */
  void deliver(Message& message, Waiter* self);
  /** The waiter's thread is about to run something else. Under state_. */
  static void suspend(Waiter& waiter);
  /** Hands a nested call to the thread that waits for its parent; false: none can run it. */
  bool deliver_nested(IncomingCall& call);
  /** Completes the header of an answer; one that passes a limit of the peer becomes an error. */
  void complete_answer(FrameHeader& header, const FrameHeader& request, Answer& answer) const;

  /**
   * The waiter has left the list. If its answer has not come, what the call holds is kept until
   * that comes, or the connection ends: the callee may be about to attach to it. Under state_,
   * which was not given up since.
   */
  void give_up_waiting(Waiter& waiter);
  /** Takes what calls hold that nobody waits for any more: the connection has ended. */
  void let_go_of_unanswered() noexcept;

  /** Takes the waiter off the list; false if it was not on it. Under state_. */
  bool take_out(Waiter& waiter) {
    if (!waiters_.empty() && waiters_.back() == &waiter) {
      waiters_.pop_back();
      return true;
    }
    return std::erase(waiters_, &waiter) != 0;
  }
  void pass_on(Waiter& waiter, std::unique_lock<StateMutex>& lock);
  /** A thread's waiter is in the list no longer than this lives, however its call ends. */
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
  /** Ends an await: throws what became of a call without an answer. Under state_, gives it up. */
  void conclude(Waiter& waiter, std::unique_lock<StateMutex>& lock);
  void send(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
            WriteWait* write_wait);
  /** Sends a frame without a body if the socket takes it now and nobody else is sending. */
  void send_bare(FrameType type, std::uint64_t id = 0);
  [[noreturn]] void throw_broken(Fate fate);
  /** Waiting is over, or there is something to do. Under state_. */
  bool is_concluded(const Waiter& waiter) const {
    return waiter.done || waiter.taken_out || broken_ || waiter.cancelled;
  }
  Waiter* find(std::uint64_t id);
  /** How many answers were asked for. Under state_. */
  std::uint64_t asked() const { return next_id_ - 1; }

  /** The lock `write`. Who waits for it waits for a peer that takes its time. */
  std::unique_lock<WriteMutex> lock_write() {
    if (std::unique_lock lock(write, std::try_to_lock); lock.owns_lock()) return lock;
    return await_write();
  }
  std::unique_lock<WriteMutex> await_write();
  void complete(FrameHeader& header, const Request& request) const;
  /** Puts the waiter on the list, with a new id. Under state_. */
  void enter(Waiter& waiter);
  /** Sends a request; `reads`: the caller is the one who reads the socket. */
  void transmit(FrameHeader& header, const Request& request, bool reads = false);
  void post(const FrameHeader& header, const Request& request);
  void put(const FrameHeader& header, const Request& request, std::span<const std::byte> before,
           bool reads, Spent& spent);
  template <class Send>
  bool count(const Request& request, const Send& send_it);
  /** A frame could not be sent. The peer may have said why before it closed: then that is thrown.
   */
  [[noreturn]] void give_up(const Error& error);

  StateMutex state_;  ///< guards the following; never held while waiting for the network
  std::vector<Waiter*> waiters_;  ///< by ascending id
  /** A call that nobody waits for any more, and that holds something. */
  struct Unanswered {
    std::uint64_t id;
    std::shared_ptr<void> held;
  };
  std::vector<Unanswered> unanswered_;
  std::optional<Error> broken_;
  std::atomic<bool> usable_{true};
  /** The peer has said that what it has not answered when the connection ends was not run. */
  std::atomic<bool> runs_nothing_more_{false};
  std::atomic<bool> is_broken_{false};

 private:
  bool is_among_cancelled(std::uint64_t id);
  void take_from_cancelled(std::uint64_t id);

  /** A lock of its own, under which no other is taken: who waits asks under state_, of this link or
   *  another one, whether there is still sense in it. */
  CheckedMutex<"Link::cancelled_"> cancelled_mutex_;
  std::vector<std::uint64_t> cancelled_;  ///< ids of calls of the peer
  std::atomic<bool> has_cancelled_{false};
  std::uint32_t inline_limit_ = 0;
  std::uint64_t message_limit_ = 0;
  std::uint64_t next_id_ = 1;  ///< under state_
  MethodNumbers methods_;      ///< under write
};

}  // namespace shinar::wire
#endif
