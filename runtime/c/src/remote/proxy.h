/* proxy.h: objects that stand for remote ones. */
#ifndef REMOTE_PROXY_H
#define REMOTE_PROXY_H

#include "sidl_protocol.h"

#pragma GCC visibility push(hidden)

/*
 * The type of the object behind a handle, if this process knows it, else NULL. *_ex is set if the
 * handle cannot say.
 */
const struct sidl_type_info* proxy_real_type(struct sidl_rmi_InstanceHandle__object* handle,
                                             struct sidl_BaseInterface__object** _ex);

/*
 * Where a proxy keeps the deadline of calls through it, in milliseconds; NULL for a local object.
 * Accessed atomically.
 */
int64_t* proxy_deadline(const void* obj);

/* Asks the server whether the object behind a proxy is of the type called `name`. */
sidl_bool proxy_ask_type(void* self, const char* name, struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
