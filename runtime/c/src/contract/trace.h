/*
 * trace.h: a file with a line for each call that is checked, and what its stages took: what
 * sidl.EnfPolicy.startTrace begins.
 */
#ifndef CONTRACT_TRACE_H
#define CONTRACT_TRACE_H

#include <stdbool.h>

#include "sidl_EnfTraceLevel.h"
#include "sidl_contract.h"

#pragma GCC visibility push(hidden)

/*
 * From now on calls that are checked are written to the file (empty: ContractTrace.out), behind
 * what is in it; a trace that was going on ends. NONE ends it and begins none. False with *_ex set.
 */
bool trace_start(const char* filename, enum sidl_EnfTraceLevel__enum level,
                 struct sidl_BaseInterface__object** _ex);
bool trace_end(struct sidl_BaseInterface__object** _ex);
enum sidl_EnfTraceLevel__enum trace_level(void);

/* A line of the user's, as a comment; nothing if there is no trace. */
void trace_note(const char* text);

/* The stages of a call that is traced, behind its preconditions, which come first. */
enum trace_stage { TRACE_METHOD = 1, TRACE_ENSURE, TRACE_INVARIANT };
void trace_begin(struct sidl_check* check);
void trace_stage(struct sidl_check* check, enum trace_stage stage);
/* Its method has not run, or has ended; the line is written. */
void trace_refused(struct sidl_check* check);
void trace_end_call(struct sidl_check* check);

#pragma GCC visibility pop
#endif
