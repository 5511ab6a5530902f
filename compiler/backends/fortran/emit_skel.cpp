// <Type>_Skel.f90: from the IOR to the Impl's procedures. <Type>_Skel.c: the class made of them.
#include <algorithm>

#include "backends/fortran/emit.hpp"
#include "backends/fortran/names.hpp"
#include "codegen/c_types.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::Printer;

std::string call_of(const ImplModel& impl) {
  const Procedure& procedure = impl.procedure;
  std::vector<std::string> values;
  if (!procedure.is_static) values.push_back("data_");
  for (const Value& value : procedure.arguments) values.push_back(value.actual);
  values.push_back("thrown_");
  const std::string call = impl.name + "(" + codegen::join(values) + ")";
  return procedure.result ? procedure.result->actual + " = " + call : "call " + call;
}

// Hooks run while nobody has thrown, and the method unless the first of them has.
std::string with_hook(const ImplModel& impl, const HookModel& hook) {
  std::vector<std::string> values;
  if (!impl.procedure.is_static) values.emplace_back("data_");
  for (const Value& value : hook.arguments) values.push_back(value.actual);
  values.emplace_back("thrown_");
  return "call " + hook.name + "(" + codegen::join(values) + ")";
}

void emit_call(Printer& printer, const ObjectModel& model, const ImplModel& impl) {
  if (impl.hooks.empty()) return printer.line(call_of(impl));
  printer.emit({{"hooks", impl.procedure.is_static ? "sidl_has_static_hooks(" +
                                                         member_of(model.name, "info") + "()) /= 0"
                                                   : "sidl_has_hooks(self) /= 0"},
                {"before", with_hook(impl, impl.hooks.front())},
                {"call", call_of(impl)},
                {"after", with_hook(impl, impl.hooks.back())}},
               R"(
    hooks_ = $hooks$
    if (hooks_) $before$
    if (.not. c_associated(ex)) $call$
    if (hooks_ .and. .not. c_associated(ex)) $after$
  )");
}

void emit_skel_method(Printer& printer, const ObjectModel& model, const ImplModel& impl) {
  const Procedure& procedure = impl.procedure;
  std::vector<std::string> names;
  if (!procedure.is_static) names.push_back("self");
  for (const Value& value : procedure.arguments) {
    if (!value.is_result) names.push_back(value.name);
  }
  names.push_back("ex");
  const bool returns = !procedure.c_result.empty();
  const auto all = [&](Lines Value::*what) {
    return [&printer, &procedure, what] {
      for_each_value(procedure, [&](const Value& value) { emit_lines(printer, value.*what); });
    };
  };
  const auto find_data = [&] {
    if (procedure.is_static) return;
    printer.line("call c_f_pointer(self, words_)");
    printer.line("call c_f_pointer(words_%words(" + std::to_string(model.data_word) + "), data_)");
  };
  bool gives = false;
  std::vector<Declaration> locals;
  for_each_value(procedure, [&](const Value& value) {
    gives = gives || value.gives;
    locals.insert(locals.end(), value.locals.begin(), value.locals.end());
  });
  if (!procedure.is_static) {
    locals.push_back({"type(sidl_words), pointer", "words_"});
    locals.push_back({"type(" + shorten(model.symbol + "_data") + "), pointer", "data_"});
  }
  printer.emit({{"kind", returns ? "function" : "subroutine"},
                {"name", skel_of(impl.c_name)},
                {"names", codegen::join(names)},
                {"c_name", impl.skel},
                {"result", returns ? " result(retval)" : ""},
                {"self", procedure.is_static ? "" : "type(c_ptr), value :: self"},
                {"dummies", all(&Value::dummy)},
                {"locals", [&] { emit_declarations(printer, locals); }},
                {"find_data", find_data},
                {"before", all(&Value::before)},
                {"begin", gives ? "integer(c_int64_t) :: begin_" : ""},
                {"begin_call", gives ? "begin_ = sidl_begin_call()" : ""},
                {"call", [&] { emit_call(printer, model, impl); }},
                {"hooks", impl.hooks.empty() ? "" : "logical :: hooks_"},
                {"end_call", gives ? "call sidl_end_call(begin_)" : ""},
                {"where", procedure.where},
                {"file", model.symbol + "_Impl.f90"},
                {"failed", all(&Value::failed)},
                {"after", all(&Value::after)},
                {"last", all(&Value::last)}},
               R"(
    recursive $kind$ $name$($names$) bind(C, name='$c_name$')$result$
      $self$
      $dummies$
      type(c_ptr), intent(inout), target :: ex
      $locals$
      type(sidl_BaseException), pointer :: thrown_
      $begin$
      $hooks$
      ex = c_null_ptr
      $find_data$
      call c_f_pointer(c_loc(ex), thrown_)
      $before$
      $begin_call$
      $call$
      $end_call$
      if (c_associated(ex)) then
        call sidl_pass('$where$', '$file$', ex)
        $failed$
        return
      end if
      $after$
      $last$
    end $kind$ $name$

  )");
}

