/**
 * Running a call of a peer and putting its answer together: what both ends do alike.
 */
#ifndef SIMHANDLE_ANSWERING_HPP
#define SIMHANDLE_ANSWERING_HPP

#include "host.hpp"
#include "incoming_call.hpp"

namespace simhandle {

/** Makes the answer an error frame. */
void put_error(Answer& answer, const Error& error);

/** Runs `action`, which throws; whatever goes wrong ends up in the answer. */
template <class Action>
void answered(Answer& answer, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    put_error(answer, error);
  } catch (const std::exception& error) {
    put_error(answer, Error(Failure::protocol, reason_of(error), Fate::may_have_executed));
  }
}

/** Throws if the deadline has passed; else says in the answer how much of it is left. */
void check_deadline(const IncomingCall& call, Answer& answer);

/** Runs the method of a request or one-way call. Throws Error. */
void run_method(Host& host, IncomingCall& call, Answer& answer);

}  // namespace simhandle
#endif
