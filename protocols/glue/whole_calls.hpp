/**
 * Whole calls (sidl_protocol.h): from the stub to the message and from the message to the method
 * without Invocation, Response, Call and Return, which take longer than the network. The bytes on
 * the wire are the same.
 */
#ifndef SHINAR_GLUE_WHOLE_CALLS_HPP
#define SHINAR_GLUE_WHOLE_CALLS_HPP

#include "core/host.hpp"
#include "sidl_protocol.h"

namespace shinar::wire {

/** The caller's end: the sidl_rmi_caller for handles of class SimHandle. */
sidl_bool call_whole(sidl_rmi_InstanceHandle__object* handle, const sidl_method_info* method,
                     void* const* args, void* result, std::int64_t deadline,
                     sidl_BaseInterface__object** _ex);

/**
 * The callee's end: runs a call's method. Sets *failure if the call could not be answered at all.
 * Throws Error if the answer cannot be sent.
 */
void run_whole(IncomingCall& call, const sidl_method_info& method, Answer& answer,
               sidl_BaseInterface__object** failure);

}  // namespace shinar::wire
#endif
