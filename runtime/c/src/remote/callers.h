/*
 * callers.h: what protocols say of their handle classes: whether they make whole calls, and whether
 * objects can be passed on.
 */
#ifndef REMOTE_CALLERS_H
#define REMOTE_CALLERS_H

#include "sidl_protocol.h"

#pragma GCC visibility push(hidden)

/* The caller of handles of exactly this class, or NULL. */
sidl_rmi_caller caller_of(const struct sidl_type_info* handle_class);

/* NULL if objects behind handles of this class can be passed to other processes. */
const char* instead_of_passing(const struct sidl_type_info* handle_class);

#pragma GCC visibility pop
#endif
