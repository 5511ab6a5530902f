// The part of <Type>_Skel.c that calls hooks before and after a method.
#include <algorithm>

#include "backends/c/convert.hpp"
#include "backends/c/emit.hpp"
#include "codegen/c_types.hpp"

namespace shinar::backends::c {
namespace {

using codegen::Printer;

// "callee(self, values, _ex)"; `self` may be empty.
std::string call_of(const std::string& callee, const std::string& self,
                    std::vector<std::string> values) {
  if (!self.empty()) values.insert(values.begin(), self);
  values.emplace_back("_ex");
  return callee + "(" + codegen::join(values) + ")";
}

std::vector<std::string> argument_names(const MethodModel& method) {
  std::vector<std::string> names;
  for (const ArgumentModel& argument : method.arguments) names.push_back(argument.name);
  return names;
}

// What a hook gets of the variables of the function that calls the method.
std::vector<std::string> hook_values(const MethodModel& method, const MethodModel& hook) {
  std::vector<std::string> values;
  for (const ArgumentModel& wanted : hook.arguments) {
    const auto found = std::ranges::find(method.arguments, wanted.name, &ArgumentModel::name);
    const bool is_struct = wanted.type.kind() == ir::TypeRef::STRUCT;
    if (found == method.arguments.end()) {
      values.push_back((is_struct ? "&" : "") + wanted.name);
    } else {
      const bool is_value = found->mode == Mode::in || is_struct || found->raw;
      values.push_back((is_value ? "" : "*") + wanted.name);
    }
  }
  return values;
}

// Releases the results of the method, which nobody will get.
void emit_discard(Printer& printer, const MethodModel& method) {
  emit_addresses(printer, method);
  printer.emit({{"info", method.info},
                {"args", method.arguments.empty() ? "NULL" : "_args"},
                {"retval", method.zero_result.empty() ? "NULL" : "&_retval"}},
               "sidl_skel_discard($info$, $args$, $retval$);");
}

bool owns(const ir::TypeRef& type) {
  switch (type.kind()) {
    case ir::TypeRef::STRING:
    case ir::TypeRef::STRUCT:
    case ir::TypeRef::ARRAY:
    case ir::TypeRef::CLASS:
    case ir::TypeRef::INTERFACE:
      return true;
    default:
      return false;
  }
}

// Whether there is something in its results to be released.
bool gives_something(const MethodModel& method) {
  return owns(method.result) ||
         std::ranges::any_of(method.arguments, [](const ArgumentModel& argument) {
           return argument.mode == Mode::out && owns(argument.type);
         });
}

}  // namespace

std::string impl_name(const ObjectModel& model, const MethodModel& method) {
  return "impl_" + model.symbol + "_" + method.name;
}

void emit_hooked(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  const std::string self = method.is_static ? "" : "self";
  const MethodModel& before = method.hooks.front();
  const MethodModel& after = method.hooks.back();
  const bool returns = !method.zero_result.empty();
  const auto discard = [&] {
    if (!gives_something(method)) return;
    printer.line("if (*_ex) {");
    printer.indent();
    emit_discard(printer, method);
    printer.outdent();
    printer.line("}");
  };
  printer.emit(
      {{"result", method.impl_result},
       {"name", method.name},
       {"parameters", impl_parameters(method, method.is_static ? "" : model.symbol + " self")},
       {"hooks", method.is_static ? "sidl_has_static_hooks(&" + model.symbol + "__info)"
                                  : "sidl_has_hooks(self)"},
       {"before", call_of(impl_name(model, before), self, hook_values(method, before))},
       {"zero", returns ? " " + method.zero_result : ""},
       {"call", (returns ? method.impl_result + " _retval = " : "") +
                    call_of(impl_name(model, method), self, argument_names(method))},
       {"after", call_of(impl_name(model, after), self, hook_values(method, after))},
       {"discard", discard},
       {"return", returns ? "return _retval;" : ""}},
      R"(
    static $result$
    hooked_$name$($parameters$)
    {
      const sidl_bool _hooks = $hooks$;
      *_ex = NULL;
      if (_hooks) $before$;
      if (*_ex) return$zero$;
      $call$;
      if (_hooks && !*_ex) {
        $after$;
        $discard$
      }
      $return$
    }

  )");
}

}  // namespace shinar::backends::c
