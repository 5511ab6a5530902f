// Nonblocking calls of the loop protocol.
#pragma once

#include "rt_Pipe.h"

namespace rt {

// Keeps a request until it is answered, or answers it at once (loop_hold). Returns its ticket.
sidl_rmi_Ticket__object* hold_call(
    rt_Pipe__object* request,
    sidl_rmi_Response__object* (*answer)(rt_Pipe__object*, sidl_BaseInterface__object**),
    sidl_BaseInterface__object** ex);

}  // namespace rt
