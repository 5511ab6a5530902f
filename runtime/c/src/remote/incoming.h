/*
 * incoming.h: calls that a dispatcher runs without a Call and a Return.
 *
 * A dispatcher is given a Call and a Return that are no objects: what finds them
 * (sidl_rmi_unpack, sidl_rmi_finish) leaves values to the struct incoming behind them.
 */
#ifndef REMOTE_INCOMING_H
#define REMOTE_INCOMING_H

#include "sidl_protocol.h"

#pragma GCC visibility push(hidden)

struct incoming {
  /* As sidl_rmi_unpack. What has been unpacked when it fails, `finish` frees. */
  sidl_bool (*unpack)(struct incoming* self, const struct sidl_method_info* method,
                      void* const* args, struct sidl_BaseInterface__object** _ex);
  /* As sidl_rmi_finish: `result` is NULL if there is none. */
  void (*finish)(struct incoming* self, const struct sidl_method_info* method, void* const* args,
                 void* result, struct sidl_BaseInterface__object** _ex);
};

/* Runs the method of `obj`, which is seen as the type that introduced it; NULL for a static one. */
void incoming_run(void* obj, const struct sidl_method_info* method, struct incoming* incoming,
                  struct sidl_BaseInterface__object** _ex);

/* What is behind a Call or a Return; NULL for an object. */
struct incoming* incoming_of(const void* call_or_return);

#pragma GCC visibility pop
#endif
