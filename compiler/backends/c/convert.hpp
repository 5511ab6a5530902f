// In: a method, and the function by which it is called.
// Out: the body of a C function that calls it and converts what differs between C and the IOR:
// enums and named arrays by casts, raw arrays by lending the caller's memory.
#pragma once

#include <string>

#include "backends/c/lower.hpp"
#include "codegen/printer.hpp"

namespace shinar::backends::c {

// The statements of a stub: call `callee` with `self` (may be empty), the arguments and `_ex`, and
// return its result. C values become IOR values.
void emit_stub_call(codegen::Printer& printer, const MethodModel& method, const std::string& callee,
                    const std::string& self);

// The same for a skel: IOR values become C values, arrays get their declared layout.
void emit_skel_call(codegen::Printer& printer, const MethodModel& method, const std::string& callee,
                    const std::string& self);

// Addresses of the arguments' values, as the runtime takes them: "void* const _args[] = {…};".
void emit_addresses(codegen::Printer& printer, const MethodModel& method);

// The statements of a stub of half a nonblocking method.
void emit_half(codegen::Printer& printer, const MethodModel& method, const std::string& self);

// The statements of a stub that cannot call: zeroes out arguments and returns zero.
void emit_failure(codegen::Printer& printer, const MethodModel& method);

// "self, arguments, _ex" as parameters; `self` may be empty.
std::string stub_parameters(const MethodModel& method, const std::string& self);
std::string impl_parameters(const MethodModel& method, const std::string& self);
std::string ior_parameters(const MethodModel& method, const std::string& self);

}  // namespace shinar::backends::c
