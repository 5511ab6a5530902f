// <Type>_Skel.cxx: makes a C++ Impl a class that libsidl can load.
#include <algorithm>

#include "backends/cxx/emit.hpp"
#include "codegen/c_types.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::cxx {
namespace {

using codegen::Printer;

// No argument can be called like `_impl`.
std::string callee_of(const MethodModel& method) {
  return method.is_static ? "_impl::" : "::sidl::get_impl<_impl>(self)->";
}

// Out arguments first: they must be zero if anything fails, the conversion of others included.
void emit_locals(Printer& printer, const MethodModel& method) {
  for (const bool zeroes : {true, false}) {
    for (const Argument& argument : method.skel_arguments) {
      if (argument.zeroes == zeroes && !argument.local.empty()) printer.line(argument.local);
    }
  }
}

// The call of a hook, with the variables that the method's own call uses.
std::string hook_call(const MethodModel& method, const MethodModel& hook) {
  std::vector<std::string> passed;
  for (const std::string& name : hook.argument_names) {
    const auto found = std::ranges::find(method.argument_names, name);
    if (found != method.argument_names.end()) {
      passed.push_back(
          method.skel_arguments[static_cast<std::size_t>(found - method.argument_names.begin())]
              .pass);
    } else {
      passed.emplace_back(method.result_form == ResultForm::owned ? "_result.value" : "_result");
    }
  }
  return "if (_hooks) " + callee_of(method) + hook.name + "_impl(" + codegen::join(passed) + ");";
}

// Everything between the start of `try` and the return of the result.
void emit_guarded_call(Printer& printer, const MethodModel& method) {
  std::vector<std::string> passed;
  std::vector<std::string> settled;
  emit_locals(printer, method);
  for (const Argument& argument : method.skel_arguments) {
    if (!argument.before.empty()) printer.line(argument.before);
    if (!argument.settle.empty()) settled.push_back(argument.settle);
    passed.push_back(argument.pass);
  }
  const bool has_hooks = !method.hooks.empty();
  if (has_hooks) printer.line(hook_call(method, method.hooks.front()));
  const std::string call =
      callee_of(method) + method.name + "_impl(" + codegen::join(passed) + ");";
  if (method.result_form == ResultForm::none) {
    printer.line(call);
  } else if (method.result_form == ResultForm::plain) {
    printer.line(method.skel_variable + " = " + call);
  } else {
    printer.line("::sidl::callee_out<" + method.result + "> _result(&_retval);");
    printer.line("_result.value = " + call);
    if (!method.result_demand.empty()) printer.line(method.result_demand);
    settled.push_back("_result");
  }
  if (has_hooks) printer.line(hook_call(method, method.hooks.back()));
  for (const Argument& argument : method.skel_arguments) {
    if (!argument.after.empty()) printer.line(argument.after);
  }
  if (!settled.empty()) printer.line("::sidl::publish(" + codegen::join(settled) + ");");
  if (method.result_form == ResultForm::plain) {
    printer.line("return " + method.result_to_ior + ";");
  }
}

void emit_function(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  const bool owned = method.result_form == ResultForm::owned;
  const auto retval = [&] {
    if (owned) printer.line(method.ior_result + " _retval{};");
  };
  const auto end = [&] {
    if (method.result_form != ResultForm::none)
      printer.line(owned ? "return _retval;" : "return {};");
  };
  const auto hooks = [&] {
    if (method.hooks.empty()) return;
    printer.line(method.is_static ? "const bool _hooks = sidl_has_static_hooks(&" + model.symbol +
                                        "__info) != 0;"
                                  : "const bool _hooks = sidl_has_hooks(self) != 0;");
  };
  const std::string self = method.is_static ? "" : "struct " + model.symbol + "__object* self, ";
  printer.emit({{"result", method.ior_result},
                {"name", method.long_name},
                {"type", model.name},
                {"symbol", model.symbol},
                {"parameters", self + method.ior_parameters},
                {"retval", retval},
                {"hooks", hooks},
                {"call", [&] { emit_guarded_call(printer, method); }},
                {"end", end}},
               R"(
    $result$
    skel_$name$($parameters$)
    {
      *_ex = nullptr;
      $retval$
      $hooks$
      try {
        $call$
      } catch (...) {
        ::sidl::set_exception(_ex, "$symbol$_Impl.cxx", "$type$.$name$");
      }
      $end$
    }

  )");
}

void emit_super(Printer& printer, const ObjectModel& model, const MethodModel& method) {
  const Call call{"_epv->f_" + method.long_name,
                  "&this->d_super_self->" + codegen::Namer::object_member(model.parent_symbol)};
  printer.emit({{"namespace", namespace_name(model.namespaces)},
                {"class", model.local_name},
                {"parent", model.parent_symbol},
                {"result", method.result},
                {"name", method.name},
                {"parameters", method.stub_parameters},
                {"call", [&] { emit_call(printer, method, call); }}},
               R"(
    $result$
    $namespace$::$class$_impl::Super::$name$($parameters$) const
    {
      const auto* const _epv = ::sidl::super_epv<::$namespace$::$class$_impl, struct $parent$__epv>();
      $call$
    }

  )");
}

void emit_epv(Printer& printer, const ObjectModel& model, bool statics) {
  const auto entries = [&] {
    for (const MethodModel& method : model.impl) {
      if (method.is_static != statics) continue;
      printer.emit({{"name", method.long_name}}, "epv.f_$name$ = skel_$name$;");
    }
  };
  printer.emit({{"symbol", model.symbol}, {"kind", statics ? "sepv" : "epv"}, {"entries", entries}},
               R"(
    constexpr struct $symbol$__$kind$
    make_$kind$() noexcept
    {
      struct $symbol$__$kind$ epv = {};
      $entries$
      return epv;
    }

  )");
}

}  // namespace

