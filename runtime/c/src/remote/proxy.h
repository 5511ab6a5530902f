/*
 * proxy.h: proxies of remote objects.
 */
#ifndef REMOTE_PROXY_H
#define REMOTE_PROXY_H

#include "sidl_protocol.h"

#pragma GCC visibility push(hidden)

/*
 * The type of the object behind a handle, if this process knows it, else NULL. *_ex is set if the
 * handle fails.
 */
const struct sidl_type_info* proxy_real_type(struct sidl_rmi_InstanceHandle__object* handle,
                                             struct sidl_BaseInterface__object** _ex);

/* What a proxy has besides what every object has. */
struct proxy_tail {
  int64_t deadline;       /* of calls through it, in milliseconds; accessed atomically */
  sidl_rmi_caller caller; /* see proxy_caller */
};

/* NULL for a local object. */
struct proxy_tail* proxy_tail(const void* obj);

/* The function for whole calls through a proxy, and its handle; or NULL. */
sidl_rmi_caller proxy_caller(const void* obj, struct sidl_rmi_InstanceHandle__object** handle);

/* Asks the server whether the object behind a proxy is of the type called `name`. */
sidl_bool proxy_ask_type(void* self, const char* name, struct sidl_BaseInterface__object** _ex);

#pragma GCC visibility pop
#endif
