// <Type>_IOR.c of a class or interface: for each method, its remote stub and its dispatcher.
#include "backends/ior/emit.hpp"
#include "codegen/c_types.hpp"
#include "codegen/doc_comment.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::ior {
namespace {

using codegen::Printer;

// "{&norm, &A, x, log}" of a remote stub, or of a dispatcher, where all are variables.
std::string argument_addresses(const MethodModel& method, bool dispatcher) {
  std::vector<std::string> parts;
  for (const ArgumentModel& argument : method.arguments) {
    parts.push_back(dispatcher ? "&" + argument.name : argument.address);
  }
  return "{" + codegen::join(parts) + "}";
}

void emit_argument_table(Printer& printer, const MethodModel& method) {
  if (method.arguments.empty()) return;
  for (const ExtentsModel& extents : method.extents) {
    emit_extents(printer, extents, "void* const* const _args = _values;");
  }
  const auto rows = [&] {
    for (const ArgumentModel& argument : method.arguments) {
      printer.emit(
          {{"name", argument.sidl_name}, {"mode", argument.mode}, {"type", argument.type_info}},
          R"({"$name$", sidl_mode_$mode$, $type$},)");
    }
  };
  printer.emit({{"name", method.name}, {"rows", rows}}, R"(
    static const struct sidl_arg_info args_$name$[] = {
      $rows$
    };

  )");
}

void emit_result_variable(Printer& printer, const MethodModel& method) {
  if (method.result_zero.empty()) return;
  printer.emit({{"type", method.result_type}, {"zero", method.result_zero}},
               "$type$ _retval = $zero$;");
}

void emit_args_variable(Printer& printer, const MethodModel& method, bool dispatcher) {
  if (method.arguments.empty()) return;
  printer.emit({{"addresses", argument_addresses(method, dispatcher)}},
               "void* const _args[] = $addresses$;");
}

void emit_remote_stub(Printer& printer, const ObjectModel& model, const MethodModel& method,
                      std::size_t position) {
  const bool returns = !method.result_zero.empty();
  printer.emit({{"result", method.result_type},
                {"symbol", model.symbol},
                {"name", codegen::Namer::remote_stub(model.symbol, method.name)},
                {"parameters", method.parameters},
                {"retval", [&] { emit_result_variable(printer, method); }},
                {"args", [&] { emit_args_variable(printer, method, false); }},
                {"position", std::to_string(position)},
                {"args_pointer", method.arguments.empty() ? "NULL" : "_args"},
                {"retval_pointer", returns ? "&_retval" : "NULL"},
                {"return", returns ? "return _retval;" : ""}},
               R"(
    $result$
    $name$(void* self, $parameters$)
    {
      $retval$
      $args$
      sidl_rmi_invoke(self, &$symbol$__methods[$position$], $args_pointer$, $retval_pointer$, _ex);
      $return$
    }

  )");
}

std::string dispatched_call(const ObjectModel& model, const MethodModel& method) {
  std::vector<std::string> parts;
  if (!method.is_static) parts.push_back(model.is_class ? "self" : "self->d_object");
  for (const ArgumentModel& argument : method.arguments) parts.push_back(argument.pass);
  parts.push_back("_ex");
  return (method.result_zero.empty() ? "" : "_retval = ") +
         std::string(method.is_static ? "_sepv->f_" : "self->d_epv->f_") + method.name + "(" +
         codegen::join(parts) + ");";
}

// Where a dispatcher finds the function.
void emit_callee(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  if (!method.is_static) {
    printer.line("struct " + model.symbol + "__object* self = _self;");
    return;
  }
  printer.emit({{"symbol", model.symbol}}, R"(
    (void)_self;
    const struct $symbol$__sepv* const _sepv = sidl_static_epv(&$symbol$__info, _ex);
  )");
}

void emit_dispatcher(Printer& printer, const ObjectModel& model, const MethodModel& method,
                     const std::string& table) {
  const auto variables = [&] {
    for (const ArgumentModel& argument : method.arguments) printer.line(argument.variable + ";");
  };
  printer.emit({{"symbol", model.symbol},
                {"name", method.name},
                {"variables", variables},
                {"retval", [&] { emit_result_variable(printer, method); }},
                {"args", [&] { emit_args_variable(printer, method, true); }},
                {"callee", [&] { emit_callee(printer, model, method); }},
                {"found", method.is_static ? "_sepv && " : ""},
                {"table", table},
                {"args_pointer", method.arguments.empty() ? "NULL" : "_args"},
                {"retval_pointer", method.result_zero.empty() ? "NULL" : "&_retval"},
                {"call", dispatched_call(model, method)}},
               R"(
    static void
    exec_$name$(void* _self, struct sidl_rmi_Call__object* _call, struct sidl_rmi_Return__object* _return, struct sidl_BaseInterface__object** _ex)
    {
      $callee$
      $variables$
      $retval$
      $args$
      if ($found$sidl_rmi_unpack(&$table$, _call, $args_pointer$, _ex)) {
        $call$
      }
      sidl_rmi_finish(&$table$, _return, $args_pointer$, $retval_pointer$, _ex);
    }

  )");
}

void emit_methods(Printer& printer, const ObjectModel& model) {
  for (std::size_t i = 0; i < model.methods.size(); ++i) {
    const MethodModel& method = model.methods[i];
    printer.emit({{"signature", codegen::comment_text(method.signature)}}, "/* $signature$ */");
    emit_argument_table(printer, method);
    if (model.has_remote_stubs) emit_remote_stub(printer, model, method, i);
    if (!method.has_dispatcher) continue;
    emit_dispatcher(printer, model, method, model.symbol + "__methods[" + std::to_string(i) + "]");
  }
  for (std::size_t i = 0; i < model.statics.size(); ++i) {
    const MethodModel& method = model.statics[i];
    emit_argument_table(printer, method);
    if (!method.has_dispatcher) continue;
    emit_dispatcher(printer, model, method,
                    model.symbol + "__info.statics[" + std::to_string(i) + "]");
  }
}

}  // namespace

void emit_extents(Printer& printer, const ExtentsModel& model, const std::string& values) {
  const auto lengths = [&] {
    for (std::size_t d = 0; d < model.lengths.size(); ++d) {
      printer.line("_lengths[" + std::to_string(d) + "] = " + model.lengths[d] + ";");
    }
  };
  printer.emit({{"name", model.name},
                {"values", model.uses_values ? values : "(void)_values;"},
                {"lengths", lengths}},
               R"(
    static void
    $name$(const void* _values, int64_t _lengths[])
    {
      $values$
      $lengths$
    }

  )");
}

void emit_object_source(Printer& printer, const ObjectModel& model) {
  const auto includes = [&] {
    for (const std::string& header : model.source_includes) {
      printer.emit({{"header", header}}, R"(#include "$header$")");
    }
  };
  printer.emit({{"symbol", model.symbol},
                {"includes", includes},
                {"methods", [&] { emit_methods(printer, model); }},
                {"tables", [&] { emit_tables(printer, model); }}},
               R"(
    #include "$symbol$_IOR.h"

    $includes$

    $methods$
    $tables$
  )");
}

}  // namespace shinar::backends::ior
