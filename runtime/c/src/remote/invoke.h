/* invoke.h: the two halves of a call to another process. */
#ifndef REMOTE_INVOKE_H
#define REMOTE_INVOKE_H

#include "remote/outputs.h"

struct sidl_rmi_Invocation__object;
struct sidl_rmi_Response__object;

#pragma GCC visibility push(hidden)

/*
 * A call through the proxy `self`, ready to be sent: its arguments packed, its deadline set. NULL
 * with *_ex set.
 */
struct sidl_rmi_Invocation__object* invoke_begin(void* self, const struct sidl_method_info* method,
                                                 void* const* args,
                                                 struct sidl_BaseInterface__object** _ex);

/* Takes what came back, or sets *_ex to what the method threw. The outputs have been cleared. */
void invoke_end(const struct outputs* outputs, struct sidl_rmi_Response__object* response,
                struct sidl_BaseInterface__object** _ex);

/* Says in the exception's trace which call it came out of. */
void invoke_add_trace(const struct sidl_method_info* method, struct sidl_BaseInterface__object* ex);

#pragma GCC visibility pop
#endif
