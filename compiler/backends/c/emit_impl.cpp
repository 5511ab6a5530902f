// <Type>_Impl.h and <Type>_Impl.c: what the user fills in between splicer marks.
#include "backends/c/convert.hpp"
#include "backends/c/emit.hpp"
#include "codegen/doc_comment.hpp"
#include "codegen/names.hpp"
#include "codegen/splicers.hpp"

namespace shinar::backends::c {
namespace {

using codegen::CommentStyle;
using codegen::Printer;

// A splicer block with the text it has until the user changes it.
void emit_splicer(Printer& printer, const std::string& name, const Printer::Callable& text) {
  printer.line(codegen::splicer_begin(name, CommentStyle::c));
  text();
  printer.line(codegen::splicer_end(name, CommentStyle::c));
}

void emit_splicer(Printer& printer, const std::string& name, const std::string& text) {
  emit_splicer(printer, name, [&] { printer.line(text); });
}

std::string self_of(const ObjectModel& model, const MethodModel& method) {
  return method.is_static ? "" : model.symbol + " self";
}

void emit_prototypes(Printer& printer, const ObjectModel& model) {
  printer.emit({{"symbol", model.symbol}}, R"(
    void impl_$symbol$__load(sidl_BaseInterface* _ex);
    void impl_$symbol$__ctor($symbol$ self, sidl_BaseInterface* _ex);
    void impl_$symbol$__ctor2($symbol$ self, void* private_data, sidl_BaseInterface* _ex);
    void impl_$symbol$__dtor($symbol$ self, sidl_BaseInterface* _ex);
  )");
  const auto prototype = [&](const MethodModel& method) {
    printer.emit({{"result", method.impl_result},
                  {"symbol", model.symbol},
                  {"name", method.name},
                  {"parameters", impl_parameters(method, self_of(model, method))}},
                 "$result$ impl_$symbol$_$name$($parameters$);");
  };
  for (const MethodModel& method : model.impl) {
    prototype(method);
    for (const MethodModel& hook : method.hooks) prototype(hook);
  }
}

// A function with one splicer block as its body. `prologue` may emit nothing.
struct ImplFunction {
  std::string result;
  std::string name;  // "impl_demo_Solver_solve"
  std::string parameters;
  std::string block;  // "demo.Solver.solve"
  Printer::Callable prologue;
  Printer::Callable body;
  std::vector<std::string> notes = {};
};

void emit_function(Printer& printer, const ImplFunction& function) {
  printer.emit({{"result", function.result},
                {"name", function.name},
                {"parameters", function.parameters},
                {"prologue", function.prologue},
                {"notes",
                 [&] {
                   for (const std::string& each : function.notes) printer.line(each);
                 }},
                {"block", [&] { emit_splicer(printer, function.block, function.body); }}},
               R"(
    $result$
    $name$($parameters$)
    {
      *_ex = NULL;
      $prologue$
      {
        $notes$
        $block$
      }
    }

  )");
}

void nothing() {}

void emit_life_cycle(Printer& printer, const ObjectModel& model) {
  const std::string impl = "impl_" + model.symbol;
  const std::string self = model.symbol + " self";
  const auto unused_self = [&] { printer.line("(void)self;"); };
  printer.line("/** Runs once, before anything else of the class. */");
  emit_function(printer, {"void", impl + "__load", "sidl_BaseInterface* _ex", model.name + "._load",
                          nothing, nothing});
  printer.line("/** Makes the private data of a new object. */");
  emit_function(printer, {"void", impl + "__ctor", self + ", sidl_BaseInterface* _ex",
                          model.name + "._ctor", nothing, unused_self});
  printer.line("/** Makes an object of private data that exists already. */");
  emit_function(
      printer,
      {"void", impl + "__ctor2", self + ", void* private_data, sidl_BaseInterface* _ex",
       model.name + "._ctor2", nothing, [&] {
         printer.emit({{"symbol", model.symbol}}, "$symbol$__set_data(self, private_data);");
       }});
  printer.line("/** Frees the private data of an object. */");
  emit_function(printer, {"void", impl + "__dtor", self + ", sidl_BaseInterface* _ex",
                          model.name + "._dtor", nothing, unused_self});
}

void emit_unused(Printer& printer, const MethodModel& method) {
  if (!method.is_static) printer.line("(void)self;");
  for (const ArgumentModel& argument : method.arguments) {
    if (argument.mode != Mode::out) printer.emit({{"name", argument.name}}, "(void)$name$;");
  }
}

void emit_unimplemented(Printer& printer, const MethodModel& method) {
  emit_unused(printer, method);
  printer.line(
      R"(SIDL_THROW(*_ex, sidl_NotImplementedException, "This method has not been implemented");)");
  printer.outdent();
  printer.line("EXIT:");
  printer.indent();
  printer.line(method.zero_result.empty() ? "return;" : "return " + method.zero_result + ";");
}

void emit_passing_on(Printer& printer, const MethodModel& method) {
  std::string arguments = "self";
  for (const ArgumentModel& argument : method.arguments) arguments += ", " + argument.name;
  printer.line("super_" + method.name + "(" + arguments + ", _ex);");
}

void emit_method(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  const auto zero_outs = [&] {
    for (const ArgumentModel& argument : method.arguments) {
      if (!argument.set_zero.empty()) printer.line(argument.set_zero);
    }
  };
  emit_doc(printer, method.doc);
  emit_function(printer, {method.impl_result, "impl_" + model.symbol + "_" + method.name,
                          impl_parameters(method, self_of(model, method)),
                          model.name + "." + method.name, zero_outs,
                          [&] {
                            method.passes_on ? emit_passing_on(printer, method)
                                             : emit_unimplemented(printer, method);
                          },
                          method.notes});
}

void emit_hook(Printer& printer, const ObjectModel& model, const MethodModel& hook) {
  emit_doc(printer, hook.doc);
  emit_function(printer, {"void", "impl_" + model.symbol + "_" + hook.name,
                          impl_parameters(hook, self_of(model, hook)), model.name + "." + hook.name,
                          nothing, [&] { emit_unused(printer, hook); }});
}

void emit_super(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  const auto call = [&] {
    const std::string self = "&self->" + codegen::Namer::object_member(model.parent_symbol);
    emit_stub_call(printer, method, "_super->f_" + method.name, self);
  };
  printer.emit({{"symbol", model.symbol},
                {"parent", model.parent_symbol},
                {"name", method.name},
                {"result", method.impl_result},
                {"parameters", impl_parameters(method, model.symbol + " self")},
                {"call", call}},
               R"(
    /** The parent class's $name$. */
    __attribute__((unused)) static $result$
    super_$name$($parameters$)
    {
      const struct $parent$__epv* const _super = sidl_super_epv(&$symbol$__info, _ex);
      $call$
    }

  )");
}

void emit_supers(Printer& printer, const ObjectModel& model) {
  for (const MethodModel& method : model.impl) {
    if (method.overrides) emit_super(printer, model, method);
  }
}

}  // namespace

void emit_impl_header(Printer& printer, const ObjectModel& model) {
  const auto hincludes = [&] { emit_splicer(printer, model.name + "._hincludes", nothing); };
  const auto data = [&] {
    emit_splicer(printer, model.name + "._data", "int ignore; /* a struct may not be empty */");
  };
  const auto hmisc = [&] { emit_splicer(printer, "_hmisc", nothing); };
  printer.emit({{"guard", codegen::Namer::include_guard(model.symbol + "_Impl.h")},
                {"symbol", model.symbol},
                {"name", model.name},
                {"includes", [&] { emit_includes(printer, model.impl_includes); }},
                {"hincludes", hincludes},
                {"data", data},
                {"prototypes", [&] { emit_prototypes(printer, model); }},
                {"hmisc", hmisc}},
               R"(
    #ifndef $guard$
    #define $guard$

    #include "$symbol$.h"
    $includes$

    $hincludes$

    #ifdef __cplusplus
    extern "C" {
    #endif

    /** Private data of a $name$; see $symbol$__get_data and $symbol$__set_data. */
    struct $symbol$__data {
      $data$
    };

    $prototypes$

    $hmisc$

    #ifdef __cplusplus
    }
    #endif
    #endif
  )");
}

void emit_impl_source(Printer& printer, const ObjectModel& model) {
  const auto methods = [&] {
    for (const MethodModel& method : model.impl) {
      emit_method(printer, model, method);
      for (const MethodModel& hook : method.hooks) emit_hook(printer, model, hook);
    }
  };
  const auto includes = [&] { emit_splicer(printer, model.name + "._includes", nothing); };
  printer.emit({{"symbol", model.symbol},
                {"includes", includes},
                {"supers", [&] { emit_supers(printer, model); }},
                {"life_cycle", [&] { emit_life_cycle(printer, model); }},
                {"methods", methods},
                {"misc", [&] { emit_splicer(printer, "_misc", nothing); }}},
               R"(
    #include "$symbol$_Impl.h"

    #include "sidl_Exception.h"
    #include "sidl_NotImplementedException.h"

    $includes$

    $supers$
    $life_cycle$
    $methods$
    $misc$
  )");
}

}  // namespace shinar::backends::c
