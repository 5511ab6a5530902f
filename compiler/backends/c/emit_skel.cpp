// <Type>_Skel.c: the EPVs that point at the Impl's functions, and the class made of them.
#include <algorithm>

#include "backends/c/convert.hpp"
#include "backends/c/emit.hpp"

namespace shinar::backends::c {
namespace {

using codegen::Printer;

// What runs the method: the Impl's function, or one that calls hooks, too.
std::string callee_of(const ObjectModel& model, const MethodModel& method) {
  return method.hooks.empty() ? impl_name(model, method) : "hooked_" + method.name;
}

// Functions between the IOR and Impl functions, where enums are converted or arrays must have an
// order or a shape.
void emit_converters(Printer& printer, const ObjectModel& model) {
  for (const MethodModel& method : model.impl) {
    if (!method.hooks.empty()) emit_hooked(printer, model, method);
    if (!method.has_skel()) continue;
    const std::string self = method.is_static ? "" : "struct " + model.symbol + "__object* self";
    const auto call = [&] {
      emit_skel_call(printer, method, callee_of(model, method), method.is_static ? "" : "self");
    };
    printer.emit({{"result", method.ior_result},
                  {"name", method.name},
                  {"parameters", ior_parameters(method, self)},
                  {"call", call}},
                 R"(
      static $result$
      skel_$name$($parameters$)
      {
        $call$
      }

    )");
  }
}

void emit_entries(Printer& printer, const ObjectModel& model, bool statics) {
  for (const MethodModel& method : model.impl) {
    if (method.is_static != statics) continue;
    const std::string function =
        method.has_skel() ? "skel_" + method.name : callee_of(model, method);
    printer.emit({{"name", method.name}, {"function", function}}, ".f_$name$ = $function$,");
  }
}

bool has(const ObjectModel& model, bool statics) {
  for (const MethodModel& method : model.impl) {
    if (method.is_static == statics) return true;
  }
  return false;
}

void emit_epvs(Printer& printer, const ObjectModel& model) {
  if (has(model, false)) {
    printer.emit(
        {{"symbol", model.symbol}, {"entries", [&] { emit_entries(printer, model, false); }}},
        R"(
      /* What is not set is inherited. */
      static struct $symbol$__epv epv = {
        $entries$
      };

    )");
  } else {
    printer.emit({{"symbol", model.symbol}}, R"(
      /* Every method is inherited. */
      static struct $symbol$__epv epv;

    )");
  }
  if (!has(model, true)) return;
  printer.emit({{"symbol", model.symbol}, {"entries", [&] { emit_entries(printer, model, true); }}},
               R"(
    static const struct $symbol$__sepv static_epv = {
      $entries$
    };

  )");
}

}  // namespace

void emit_skel(Printer& printer, const ObjectModel& model) {
  const bool checks = std::ranges::any_of(model.impl, &MethodModel::checks_dimensions);
  printer.emit(
      {{"symbol", model.symbol},
       {"include", checks ? "#include \"sidl_raw_array.h\"" : ""},
       {"converters", [&] { emit_converters(printer, model); }},
       {"epvs", [&] { emit_epvs(printer, model); }},
       {"static_epv", has(model, true) ? ".static_epv = &static_epv," : ""},
       {"contracts", model.has_contracts ? ".contracts = &" + model.symbol + "__contracts," : ""}},
      R"(
    #include "$symbol$_Impl.h"
    $include$

    $converters$
    $epvs$
    static void
    ctor(void* self, struct sidl_BaseInterface__object** _ex)
    {
      impl_$symbol$__ctor(self, _ex);
    }

    static void
    ctor2(void* self, void* data, struct sidl_BaseInterface__object** _ex)
    {
      impl_$symbol$__ctor2(self, data, _ex);
    }

    static void
    dtor(void* self, struct sidl_BaseInterface__object** _ex)
    {
      impl_$symbol$__dtor(self, _ex);
    }

    static struct sidl_class implementation = {
      .ior_major = SIDL_IOR_MAJOR_VERSION,
      .ior_minor = SIDL_IOR_MINOR_VERSION,
      .info = &$symbol$__info,
      .epv = &epv,
      $static_epv$
      .load = impl_$symbol$__load,
      .ctor = ctor,
      .ctor2 = ctor2,
      .dtor = dtor,
      $contracts$
    };

    struct sidl_class*
    $symbol$__class(void)
    {
      return &implementation;
    }
  )");
}

}  // namespace shinar::backends::c
