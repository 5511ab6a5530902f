// In: nothing; all other code includes the generated protobuf classes by this header.
// Out: namespace shinar::ir (Module, Type, Method, …) without the generated code's warnings.
#pragma once

#if defined(__GNUC__)
#pragma GCC system_header
#endif
#include "sidl_ir.pb.h"
#include "sidl_plugin.pb.h"
