/**
 * The calls of one connection of a server: counts them, queues those that must not overtake others,
 * has them run by the worker that read them, and answers.
 */
#ifndef SHINAR_CORE_SERVER_CALL_RUNNER_HPP
#define SHINAR_CORE_SERVER_CALL_RUNNER_HPP

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "core/caller_strands.hpp"
#include "core/chain.hpp"
#include "core/host.hpp"
#include "core/incoming_call.hpp"

namespace shinar::wire {

class RunningCall;
class ServerConnection;
class Worker;
struct ServerContext;

class CallRunner {
 public:
  CallRunner(ServerConnection& connection, ServerContext& server)
      : connection_(connection), server_(server) {}

  // ---- called by the reader ---------------------------------------------------------------------

  /**
   * Counts a call that was read. False if it has been refused with an answer: because the server
   * ends, or because it exceeds the limit and is part of a chain whose caller waits (see
   * ConnectionReader::throttle). Throws Error, which ends the connection, for others beyond the
   * limit.
   */
  bool count(IncomingCall& call);
  /**
   * Runs a call, or leaves it to the thread that has to run it. False if the connection was
   * released meanwhile; it may even be closed then, but the serving worker keeps it alive.
   */
  bool accept(Worker& worker, IncomingCall& call);
  /** Enters a call that was read into its caller strand, behind earlier ones. */
  CallerStrands::Turn line_up(IncomingCall& call);
  /**
   * Hands a call that was not run to a thread on standby in its chain; false if there is none that
   * can run it, or if others have to run before it.
   */
  bool hand_over(IncomingCall& call);
  /** Runs a call, and those that waited for it; false as above. */
  bool execute(Worker& worker, IncomingCall& call);
  /** A queued call is dropped; a running one ends its waits for peers. */
  void cancel(std::uint64_t id);
  /**
   * The connection has ended: what is queued does not keep it, and its descriptor, any longer.
   * Calls whose answers nobody will hear are dropped (see Link::has_lost_caller); the others keep
   * their places, but belong to a connection without a descriptor. Any thread.
   */
  void leave_queues();

  // ---- any thread
  // ----------------------------------------------------------------------------------

  /**
   * Runs calls until none was waiting for the previous one, or its client must first take some
   * answers. `read`: the connection the worker may be the reader of.
   */
  static void run_next(ServerContext& server, std::optional<QueuedCall> next, Worker& worker,
                       ServerConnection* read);
  /** Runs a call on a waiting thread; `worker`: as in perform. */
  void run_nested(Worker* worker, IncomingCall& call);

  /** A call at the head of its caller strand will not run: has the next one run. */
  void pass_strand_on(IncomingCall& call);
  /** The call has run, or never will: releases what it refers to. */
  static void drop(IncomingCall& call);
  /** A call has ended. `is_answered`: its answer is counted until it has been sent. */
  void ended(bool is_answered) noexcept;

  int in_work() const { return in_work_; }
  /** True if the client has as many calls in work as it may. */
  bool are_many() const;
  /**
   * True if so many are in work that the connection must not be read. The limit is higher while
   * calls in work wait for peers, as they may depend on unread calls.
   */
  bool are_too_many() const;
  /** Hard limit of calls in work. */
  std::uint64_t most_taken() const;
  bool is_in_vain(const IncomingCall& call) const;

 private:
  bool execute_now(Worker& worker, IncomingCall& call);
  enum class Ran { now, later };
  Ran perform(Worker* worker, IncomingCall& call, Encoder& encoder, bool more,
              std::optional<QueuedCall>& next);
  /** Lets the next call of its caller strand, if any, begin. */
  void is_over(IncomingCall& call, std::optional<QueuedCall>& next) {
    if (call.caller_strand) [[unlikely]]
      strand_is_free(call, next);
  }
  void strand_is_free(IncomingCall& over, std::optional<QueuedCall>& next);
  /** Composes the log line of a one-way call that failed, as its caller is not told. */
  void note_failure(const IncomingCall& call, Answer& answer) const {
    if (answer.is_unheard && answer.type != FrameType::reply) [[unlikely]]
      describe_failure(call, answer);
  }
  void describe_failure(const IncomingCall& call, Answer& answer) const;
  void check_waiting(RunningCall& running) const;
  bool lacks_place(IncomingCall& call);
  static bool stall(ServerContext& server, std::optional<QueuedCall>& next);
  std::optional<IncomingCall> take_waiting(std::uint64_t id);
  std::shared_ptr<ServerConnection> heir() const;
  void inherit(IncomingCall& call, std::vector<CountedCall>& counts);
  void turn_away(const IncomingCall& call);
  void refuse(const FrameHeader& request, const Error& error);

  // Execute a call; throw Error.
  void run(IncomingCall& call, Answer& answer);
  void create(Message& message, Answer& answer);
  void attach(Message& message, Answer& answer);
  void hand_out(const Instance& instance, Answer& answer);

  ServerConnection& connection_;
  ServerContext& server_;
  std::atomic<int> in_work_{0};
  std::list<Method> inherited_;  ///< of calls of a connection that has ended
};

}  // namespace shinar::wire
#endif
