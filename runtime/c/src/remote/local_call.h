/*
 * local_call.h: a nonblocking call whose object is in this process.
 *
 * The method's own dispatcher runs it, with a Call and a Return that are no objects: what finds
 * one of them (sidl_rmi_unpack, sidl_rmi_finish) hands the values over where they are.
 */
#ifndef REMOTE_LOCAL_CALL_H
#define REMOTE_LOCAL_CALL_H

#include "remote/ticket.h"

struct local_call;

#pragma GCC visibility push(hidden)

/* Runs the method. `args` as sidl_rmi_send gets them; what comes of it goes to the ticket. */
void local_call_run(struct ticket* ticket, void* const* args);

/* The local call behind a Call or a Return; NULL for an object. */
struct local_call* local_call_of(const void* call_or_return);

/* What sidl_rmi_unpack and sidl_rmi_finish do then. */
void local_call_unpack(struct local_call* local, void* const* args);
void local_call_finish(struct local_call* local, void* const* args, void* result,
                       struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