void emit_skel_life_cycle(Printer& printer, const ObjectModel& model) {
  printer.emit({{"symbol", model.symbol},
                {"data", shorten(model.symbol + "_data")},
                {"word", std::to_string(model.data_word)}},
               R"(
    recursive subroutine skel__load(ex) bind(C, name='$symbol$__fortran__load')
      type(c_ptr), intent(inout), target :: ex
      type(sidl_BaseException), pointer :: thrown_
      ex = c_null_ptr
      call c_f_pointer(c_loc(ex), thrown_)
      call load_impl(thrown_)
    end subroutine skel__load

    recursive subroutine skel__ctor(self, ex) bind(C, name='$symbol$__fortran__ctor')
      type(c_ptr), value :: self
      type(c_ptr), intent(inout), target :: ex
      type(sidl_words), pointer :: words_
      type($data$), pointer :: data_
      type(sidl_BaseException), pointer :: thrown_
      ex = c_null_ptr
      call c_f_pointer(c_loc(ex), thrown_)
      call c_f_pointer(self, words_)
      allocate (data_)
      data_%this%d_ior = self
      words_%words($word$) = c_loc(data_)
      call ctor_impl(data_, thrown_)
      if (.not. c_associated(ex)) return
      data_%this%d_ior = c_null_ptr
      deallocate (data_)
    end subroutine skel__ctor

    recursive subroutine skel__ctor2(self, data, ex) bind(C, name='$symbol$__fortran__ctor2')
      type(c_ptr), value :: self, data
      type(c_ptr), intent(inout) :: ex
      type(sidl_words), pointer :: words_
      type($data$), pointer :: data_
      ex = c_null_ptr
      call c_f_pointer(self, words_)
      call c_f_pointer(data, data_)
      data_%this%d_ior = self
      words_%words($word$) = data
    end subroutine skel__ctor2

    recursive subroutine skel__dtor(self, ex) bind(C, name='$symbol$__fortran__dtor')
      type(c_ptr), value :: self
      type(c_ptr), intent(inout), target :: ex
      type(sidl_words), pointer :: words_
      type($data$), pointer :: data_
      type(sidl_BaseException), pointer :: thrown_
      ex = c_null_ptr
      call c_f_pointer(c_loc(ex), thrown_)
      call c_f_pointer(self, words_)
      call c_f_pointer(words_%words($word$), data_)
      call dtor_impl(data_, thrown_)
      ! the handle never counted
      data_%this%d_ior = c_null_ptr
      deallocate (data_)
    end subroutine skel__dtor

  )");
}

// ---- C ----------------------------------------------------------------------------------------

std::string parameters(const ObjectModel& model, const ImplModel& impl) {
  const std::string self =
      impl.procedure.is_static ? "" : "struct " + model.symbol + "__object* self, ";
  return self + impl.ior_parameters;
}

void emit_prototypes(Printer& printer, const ObjectModel& model) {
  for (const ImplModel& impl : model.impl) {
    printer.line(impl.ior_result + " " + impl.skel + "(" + parameters(model, impl) + ");");
  }
}

// Methods that demand a rank, an order or a shape of their arrays: the user's procedure sees what
// fits.
void emit_demanding(Printer& printer, const ObjectModel& model) {
  for (const ImplModel& impl : model.impl) {
    if (!impl.demands_layout) continue;
    std::vector<std::string> values = impl.c_arguments;
    if (!impl.procedure.is_static) values.insert(values.begin(), "self");
    values.push_back("_ex");
    const bool returns = !impl.zero_result.empty();
    const std::string call = impl.skel + "(" + codegen::join(values) + ");";
    const auto settled = [&] {
      printer.emit({{"result", returns ? impl.ior_result + " _retval = " : ""},
                    {"call", call},
                    {"retval", returns ? "&_retval" : "NULL"},
                    {"return", returns ? "return _retval;" : ""}},
                   R"(
        $result$$call$
        sidl_skel_leave(_method, _args, $retval$, _ex);
        $return$
      )");
    };
    const auto alone = [&] { printer.line((returns ? "return " : "") + call); };
    printer.emit({{"result", impl.ior_result},
                  {"name", impl.c_name},
                  {"parameters", parameters(model, impl)},
                  {"info", impl.info},
                  {"addresses", codegen::join(impl.c_addresses)},
                  {"zero", returns ? " " + impl.zero_result : ""},
                  {"call", impl.settles_layout ? std::function<void()>(settled) : alone}},
                 R"(
      static $result$
      skel_$name$($parameters$)
      {
        const struct sidl_method_info* const _method = $info$;
        void* const _args[] = {$addresses$};
        if (!sidl_skel_enter_host(_method, _args, _ex)) return$zero$;
        $call$
      }

    )");
  }
}

