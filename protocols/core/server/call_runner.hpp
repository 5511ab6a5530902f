/**
 * The calls of one connection of a server: counted, lined up behind those that they must not
 * overtake, run by the worker that read them, and answered.
 */
#ifndef SHINAR_CORE_SERVER_CALL_RUNNER_HPP
#define SHINAR_CORE_SERVER_CALL_RUNNER_HPP

#include <atomic>
#include <cstdint>
#include <optional>

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

  // ---- by whoever reads
  // ----------------------------------------------------------------------------

  /**
   * Counts a call that was read. False if it has been answered with a refusal: because the server
   * ends, or because it was one too many, and a thread waits for it in the course of one of our
   * calls (see ConnectionReader::throttle). Others that are too many end the connection: throws
   * Error.
   */
  bool count(IncomingCall& call);
  /**
   * Runs a call, or leaves it to the thread that has to run it; false if the connection was let go
   * meanwhile: it may be closed then, but who serves it keeps it.
   */
  bool accept(Worker& worker, IncomingCall& call);
  /** Where a call that was read has to wait, if it has to: behind those that were read before. */
  CallerStrands::Turn line_up(IncomingCall& call);
  /** Runs a call, and those that had to wait for it; false as above. */
  bool execute(Worker& worker, IncomingCall& call);
  /** A call that waits to be run is not run any more; one that runs is told, should it wait. */
  void cancel(std::uint64_t id);

  // ---- any thread
  // ----------------------------------------------------------------------------------

  /**
   * Runs calls until none waits for the one before it, or its client must first take some answers.
   * `read` is the connection whose reading the worker may own.
   */
  static void run_next(ServerContext& server, std::optional<QueuedCall> next, Worker& worker,
                       ServerConnection* read);
  /** Runs a call on a thread that waits, for a client's answer as a rule; `worker`: as perform. */
  void run_nested(Worker* worker, IncomingCall& call);

  /** A call whose turn in its caller strand had come will not be run. */
  void pass_strand_on(const IncomingCall& call);
  /** The call has been run, or never will be: lets go of what it refers to. */
  static void drop(IncomingCall& call);
  /** It is counted no more. `is_answered`: its answer is counted until it has been sent. */
  void ended(bool is_answered) noexcept;

  int in_work() const { return in_work_; }
  /** As many are in work as the client may have at once. */
  bool are_many() const;
  /** More than may be in work for the connection to be read, as calls that are in work may wait for
   *  calls that have not been read. */
  bool are_too_many() const;
  /** Calls that are taken at most, however they are read. */
  std::uint64_t most_taken() const;

 private:
  enum class Ran { now, later };
  Ran perform(Worker* worker, IncomingCall& call, Encoder& encoder, bool more,
              std::optional<QueuedCall>& next);
  /** The next call of its caller strand, if it has one, can begin. */
  void is_over(const IncomingCall& call, std::optional<QueuedCall>& next) {
    if (call.caller_strand) [[unlikely]]
      strand_is_free(*call.caller_strand, next);
  }
  void strand_is_free(const CallerStrands::Key& caller_strand, std::optional<QueuedCall>& next);
  /** Of a one-way call that failed, whose caller is not told: puts the line for the log together.
   */
  void note_failure(const IncomingCall& call, Answer& answer) const {
    if (answer.is_unheard && answer.type != FrameType::reply) [[unlikely]]
      describe_failure(call, answer);
  }
  void describe_failure(const IncomingCall& call, Answer& answer) const;
  void check_waiting(RunningCall& running) const;
  static bool stall(ServerContext& server, std::optional<QueuedCall>& next);
  std::optional<IncomingCall> take_waiting(std::uint64_t id);
  void turn_away(const IncomingCall& call);
  void refuse(const FrameHeader& request, const Error& error);

  // What a call asks for; throw Error.
  void run(IncomingCall& call, Answer& answer);
  void create(Message& message, Answer& answer);
  void attach(Message& message, Answer& answer);
  void hand_out(const Instance& instance, Answer& answer);

  ServerConnection& connection_;
  ServerContext& server_;
  std::atomic<int> in_work_{0};
};

}  // namespace shinar::wire
#endif
