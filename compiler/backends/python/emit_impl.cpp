// <Type>_Impl.py: what the user fills in between splicer marks.
#include "backends/python/emit.hpp"
#include "codegen/c_types.hpp"
#include "codegen/splicers.hpp"

namespace shinar::backends::python {
namespace {

using codegen::CommentStyle;
using codegen::Printer;

void emit_splicer(Printer& printer, const std::string& name, const std::string& text) {
  printer.line(codegen::splicer_begin(name, CommentStyle::python));
  if (!text.empty()) printer.line(text);
  printer.line(codegen::splicer_end(name, CommentStyle::python));
}

void emit_function(Printer& printer, const ObjectModel& model, const MethodModel& method,
                   const std::string& text) {
  std::string parameters = codegen::join(method.names);
  if (!method.is_static) parameters = "self" + (parameters.empty() ? "" : ", " + parameters);
  const std::string name = model.name + "." + method.slot;
  const auto kind = [&] {
    if (method.is_static) printer.line("@staticmethod");
  };
  const auto doc = [&] { emit_docstring(printer, method.text); };
  const auto block = [&] {
    for (const std::string& each : method.notes) printer.line(each);
    emit_splicer(printer, name, text);
  };
  printer.emit({{"static", kind},
                {"name", method.name},
                {"parameters", parameters},
                {"comment", method.comment},
                {"doc", doc},
                {"block", block}},
               R"(

    # $comment$
    $static$
    def $name$($parameters$):
        $doc$
        $block$
  )");
}

void emit_method(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  const std::string name = model.name + "." + method.slot;
  emit_function(printer, model, method, "raise NotImplementedError(\"" + name + "\")");
  for (const MethodModel& hook : method.hooks) emit_function(printer, model, hook, "pass");
}

}  // namespace

void emit_impl(Printer& printer, const ObjectModel& model, const PackageModel&) {
  const auto doc = [&] { emit_docstring(printer, model.type->doc()); };
  const auto ctor = [&] { emit_splicer(printer, model.name + "._ctor", "pass"); };
  const auto dtor = [&] { emit_splicer(printer, model.name + "._dtor", "pass"); };
  const auto methods = [&] {
    for (const MethodModel& method : model.impl) emit_method(printer, model, method);
  };
  const auto imports = [&] { emit_splicer(printer, model.name + "._imports", ""); };
  const auto members = [&] { emit_splicer(printer, model.name + "._members", ""); };
  const auto misc = [&] { emit_splicer(printer, model.name + "._misc", ""); };
  printer.emit({{"imports", imports},
                {"local", model.local},
                {"doc", doc},
                {"ctor", ctor},
                {"dtor", dtor},
                {"methods", methods},
                {"members", members},
                {"misc", misc}},
               R"(
    import shinar

    $imports$

    class $local$_Impl(shinar.Implementation):
        $doc$

        def __init__(self):
            $ctor$

        # Called before the object goes.
        def _dtor(self):
            $dtor$

        $methods$

        $members$

    $misc$
  )");
}

}  // namespace shinar::backends::python
