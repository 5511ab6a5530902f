/* note.h: what the exception of a violated clause says. */
#ifndef CONTRACT_NOTE_H
#define CONTRACT_NOTE_H

#include "sidl_contract.h"

#pragma GCC visibility push(hidden)

/*
 * "precondition 'positive' of vect.Utils.norm does not hold: tol >= 0.0, where tol is -1
 * (vect.sidl:12)"; free. NULL: no memory. `result`: NULL while there is none.
 */
char* note_of_violation(const struct sidl_check* check, const struct sidl_contract* contract,
                        void* const* args, const void* result);

/* Adds a line to the trace of an exception. */
void note_in_trace(struct sidl_BaseInterface__object* exception, const char* line);

#pragma GCC visibility pop
#endif
