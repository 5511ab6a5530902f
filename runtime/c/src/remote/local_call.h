/*
 * local_call.h: a nonblocking call whose object is in this process.
 *
 * The method's own dispatcher runs it; values are passed without marshalling.
 */
#ifndef REMOTE_LOCAL_CALL_H
#define REMOTE_LOCAL_CALL_H

#include "remote/ticket.h"

#pragma GCC visibility push(hidden)

/* Runs the method. `args` as for sidl_rmi_send; outputs or exception go to the ticket. */
void local_call_run(struct ticket* ticket, void* const* args);

#pragma GCC visibility pop
#endif