void emit_entries(Printer& printer, const ObjectModel& model, bool statics) {
  for (const ImplModel& impl : model.impl) {
    if (impl.procedure.is_static != statics) continue;
    const std::string function = impl.demands_layout ? "skel_" + impl.c_name : impl.skel;
    printer.line(".f_" + impl.c_name + " = " + function + ",");
  }
}

bool has(const ObjectModel& model, bool statics) {
  return std::ranges::any_of(
      model.impl, [&](const ImplModel& impl) { return impl.procedure.is_static == statics; });
}

void emit_epvs(Printer& printer, const ObjectModel& model) {
  const auto table = [&](const std::string& type, bool statics) {
    printer.emit({{"type", type}, {"entries", [&] { emit_entries(printer, model, statics); }}}, R"(
      $type$ = {
        $entries$
      };

    )");
  };
  if (has(model, false)) {
    printer.line("/* What is not set is inherited. */");
    table("static struct " + model.symbol + "__epv epv", false);
  } else {
    printer.line("/* Every method is inherited. */");
    printer.line("static struct " + model.symbol + "__epv epv;");
    printer.blank_line();
  }
  if (has(model, true)) {
    table("static const struct " + model.symbol + "__sepv static_epv", true);
  }
}

}  // namespace

void emit_skel(Printer& printer, const ObjectModel& model) {
  const auto uses = [&] {
    for (const auto* uses : {&model.impl_uses, &model.skel_uses}) {
      for (const std::string& name : *uses) printer.line("use " + name);
    }
  };
  const auto methods = [&] {
    for (const ImplModel& impl : model.impl) emit_skel_method(printer, model, impl);
  };
  printer.emit({{"module", shorten(model.symbol + "_Skel")},
                {"impl", shorten(model.symbol + "_Impl")},
                {"uses", uses},
                {"life_cycle", [&] { emit_skel_life_cycle(printer, model); }},
                {"methods", methods}},
               R"(
    module $module$
      use, intrinsic :: iso_c_binding
      use sidl_fortran_binding
      $uses$
      use $impl$
      implicit none
      private

    contains

      $life_cycle$
      $methods$
    end module $module$
  )");
}

void emit_skel_c(Printer& printer, const ObjectModel& model) {
  printer.emit(
      {{"symbol", model.symbol},
       {"word", std::to_string(model.data_word)},
       {"prototypes", [&] { emit_prototypes(printer, model); }},
       {"demanding", [&] { emit_demanding(printer, model); }},
       {"epvs", [&] { emit_epvs(printer, model); }},
       {"static_epv", has(model, true) ? ".static_epv = &static_epv," : ""},
       {"contracts", model.has_contracts ? ".contracts = &" + model.symbol + "__contracts," : ""}},
      R"(
    #include <stddef.h>

    #include "$symbol$_IOR.h"
    #include "sidl_ior.h"

    _Static_assert(offsetof(struct $symbol$__object, d_data) == $word$ * sizeof(void*),
                   "$symbol$_Skel.f90 looks for the data elsewhere");

    /* $symbol$_Skel.f90 */
    void $symbol$__fortran__load(struct sidl_BaseInterface__object** _ex);
    void $symbol$__fortran__ctor(void* self, struct sidl_BaseInterface__object** _ex);
    void $symbol$__fortran__ctor2(void* self, void* data, struct sidl_BaseInterface__object** _ex);
    void $symbol$__fortran__dtor(void* self, struct sidl_BaseInterface__object** _ex);
    $prototypes$

    $demanding$
    $epvs$
    static struct sidl_class implementation = {
      .ior_major = SIDL_IOR_MAJOR_VERSION,
      .ior_minor = SIDL_IOR_MINOR_VERSION,
      .info = &$symbol$__info,
      .epv = &epv,
      $static_epv$
      .load = $symbol$__fortran__load,
      .ctor = $symbol$__fortran__ctor,
      .ctor2 = $symbol$__fortran__ctor2,
      .dtor = $symbol$__fortran__dtor,
      $contracts$
    };

    struct sidl_class*
    $symbol$__class(void)
    {
      return &implementation;
    }
  )");
}

}  // namespace shinar::backends::fortran
