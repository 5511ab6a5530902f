/**
 * Running a call of a peer and building its answer: what client and server ends have in common.
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
 * Pins what a call refers to in this process from when it is read until it has run, so that no
 * release read later destroys it. `host`: NULL if this process has no objects. Throws Error if the
 * call is malformed.
 */
void hold(IncomingCall& call, Host* host);
/** The same for a call with a caller: `caller` is asked for it if the message has references. */
template <class Caller>
void hold(IncomingCall& call, Host* host, const Caller& caller) {
  hold(call, host);
  if (Cargo::is_in(call.message)) Cargo::unload(call.message, host, caller());
}

/** Makes the answer an error frame. */
void put_error(Answer& answer, const Error& error);
/** The same when the thread that ran the call has ended. */
void put_thread_ended(Answer& answer) noexcept;

/** Runs `action`; what it throws becomes the answer. */
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

/** The log line about a one-way call of `peer` that failed, which no caller hears of. */
std::string failed_one_way(const Host& host, const IncomingCall& call, const Answer& answer,
                           const std::string& peer);

/** Throws if the deadline has passed; else stores in the answer how much of it is left. */
void check_deadline(const IncomingCall& call, Answer& answer);

/**
 * Before a call begins: throws if its caller has cancelled it or is gone, or if the thread is in
 * more than `most` nested calls, for which its stack might be too small.
 */
void check_begin(const RunningCall& running, std::uint32_t most);

/** Runs the method of a request or one-way call. Throws Error. */
void run_method(Host& host, IncomingCall& call, Answer& answer);

}  // namespace shinar::wire
#endif
