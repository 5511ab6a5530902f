// <Type>_Impl.f90: what the user fills in between splicer marks.
#include "backends/fortran/emit.hpp"
#include "backends/fortran/names.hpp"
#include "codegen/c_types.hpp"
#include "codegen/splicers.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::CommentStyle;
using codegen::Printer;

void emit_splicer(Printer& printer, const std::string& name, const Printer::Callable& text) {
  printer.line(codegen::splicer_begin(name, CommentStyle::fortran));
  text();
  printer.line(codegen::splicer_end(name, CommentStyle::fortran));
}

void nothing() {}

Self super_self(const ObjectModel& model) {
  return {"class(" + shorten(model.symbol + "_data") + ")", "self%this",
          member_of(model.name, "info") + "()", model.symbol + "_Impl.f90", true};
}

void emit_impl_life_cycle(Printer& printer, const ObjectModel& model) {
  const std::string data = shorten(model.symbol + "_data");
  printer.emit({{"load", [&] { emit_splicer(printer, model.name + "._load", nothing); }},
                {"ctor", [&] { emit_splicer(printer, model.name + "._ctor", nothing); }},
                {"dtor", [&] { emit_splicer(printer, model.name + "._dtor", nothing); }},
                {"data", data}},
               R"(
    !> Runs once, before anything else of the class.
    recursive subroutine load_impl(exception)
      type(sidl_BaseException), intent(inout) :: exception
      $load$
    end subroutine load_impl

    !> Runs when an object begins, whose data are as declared.
    recursive subroutine ctor_impl(self, exception)
      type($data$), intent(inout) :: self
      type(sidl_BaseException), intent(inout) :: exception
      $ctor$
    end subroutine ctor_impl

    !> Runs when an object ends; its data are freed behind it.
    recursive subroutine dtor_impl(self, exception)
      type($data$), intent(inout) :: self
      type(sidl_BaseException), intent(inout) :: exception
      $dtor$
    end subroutine dtor_impl

  )");
}

void emit_unimplemented(Printer& printer, const Procedure& procedure) {
  printer.line("type(sidl_NotImplementedException) :: thrown_");
  if (procedure.result) printer.line("retval = " + procedure.result->user_zero);
  printer.line("call sidl_throw(exception, thrown_, 'This method has not been implemented', '" +
               procedure.where + "')");
}

void emit_impl_method(Printer& printer, const ObjectModel& model, const ImplModel& impl) {
  const Procedure& procedure = impl.procedure;
  std::vector<std::string> names;
  if (!procedure.is_static) names.push_back("self");
  for (const Value& value : procedure.arguments) names.push_back(value.name);
  names.push_back("exception");
  const std::string data = shorten(model.symbol + "_data");
  const auto dummies = [&] {
    for (const bool late : {false, true}) {
      for (const Value& value : procedure.arguments) {
        if (value.late == late) printer.line(value.user_dummy);
      }
    }
  };
  const auto body = [&] {
    for (const std::string& each : impl.notes) printer.line(each);
    emit_splicer(printer, model.name + "." + impl.c_name, [&] {
      if (!impl.passes_on) return emit_unimplemented(printer, procedure);
      printer.line("call " + impl.super.name + "(" + codegen::join(names) + ")");
    });
  };
  emit_doc(printer, procedure.doc);
  printer.emit({{"kind", procedure.result ? "function" : "subroutine"},
                {"name", impl.name},
                {"names", codegen::join(names)},
                {"result", procedure.result ? " result(retval)" : ""},
                {"self", procedure.is_static ? "" : "type(" + data + "), intent(inout) :: self"},
                {"dummies", dummies},
                {"retval", procedure.result ? procedure.result->user_dummy : ""},
                {"body", body}},
               R"(
    recursive $kind$ $name$($names$)$result$
      $self$
      $dummies$
      type(sidl_BaseException), intent(inout) :: exception
      $retval$
      $body$
    end $kind$ $name$

  )");
}

