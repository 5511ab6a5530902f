/*
 * callers.h: handle classes that make whole calls.
 */
#ifndef REMOTE_CALLERS_H
#define REMOTE_CALLERS_H

#include "sidl_protocol.h"

#pragma GCC visibility push(hidden)

/* The caller of handles of exactly this class, or NULL. */
sidl_rmi_caller caller_of(const struct sidl_type_info* handle_class);

#pragma GCC visibility pop
#endif
