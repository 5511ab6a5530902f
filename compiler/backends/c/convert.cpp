#include "backends/c/convert.hpp"

#include <algorithm>
#include <utility>

#include "codegen/c_types.hpp"
#include "codegen/line_wrap.hpp"
#include "codegen/names.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::backends::c {
namespace {

using codegen::Printer;

enum class Direction { to_ior, to_c };

// How to convert a caller's value to the callee's type and back.
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

// The array descriptor on the stack for a raw array.
std::string raw_of(const ArgumentModel& argument) {
  return "_raw_" + argument.name;
}

bool needs_local(const ArgumentModel& argument) {
  return argument.converts && argument.mode != Mode::in;
}

// An array over the caller's memory that the callee may replace.
bool is_raw_inout(const ArgumentModel& argument) {
  return argument.raw && argument.mode == Mode::inout;
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

// A raw array for the callee: its memory, or the array over it.
std::string raw_value(const ArgumentModel& argument, Direction direction) {
  const bool in = argument.mode == Mode::in;
  if (direction == Direction::to_c) {
    return argument.raw->first + (in ? "(" : "(*") + argument.name + ")";
  }
  return in ? "(" + argument.raw->array + ")&" + raw_of(argument) : "&" + local_of(argument);
}

std::string argument_value(const ArgumentModel& argument, Direction direction) {
  if (argument.raw) return raw_value(argument, direction);
  if (!argument.converts) return argument.name;
  if (needs_local(argument)) return "&" + local_of(argument);
  return step_of(argument.conversion, direction).in + argument.name;
}

std::string call_of(const MethodModel& method, Direction direction, const std::string& callee,
                    const std::string& self) {
  std::vector<std::string> values;
  if (!self.empty()) values.push_back(self);
  for (const ArgumentModel& argument : method.arguments) {
    values.push_back(argument_value(argument, direction));
  }
  values.push_back("_ex");
  return callee + "(" + codegen::join(values) + ")";
}

bool has_raw(const MethodModel& method) {
  return std::ranges::any_of(method.arguments, [](const auto& a) { return a.raw.has_value(); });
}

// Whether a stub has something to do after its call.
bool has_locals(const MethodModel& method) {
  return std::ranges::any_of(method.arguments, needs_local);
}

// Converts returned values to the caller's types.
std::string result_cast(const MethodModel& method, Direction direction) {
  return method.result_converts ? step_of(method.result_conversion, direction).out : "";
}

// "const int64_t _extents_a[] = {m, n};", one extent on each line if they are too long for one.
std::string extents_declaration(const ArgumentModel& argument) {
  const std::string head = "const int64_t _extents_" + argument.name + "[] = {";
  const std::string all = codegen::join(argument.raw->extents);
  constexpr std::size_t kRoom = codegen::kLineWidth - 2;  // the body of a function is indented
  if (head.size() + all.size() + 2 <= kRoom) return head + all + "};";
  std::string lines = head;
  for (const std::string& extent : argument.raw->extents) {
    if (&extent != &argument.raw->extents.front()) {
      lines += ",\n" + std::string(head.size(), ' ');
    }
    lines += extent;
  }
  return lines + "};";
}

// The condition that lending the caller's memory fails: one call on each line.
std::string open_fails(const MethodModel& method) {
  std::string result;
  for (const ArgumentModel& argument : method.arguments) {
    if (!argument.raw) continue;
    if (!result.empty()) result += " ||\n    ";
    result += "!sidl_raw_array_open(&" + raw_of(argument) + ", " + argument.name + ", " +
              argument.raw->type + ", " + std::to_string(argument.type.dimension()) +
              ", _extents_" + argument.name + ", \"" + argument.message_name + "\", _ex)";
  }
  return result;
}

// Lends the caller's memory; returns from the function if the extents are invalid.
void emit_open_raws(Printer& printer, const MethodModel& method) {
  if (!has_raw(method)) return;
  for (const ArgumentModel& argument : method.arguments) {
    if (!argument.raw) continue;
    printer.line("struct sidl_raw_array " + raw_of(argument) + ";");
    printer.line(extents_declaration(argument));
    if (argument.mode == Mode::in && method.part == Part::whole) continue;
    printer.emit(
        {{"type", argument.raw->array}, {"local", local_of(argument)}, {"raw", raw_of(argument)}},
        "$type$ $local$ = ($type$)&$raw$;");
  }
  printer.line("if (" + open_fails(method) + ") {");
  printer.indent();
  emit_failure(printer, method);
  printer.outdent();
  printer.line("}");
}

void emit_close_raws(Printer& printer, const MethodModel& method) {
  for (const ArgumentModel& argument : method.arguments) {
    if (!is_raw_inout(argument)) continue;
    printer.emit(
        {{"raw", raw_of(argument)}, {"local", local_of(argument)}, {"what", argument.message_name}},
        R"(sidl_raw_array_close(&$raw$, (struct sidl__array*)$local$, "$what$", _ex);)");
  }
}

// After an exception out arguments are empty. What the Impl left there is not released: those
// written for Babel release it themselves, and may leave pointers to it.
void emit_ignored_outs(Printer& printer, const MethodModel& method) {
  for (const ArgumentModel& argument : method.arguments) {
    if (argument.mode == Mode::out) printer.line(argument.set_zero);
  }
}

void emit_failed(Printer& printer, const MethodModel& method) {
  if (!method.has_outs()) return;
  printer.emit({{"outs", [&] { emit_ignored_outs(printer, method); }}}, R"(
    if (*_ex) {
      $outs$
    }
  )");
}

void emit_demanding_skel(Printer& printer, const MethodModel& method, const std::string& call) {
  const bool returns = !method.zero_result.empty();
  const std::string cast = result_cast(method, Direction::to_c);
  const auto result = [&] {
    if (cast.empty()) {
      printer.line((returns ? method.ior_result + " _retval = " : "") + call + ";");
      return;
    }
    printer.line(method.c_result + " _made = " + call + ";");
    printer.line(method.ior_result + " _retval = " + cast + "_made;");
  };
  printer.emit({{"info", method.info},
                {"addresses", [&] { emit_addresses(printer, method); }},
                {"args", method.arguments.empty() ? "NULL" : "_args"},
                {"zero", returns ? " " + method.zero_result : ""},
                {"locals", [&] { emit_locals(printer, method, Direction::to_c); }},
                {"result", result},
                {"back", [&] { emit_copies_back(printer, method, Direction::to_c); }},
                {"failed", [&] { emit_failed(printer, method); }},
                {"retval", returns ? "&_retval" : "NULL"},
                {"return", returns ? "return _retval;" : ""}},
               R"(
    const struct sidl_method_info* const _method = $info$;
    $addresses$
    if (!sidl_skel_enter(_method, $args$, _ex)) return$zero$;
    $locals$
    $result$
    $back$
    $failed$
    sidl_skel_leave(_method, $args$, $retval$, _ex);
    $return$
  )");
}

// Zeroes out arguments before the call: Impls written for Babel may not do it.
void emit_zero_outs(Printer& printer, const MethodModel& method) {
  for (const ArgumentModel& argument : method.arguments) {
    if (argument.mode != Mode::out) continue;
    if (method.checks_dimensions || !needs_local(argument)) printer.line(argument.set_zero);
  }
}

bool is_checked(const MethodModel& method, const ir::TypeRef& type) {
  return method.checks_dimensions && codegen::demands_dimension(type);
}

std::string dimension_of(const ir::TypeRef& type) {
  return std::to_string(type.dimension());
}

// Arrays from the caller must have the declared number of dimensions.
void emit_dimension_checks(Printer& printer, const MethodModel& method) {
  for (const ArgumentModel& argument : method.arguments) {
    if (argument.mode == Mode::out || !is_checked(method, argument.type)) continue;
    printer.emit({{"array", (argument.mode == Mode::in ? "" : "*") + argument.name},
                  {"dimension", dimension_of(argument.type)},
                  {"name", argument.name},
                  {"zero", method.zero_result.empty() ? "" : " " + method.zero_result}},
                 R"(if (!sidl_array_fits($array$, $dimension$, "$name$", _ex)) return$zero$;)");
  }
}

// The arrays that the method may have created, as "_retval, 1".
std::vector<std::string> made_arrays(const MethodModel& method) {
  std::vector<std::string> made;
  if (is_checked(method, method.result)) made.push_back("_retval, " + dimension_of(method.result));
  for (const ArgumentModel& argument : method.arguments) {
    if (argument.mode == Mode::in || !is_checked(method, argument.type)) continue;
    made.push_back("*" + argument.name + ", " + dimension_of(argument.type));
  }
  return made;
}

// The condition, broken between its operands as clang-format does.
void emit_misfit(Printer& printer, const MethodModel& method) {
  constexpr std::size_t kWidth = 98;  // within a function
  const std::vector<std::string> arrays = made_arrays(method);
  const bool has_parentheses = !method.has_outs() && arrays.size() > 1;
  std::string line = method.has_outs() ? "} else if ("
                     : has_parentheses ? "if (!*_ex && ("
                                       : "if (!*_ex && ";
  const std::string indent(line.size(), ' ');
  for (const std::string& array : arrays) {
    const std::string operand = "!sidl_array_has_dimen(" + array + ")";
    if (&array != &arrays.front()) {
      line += " ||";
      if (line.size() + operand.size() + 5 > kWidth) {
        printer.line(std::exchange(line, indent));
      } else {
        line += " ";
      }
    }
    line += operand;
  }
  printer.line(line + (has_parentheses ? ")) {" : ") {"));
}

// Returned arrays must have it, too; after an exception there are none.
void emit_look_back(Printer& printer, const MethodModel& method) {
  const auto outs = [&] {
    if (!method.has_outs()) return;
    printer.line("if (*_ex) {");
    printer.indent();
    emit_ignored_outs(printer, method);
    printer.outdent();
  };
  printer.emit({{"outs", outs},
                {"misfit", [&] { emit_misfit(printer, method); }},
                {"addresses", [&] { emit_addresses(printer, method); }},
                {"args", method.arguments.empty() ? "NULL" : "_args"},
                {"retval", is_checked(method, method.result) ? "&_retval" : "NULL"},
                {"info", method.info}},
               R"(
    $outs$
    $misfit$
      $addresses$
      sidl_skel_leave($info$, $args$, $retval$, _ex);
    }
  )");
}

// The address of a value that m_send takes: an enum's has a variable of the IOR's type.
std::string sent_address(const ArgumentModel& argument) {
  if (argument.type.kind() == ir::TypeRef::STRUCT) return "(void*)" + argument.name;
  const bool local = argument.raw || argument.type.kind() == ir::TypeRef::ENUM;
  return "&" + (local ? local_of(argument) : argument.name);
}

// A stub's return value: zero after an exception, whatever the Impl returned.
void emit_result(Printer& printer, const MethodModel& method) {
  if (method.result.kind() == ir::TypeRef::STRUCT) {
    printer.emit({{"symbol", codegen::Namer::symbol(method.result.name())}}, R"(
      if (*_ex) sidl_struct_init(&$symbol$__info, &_retval);
      return _retval;
    )");
  } else if (codegen::is_complex(method.result)) {
    printer.emit({}, R"(
      if (*_ex) _retval.real = _retval.imaginary = 0;
      return _retval;
    )");
  } else {
    printer.emit({{"zero", method.zero_result}, {"cast", result_cast(method, Direction::to_ior)}},
                 "return *_ex ? $zero$ : $cast$_retval;");
  }
}

// Where m_recv stores a value: for a raw array, the caller's memory.
std::string received_address(const ArgumentModel& argument) {
  return needs_local(argument) ? "&" + local_of(argument) : argument.name;
}

// The addresses of all arguments of the whole method: "void* const _args[] = {…};".
void emit_half_addresses(Printer& printer, const MethodModel& method) {
  std::vector<std::string> parts;
  for (const int position : method.positions) {
    if (position < 0) {
      parts.push_back("NULL");
      continue;
    }
    const ArgumentModel& argument = method.arguments[static_cast<std::size_t>(position)];
    parts.push_back(method.part == Part::send ? sent_address(argument)
                                              : received_address(argument));
  }
  if (parts.empty()) return;
  printer.emit({{"parts", codegen::join(parts)}}, "void* const _args[] = {$parts$};");
}

void emit_enum_locals(Printer& printer, const MethodModel& method) {
  for (const ArgumentModel& argument : method.arguments) {
    if (argument.type.kind() != ir::TypeRef::ENUM) continue;
    printer.emit({{"type", argument.conversion.ior_type},
                  {"local", local_of(argument)},
                  {"name", argument.name}},
                 "$type$ $local$ = $name$;");
  }
}

void emit_send(Printer& printer, const MethodModel& method, const std::string& self) {
  emit_open_raws(printer, method);
  emit_enum_locals(printer, method);
  emit_half_addresses(printer, method);
  printer.emit({{"self", self},
                {"info", method.info},
                {"args", method.positions.empty() ? "NULL" : "_args"}},
               "return sidl_rmi_send($self$, $info$, $args$, _ex);");
}

void emit_receive(Printer& printer, const MethodModel& method, const std::string& self) {
  const bool returns = !method.zero_result.empty();
  emit_locals(printer, method, Direction::to_ior);
  emit_half_addresses(printer, method);
  if (returns) printer.line(method.ior_result + " _retval;");
  printer.emit({{"function", has_raw(method) ? "sidl_rmi_receive_raw" : "sidl_rmi_receive"},
                {"self", self},
                {"info", method.info},
                {"args", method.positions.empty() ? "NULL" : "_args"},
                {"retval", returns ? "&_retval" : "NULL"}},
               "$function$($self$, $info$, _ticket, $args$, $retval$, _ex);");
  emit_copies_back(printer, method, Direction::to_ior);
  if (returns) printer.line("return " + result_cast(method, Direction::to_ior) + "_retval;");
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

void emit_stub_call(Printer& printer, const MethodModel& method, const std::string& callee,
                    const std::string& self) {
  const std::string call = call_of(method, Direction::to_ior, callee, self) + ";";
  const bool returns = !method.zero_result.empty();
  emit_open_raws(printer, method);
  emit_locals(printer, method, Direction::to_ior);
  printer.line((returns ? method.ior_result + " _retval = " : "") + call);
  emit_copies_back(printer, method, Direction::to_ior);
  emit_close_raws(printer, method);
  if (returns) emit_result(printer, method);
}

void emit_skel_call(Printer& printer, const MethodModel& method, const std::string& callee,
                    const std::string& self) {
  const std::string call = call_of(method, Direction::to_c, callee, self);
  if (method.demands_layout) {
    emit_demanding_skel(printer, method, call);
    return;
  }
  const bool returns = !method.zero_result.empty();
  const std::string cast = result_cast(method, Direction::to_c);
  const bool looks_back = !made_arrays(method).empty();
  if (!has_locals(method) && !method.has_outs() && !looks_back) {
    emit_dimension_checks(printer, method);
    printer.line((returns ? "return " : "") + cast + call + ";");
    return;
  }
  emit_zero_outs(printer, method);
  emit_dimension_checks(printer, method);
  emit_locals(printer, method, Direction::to_c);
  printer.line((returns ? method.c_result + " _retval = " : "") + call + ";");
  emit_copies_back(printer, method, Direction::to_c);
  if (looks_back) {
    emit_look_back(printer, method);
  } else {
    emit_failed(printer, method);
  }
  if (returns) printer.line("return " + cast + "_retval;");
}

void emit_half(Printer& printer, const MethodModel& method, const std::string& self) {
  if (method.part == Part::send) {
    emit_send(printer, method, self);
  } else {
    emit_receive(printer, method, self);
  }
}

void emit_failure(Printer& printer, const MethodModel& method) {
  for (const ArgumentModel& argument : method.arguments) {
    if (!argument.set_zero.empty()) printer.line(argument.set_zero);
  }
  if (method.result.kind() == ir::TypeRef::STRUCT) {
    printer.emit(
        {{"type", method.c_result}, {"symbol", codegen::Namer::symbol(method.result.name())}},
        R"(
      $type$ _zero;
      sidl_struct_init(&$symbol$__info, &_zero);
      return _zero;
    )");
  } else if (codegen::is_complex(method.result)) {
    // C++, which includes this header, has no compound literals.
    printer.emit({{"type", method.c_result}}, R"(
      $type$ _zero = {0, 0};
      return _zero;
    )");
  } else {
    printer.line(method.zero_result.empty() ? "return;" : "return " + method.zero_result + ";");
  }
}

void emit_addresses(Printer& printer, const MethodModel& method) {
  std::vector<std::string> parts;
  for (const ArgumentModel& argument : method.arguments) {
    const bool in = argument.mode == Mode::in;
    const bool in_struct = in && argument.type.kind() == ir::TypeRef::STRUCT;
    parts.push_back(in_struct ? "(void*)" + argument.name
                    : in      ? "&" + argument.name
                              : argument.name);
  }
  if (parts.empty()) return;
  printer.emit({{"parts", codegen::join(parts)}}, "void* const _args[] = {$parts$};");
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
