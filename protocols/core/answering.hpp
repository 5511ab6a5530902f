/**
 * Running a call of a peer and putting its answer together: what both ends do alike.
 */
#ifndef SHINAR_CORE_ANSWERING_HPP
#define SHINAR_CORE_ANSWERING_HPP

#include "cargo.hpp"
#include "error.hpp"
#include "forking.hpp"
#include "host.hpp"
#include "incoming_call.hpp"

namespace shinar::wire {

class RunningCall;

Error no_such_object(std::string_view object);

/**
 * A call was read: what it refers to here is held until it has been run, so that nothing that is
 * read later takes it away. `host`: NULL, nothing is here. Throws Error if it is malformed.
 */
void hold(IncomingCall& call, Host* host);
/** The same, where it is a peer's: `caller` gives it, if there are references in the message. */
template <class Caller>
void hold(IncomingCall& call, Host* host, const Caller& caller) {
  hold(call, host);
  if (Cargo::is_in(call.message)) Cargo::unload(call.message, host, caller());
}

/** Makes the answer an error frame. */
void put_error(Answer& answer, const Error& error);
/** The same, when the thread that was to give it has ended itself. */
void put_thread_ended(Answer& answer) noexcept;

/** Runs `action`, which throws; whatever goes wrong ends up in the answer. */
template <class Action>
void answered(Answer& answer, Action&& action) {
  const Generation begun;
  try {
    action();
  } catch (const Error& error) {
    put_error(answer, error);
  } catch (const std::exception& error) {
    put_error(answer, Error(Failure::protocol, reason_of(error), Fate::may_have_executed));
  }
  if (!begun.is_current()) end_stray_child();
}

/** What is logged of a one-way call of `peer` that failed: nobody else is told. */
std::string failed_one_way(const Host& host, const IncomingCall& call, const Answer& answer,
                           const std::string& peer);

/** Throws if the deadline has passed; else says in the answer how much of it is left. */
void check_deadline(const IncomingCall& call, Answer& answer);

/**
 * Throws if the caller has given up the call, which has not begun, or is gone, or if the thread is
 * in too many, for which its stack might be too small: more than `most`.
 */
void check_begin(const RunningCall& running, std::uint32_t most);

/** Runs the method of a request or one-way call. Throws Error. */
void run_method(Host& host, IncomingCall& call, Answer& answer);

}  // namespace shinar::wire
#endif
