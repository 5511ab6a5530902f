/*
 * incoming.h: dispatching calls without Call and Return objects.
 *
 * The dispatcher gets a fake Call and Return; sidl_rmi_unpack and sidl_rmi_finish recognise them
 * and leave the values to the struct incoming behind them.
 */
#ifndef REMOTE_INCOMING_H
#define REMOTE_INCOMING_H

#include "sidl_protocol.h"

#pragma GCC visibility push(hidden)

struct incoming {
  /* As sidl_rmi_unpack. If it fails, `finish` frees what was unpacked. */
  sidl_bool (*unpack)(struct incoming* self, const struct sidl_method_info* method,
                      void* const* args, struct sidl_BaseInterface__object** _ex);
  /* As sidl_rmi_finish; `result` is NULL if there is none. */
  void (*finish)(struct incoming* self, const struct sidl_method_info* method, void* const* args,
                 void* result, struct sidl_BaseInterface__object** _ex);
};

/* Runs a method. `obj` must be cast to the type that introduced it; NULL for a static one. */
void incoming_run(void* obj, const struct sidl_method_info* method, struct incoming* incoming,
                  struct sidl_BaseInterface__object** _ex);

/* The struct behind a fake Call or Return; NULL for a real object. */
struct incoming* incoming_of(const void* call_or_return);

#pragma GCC visibility pop
#endif
