// What is called from C when a method is in Java.
#include <algorithm>

#include "backends/java/emit.hpp"
#include "codegen/c_types.hpp"

namespace shinar::backends::java {
namespace {

using codegen::join;
using codegen::Printer;

// The values of the arguments as the method gets them.
void emit_variables(Printer& printer, const MethodModel& method, Spelling& spelling) {
  for (const ArgumentModel& argument : method.arguments) {
    const std::string value = spelling.get(argument.type, argument.at());
    if (!argument.is_holder) {
      printer.line("final " + spelling.type(argument.type) + " " + argument.name + " = " + value +
                   ";");
      continue;
    }
    const std::string type = spelling.sidl("Holder") + "<" + spelling.boxed(argument.type) + ">";
    const bool has_value = argument.mode == ir::Argument::INOUT;
    printer.line("final " + type + " " + argument.name + " = new " + spelling.sidl("Holder") +
                 "<>(" + (has_value ? value : "") + ");");
  }
}

void emit_answers(Printer& printer, const MethodModel& method, Spelling& spelling) {
  for (const ArgumentModel& argument : method.arguments) {
    if (!argument.is_holder) continue;
    const std::string value = spelling.held(argument.type, argument.name, argument.sidl_name);
    printer.line(spelling.give(argument.type, argument.at(), value, argument.sidl_name));
  }
  if (method.returns()) {
    printer.line(
        spelling.give(method.result, std::to_string(method.result_slot), "_result", "the result"));
  }
}

std::string names_of(const std::vector<ArgumentModel>& arguments) {
  std::vector<std::string> names;
  for (const ArgumentModel& argument : arguments) names.push_back(argument.name);
  return join(names);
}

// What a hook gets: the values in the holders of the method's arguments.
std::string hook_values(const MethodModel& method, const MethodModel& hook) {
  std::vector<std::string> values;
  for (const ArgumentModel& wanted : hook.arguments) {
    const auto found = std::ranges::find(method.arguments, wanted.name, &ArgumentModel::name);
    if (found == method.arguments.end()) {
      values.emplace_back("_result");
    } else {
      values.push_back(found->name + (found->is_holder ? ".get()" : ""));
    }
  }
  return join(values);
}

}  // namespace

void emit_upcall(Printer& printer, const MethodModel& method, const Upcall& upcall,
                 Spelling& spelling) {
  const bool has_hooks = upcall.has_hooks && !method.hooks.empty();
  const std::string owner = upcall.target.substr(0, upcall.target.find('.') + 1);
  const auto hook = [&](std::size_t which) {
    if (!has_hooks) return;
    const MethodModel& it = method.hooks[which];
    printer.line("if (_f.hasHooks()) " + owner + it.name + "(" + hook_values(method, it) + ");");
  };
  const std::string call = upcall.target + "(" + names_of(method.arguments) + ");";
  const auto body = [&] {
    emit_variables(printer, method, spelling);
    hook(0);
    printer.line(method.returns() ? "final " + spelling.type(method.result) + " _result = " + call
                                  : call);
    hook(1);
    emit_answers(printer, method, spelling);
  };
  const std::string self = upcall.self_type.empty() ? "" : upcall.self_type + " _self, ";
  printer.emit({{"self", self},
                {"frame", spelling.binding("Frame")},
                {"native", method.native_name()},
                {"body", body}},
               R"(

    private static void $native$($self$$frame$ _f) {
      $body$
    }
  )");
}

}  // namespace shinar::backends::java
