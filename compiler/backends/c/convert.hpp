// In: a method, and the function it is to be called by.
// Out: the body of a C function that calls it and converts what differs between C and the IOR.
#pragma once

#include <string>

#include "backends/c/lower.hpp"
#include "codegen/printer.hpp"

namespace shinar::backends::c {

enum class Direction { to_ior, to_c };

// Emits the statements that call `callee` with `self` (may be empty), the arguments and `_ex`, and
// return its result. Values convert to the IOR for stubs, to C for skels.
void emit_call(codegen::Printer& printer, const MethodModel& method, Direction direction,
               const std::string& callee, const std::string& self);

// "self, arguments, _ex" as parameters; `self` may be empty.
std::string stub_parameters(const MethodModel& method, const std::string& self);
std::string impl_parameters(const MethodModel& method, const std::string& self);
std::string ior_parameters(const MethodModel& method, const std::string& self);

}  // namespace shinar::backends::c