void emit_skel(Printer& printer, const ObjectModel& model) {
  const bool has_statics = !model.statics.empty();
  const auto functions = [&] {
    for (const MethodModel& method : model.impl) emit_function(printer, model, method);
  };
  const bool has_super = std::any_of(model.impl.begin(), model.impl.end(),
                                     [](const MethodModel& method) { return method.overrides; });
  const auto supers = [&] {
    if (!has_super) return;
    printer.line("#ifdef included_sidl_impl_hxx");
    for (const MethodModel& method : model.impl) {
      if (method.overrides) emit_super(printer, model, method);
    }
    printer.line("#endif");
    printer.blank_line();
  };
  const auto epvs = [&] {
    emit_epv(printer, model, false);
    if (has_statics) emit_epv(printer, model, true);
  };
  const auto tables = [&] {
    printer.line("struct " + model.symbol + "__epv epv = make_epv();");
    if (has_statics) {
      printer.line("const struct " + model.symbol + "__sepv static_epv = make_sepv();");
    }
  };
  printer.emit({{"symbol", model.symbol},
                {"namespace", namespace_name(model.namespaces)},
                {"class", model.local_name},
                {"functions", functions},
                {"epvs", epvs},
                {"tables", tables},
                {"static_epv", has_statics ? "&static_epv" : "nullptr"},
                {"contracts", model.has_contracts ? ", &" + model.symbol + "__contracts" : ""},
                {"supers", supers}},
               R"(
    // Compiled as a part of $symbol$_Impl.cxx. Alone there is something in it only for an Impl that
    // Babel wrote, which does not include it.
    #ifndef $symbol$_Impl_cxx
    #include "$symbol$_Impl.hxx"
    #endif
    #if defined($symbol$_Impl_cxx) || !defined(included_sidl_impl_hxx)

    #include "sidl_skel.hxx"

    namespace $symbol$_skel {
    namespace {

    typedef ::$namespace$::$class$_impl _impl;

    $functions$
    $epvs$
    $tables$

    struct sidl_class implementation = ::sidl::make_class<_impl>(&epv, $static_epv$$contracts$);

    }  // namespace
    }  // namespace $symbol$_skel

    $supers$
    struct sidl_class*
    $symbol$__class(void)
    {
      return &$symbol$_skel::implementation;
    }

    #endif
  )");
}

}  // namespace shinar::backends::cxx
