/**
 * Who makes the call that a thread runs, as far as a protocol knows.
 */
#ifndef REMOTE_ORIGIN_H
#define REMOTE_ORIGIN_H

#include "sidl_protocol.h"

/** The functions of the protocol over which the thread's call has come; NULL: it runs none. */
const struct sidl_rmi_origin* origin_of_call(void);

#endif
