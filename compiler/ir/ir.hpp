// In: nothing; this header is how every other room reaches the generated protobuf classes.
// Out: namespace shinar::ir (Module, Type, Method, …) with the generated code's warnings kept out.
#pragma once

#if defined(__GNUC__)
#pragma GCC system_header
#endif
#include "sidl_ir.pb.h"
#include "sidl_plugin.pb.h"
