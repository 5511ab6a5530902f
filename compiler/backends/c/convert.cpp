#include "backends/c/convert.hpp"

#include "codegen/c_types.hpp"

namespace shinar::backends::c {
namespace {

using codegen::Printer;

// A value of the caller's becomes one of the callee's and back.
struct Step {
  std::string type;  // the callee's
  std::string in;    // cast towards the callee
  std::string out;   // cast back
};

Step step_of(const Conversion& conversion, Direction direction) {
  if (direction == Direction::to_ior) {
    return {conversion.ior_type, conversion.to_ior, conversion.to_c};
  }
  return {conversion.c_type, conversion.to_c_in_c, conversion.to_ior};
}

// The variable an out or inout argument converts through. No SIDL name begins with '_'.
std::string local_of(const ArgumentModel& argument) {
  return "_local_" + argument.name;
}

bool needs_local(const ArgumentModel& argument) {
  return argument.converts && argument.mode != Mode::in;
}

void emit_locals(Printer& printer, const MethodModel& method, Direction direction) {
  for (const ArgumentModel& argument : method.arguments) {
    if (!needs_local(argument)) continue;
    const Step step = step_of(argument.conversion, direction);
    const std::string zero = argument.type.kind() == ir::TypeRef::ENUM ? "0" : "NULL";
    const std::string value = argument.mode == Mode::inout ? "*" + argument.name : zero;
    printer.emit({{"type", step.type},
                  {"local", local_of(argument)},
                  {"cast", value == "NULL" ? "" : step.in},
                  {"value", value}},
                 "$type$ $local$ = $cast$$value$;");
  }
}

void emit_copies_back(Printer& printer, const MethodModel& method, Direction direction) {
  for (const ArgumentModel& argument : method.arguments) {
    if (!needs_local(argument)) continue;
    printer.emit({{"name", argument.name},
                  {"cast", step_of(argument.conversion, direction).out},
                  {"local", local_of(argument)}},
                 "*$name$ = $cast$$local$;");
  }
}

std::string argument_value(const ArgumentModel& argument, Direction direction) {
  if (!argument.converts) return argument.name;
  if (needs_local(argument)) return "&" + local_of(argument);
  return step_of(argument.conversion, direction).in + argument.name;
}

std::string parameters(const MethodModel& method, const std::string& self,
                       std::string ArgumentModel::*spelling, std::string_view ex) {
  std::vector<std::string> parts;
  if (!self.empty()) parts.push_back(self);
  for (const ArgumentModel& argument : method.arguments) parts.push_back(argument.*spelling);
  parts.push_back(std::string(ex) + " _ex");
  return codegen::join(parts);
}

}  // namespace

void emit_call(Printer& printer, const MethodModel& method, Direction direction,
               const std::string& callee, const std::string& self) {
  std::vector<std::string> values;
  if (!self.empty()) values.push_back(self);
  bool locals = false;
  for (const ArgumentModel& argument : method.arguments) {
    values.push_back(argument_value(argument, direction));
    locals = locals || needs_local(argument);
  }
  values.push_back("_ex");
  const std::string call = callee + "(" + codegen::join(values) + ");";
  const bool returns = !method.zero_result.empty();
  const std::string cast =
      method.result_converts ? step_of(method.result_conversion, direction).out : "";
  if (!locals) {
    printer.line((returns ? "return " : "") + cast + call);
    return;
  }
  emit_locals(printer, method, direction);
  const std::string& type = direction == Direction::to_ior ? method.ior_result : method.c_result;
  printer.line((returns ? type + " _retval = " : "") + call);
  emit_copies_back(printer, method, direction);
  if (returns) printer.line("return " + cast + "_retval;");
}

std::string stub_parameters(const MethodModel& method, const std::string& self) {
  return parameters(method, self, &ArgumentModel::c_parameter, "sidl_BaseInterface*");
}

std::string impl_parameters(const MethodModel& method, const std::string& self) {
  return parameters(method, self, &ArgumentModel::impl_parameter, "sidl_BaseInterface*");
}

std::string ior_parameters(const MethodModel& method, const std::string& self) {
  return parameters(method, self, &ArgumentModel::ior_parameter, codegen::kExType);
}

}  // namespace shinar::backends::c