void emit_hook(Printer& printer, const ObjectModel& model, const ImplModel& impl,
               const HookModel& hook) {
  std::vector<std::string> names;
  if (!impl.procedure.is_static) names.emplace_back("self");
  for (const Value& value : hook.arguments) names.push_back(value.name);
  names.emplace_back("exception");
  const std::string data = shorten(model.symbol + "_data");
  const auto dummies = [&] {
    for (const bool late : {false, true}) {
      for (const Value& value : hook.arguments) {
        if (value.late == late) printer.line(value.hook_dummy);
      }
    }
  };
  emit_doc(printer, hook.doc);
  printer.emit(
      {{"name", hook.name},
       {"names", codegen::join(names)},
       {"self", impl.procedure.is_static ? "" : "type(" + data + "), intent(inout) :: self"},
       {"dummies", dummies},
       {"body", [&] { emit_splicer(printer, model.name + "." + hook.c_name, nothing); }}},
      R"(
    recursive subroutine $name$($names$)
      $self$
      $dummies$
      type(sidl_BaseException), intent(inout) :: exception
      $body$
    end subroutine $name$

  )");
}

bool has_supers(const ObjectModel& model) {
  for (const ImplModel& impl : model.impl) {
    if (impl.overrides) return true;
  }
  return false;
}

void emit_super_interfaces(Printer& printer, const ObjectModel& model) {
  if (!has_supers(model)) return;
  std::vector<const Procedure*> supers;
  for (const ImplModel& impl : model.impl) {
    if (impl.overrides) supers.push_back(&impl.super);
  }
  emit_abstracts(printer, supers);
}

void emit_supers(Printer& printer, const ObjectModel& model) {
  for (const ImplModel& impl : model.impl) {
    if (!impl.overrides) continue;
    Procedure super = impl.super;
    super.doc = "The parent class's " + impl.c_name + ".";
    emit_stub(printer, super, super_self(model));
  }
}

}  // namespace

void emit_impl(Printer& printer, const ObjectModel& model) {
  const auto uses = [&] {
    for (const std::string& name : model.impl_uses) printer.line("use " + name);
  };
  const auto helpers = [&] {
    if (!has_supers(model)) return;
    printer.line("use sidl_fortran_binding");
  };
  const auto methods = [&] {
    for (const ImplModel& impl : model.impl) {
      emit_impl_method(printer, model, impl);
      for (const HookModel& hook : impl.hooks) emit_hook(printer, model, impl, hook);
    }
  };
  printer.emit({{"module", shorten(model.symbol + "_Impl")},
                {"data", shorten(model.symbol + "_data")},
                {"type", model.fortran},
                {"name", model.name},
                {"uses", uses},
                {"helpers", helpers},
                {"user_uses", [&] { emit_splicer(printer, model.name + "._use", nothing); }},
                {"members", [&] { emit_splicer(printer, model.name + "._data", nothing); }},
                {"variables", [&] { emit_splicer(printer, model.name + "._module", nothing); }},
                {"interfaces", [&] { emit_super_interfaces(printer, model); }},
                {"supers", [&] { emit_supers(printer, model); }},
                {"life_cycle", [&] { emit_impl_life_cycle(printer, model); }},
                {"methods", methods},
                {"misc", [&] { emit_splicer(printer, "_misc", nothing); }}},
               R"(
    module $module$
      use, intrinsic :: iso_c_binding
      use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
      $helpers$
      $uses$
      $user_uses$
      implicit none

      !> The data of a $name$. They stay where they are as long as the object lives.
      type :: $data$
        !> The object itself, as others see it.
        type($type$) :: this
        $members$
      end type $data$

      $interfaces$
      $variables$

    contains

      $supers$
      $life_cycle$
      $methods$
      $misc$

    end module $module$
  )");
}

}  // namespace shinar::backends::fortran
