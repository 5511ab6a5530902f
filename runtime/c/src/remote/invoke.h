/* invoke.h: the two halves of a call to another process. */
#ifndef REMOTE_INVOKE_H
#define REMOTE_INVOKE_H

#include "remote/outputs.h"

struct sidl_rmi_Invocation__object;
struct sidl_rmi_Response__object;

#pragma GCC visibility push(hidden)

/* Prepares a call through the proxy `self`: arguments packed, deadline set. NULL with *_ex set. */
struct sidl_rmi_Invocation__object* invoke_begin(void* self, const struct sidl_method_info* method,
                                                 void* const* args,
                                                 struct sidl_BaseInterface__object** _ex);

/*
 * Unpacks the outputs, or sets *_ex to what the method threw. The outputs must have been cleared.
 */
void invoke_end(const struct outputs* outputs, struct sidl_rmi_Response__object* response,
                struct sidl_BaseInterface__object** _ex);

/* Adds the call to the exception's trace. */
void invoke_add_trace(const struct sidl_method_info* method, struct sidl_BaseInterface__object* ex);

/* Adds which argument it was: the note may name a value within it. */
__attribute__((noinline, cold)) void invoke_add_argument(const struct sidl_method_info* method,
                                                         const struct sidl_arg_info* arg,
                                                         struct sidl_BaseInterface__object* ex);

#pragma GCC visibility pop
#endif
