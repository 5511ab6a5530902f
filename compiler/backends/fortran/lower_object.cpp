#include "backends/fortran/lower_object.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "backends/fortran/generics.hpp"
#include "backends/fortran/names.hpp"
#include "backends/fortran/stub_forms.hpp"
#include "backends/fortran/values.hpp"
#include "codegen/c_types.hpp"
#include "codegen/contract_plan.hpp"
#include "codegen/hooks.hpp"
#include "codegen/layout.hpp"
#include "codegen/names.hpp"
#include "codegen/packing_notes.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::Namer;
using codegen::TypeIndex;
using ir::Argument;
using ir::TypeRef;

// ---- procedures ---------------------------------------------------------------------------------

// The interface of the C function of a method.
std::string function_of(const std::string& type, const ir::Method& method) {
  return member_of(type, method.long_name() + "__c");
}

void lower_stub_result(const TypeIndex& index, const ir::Method& method, Form form,
                       Procedure& procedure) {
  if (method.result().kind() == TypeRef::VOID) return;
  procedure.c_result = c_type(method.result());
  const bool is_send = procedure.part == Part::send;
  const std::vector<std::string> names;
  Use use{"retval", Argument::OUT, &method.result(), &names, form, procedure.part, &index};
  Value value = stub_value(use);
  procedure.returned = value.actual;
  procedure.zero = c_zero(method.result());
  if (kind_of(method.result()) == Kind::plain)
    value.failed.clear();  // zeroed with what was returned
  procedure.retval_address = is_send ? "" : value.address;
  if (!is_function_result(method.result())) {
    value.is_result = true;
    procedure.arguments.push_back(std::move(value));
    return;
  }
  value.dummy = {scalar_type(method.result()) + " :: retval"};
  procedure.result = std::move(value);
}

Procedure lower_stub(const TypeIndex& index, const std::string& type, const ir::Method& method,
                     Form form, Part part = Part::whole, Indices indices = Indices::given) {
  Procedure procedure;
  const std::string mark = mark_of(form, indices);
  procedure.name = stub_of(type, method.long_name(), mark.empty() ? "" : "__" + mark);
  procedure.abstract = function_of(type, method);
  procedure.doc = method.doc();
  procedure.where = type + "." + method.long_name();
  procedure.is_static = method.is_static();
  procedure.part = part;
  const std::vector<std::string> names = argument_names(type, method);
  const bool any_rank = form == Form::handle && index.takes_any_dimension(index.find(type), method);
  for (int i = 0; i < method.arguments_size(); ++i) {
    const Argument& argument = method.arguments(i);
    TypeRef seen = argument.type();
    if (any_rank) seen.set_dimension(0);
    procedure.arguments.push_back(
        stub_value({names[static_cast<std::size_t>(i)], argument.mode(), &seen, &names, form, part,
                    &index, procedure.where, indices}));
  }
  if (indices == Indices::left_out) leave_indices_out(method, names, procedure);
  lower_stub_result(index, method, form, procedure);
  return procedure;
}

// "0", "(struct demo_Stats__data){0}": what a function in C returns that cannot do better.
std::string zero_result(const TypeRef& type) {
  if (type.kind() == TypeRef::VOID) return "";
  const std::string zero = codegen::ior_zero(type);
  return codegen::is_aggregate(type) ? "(" + codegen::ior_value_type(type) + ")" + zero : zero;
}

Procedure lower_skel(const TypeIndex& index, const std::string& type, const ir::Method& method) {
  Procedure procedure;
  procedure.where = type + "." + method.long_name();
  procedure.doc = method.doc();
  procedure.is_static = method.is_static();
  const std::vector<std::string> names = argument_names(type, method);
  const auto add = [&](const std::string& name, Argument::Mode mode, const TypeRef& type_of) {
    procedure.arguments.push_back(
        skel_value({name, mode, &type_of, &names, Form::allocatable, Part::whole, &index}));
  };
  for (int i = 0; i < method.arguments_size(); ++i) {
    const Argument& argument = method.arguments(i);
    add(names[static_cast<std::size_t>(i)], argument.mode(), argument.type());
  }
  if (method.result().kind() == TypeRef::VOID) return procedure;
  procedure.c_result = c_type(method.result());
  add("retval", Argument::OUT, method.result());
  Value& value = procedure.arguments.back();
  value.dummy = {c_type(method.result()) + ", target :: retval"};
  value.is_result = true;
  if (!is_function_result(method.result())) return procedure;
  // gfortran 12 keeps the length of a function's string in a static variable of the caller, which
  // the threads of a server would share.
  if (method.result().kind() == TypeRef::STRING) return procedure;
  value.user_dummy = scalar_type(method.result()) + " :: retval";
  value.hook_dummy = scalar_type(method.result()) + ", intent(in) :: retval";
  value.user_zero = zero(method.result());
  procedure.result = std::move(value);
  procedure.arguments.pop_back();
  return procedure;
}

// ---- classes and interfaces -------------------------------------------------------------------

class ObjectLowering {
 public:
  // `knows`: whether the module that the type is in has what the module of another exports.
  ObjectLowering(const TypeIndex& index, const ir::Type& type, const std::vector<int>& distances,
                 std::function<bool(const ir::Type&)> knows)
      : index_(index),
        type_(type),
        distances_(distances),
        plan_(codegen::plan_object(index, type)),
        knows_(std::move(knows)) {}

  ObjectModel run(bool implemented, bool has_hooks, std::vector<codegen::Problem>& problems) {
    model_.type = &type_;
    model_.name = type_.name();
    model_.symbol = Namer::symbol(type_.name());
    model_.fortran = shorten(model_.symbol);
    model_.parent =
        plan_.parent == nullptr ? "sidl_handle" : shorten(Namer::symbol(plan_.parent->name()));
    methods();
    for (std::size_t i = 0; i < specifics_.size(); ++i) {
      specifics_[i].procedure = &procedures_[i];
    }
    check_procedures(problems);
    check_bindings(problems);
    model_.generics = lower_generics(index_, specifics_);
    model_.is_implemented = implemented;
    model_.has_contracts = codegen::has_contracts(index_, type_);
    if (implemented) implementation(has_hooks);
    return std::move(model_);
  }

 private:
  void methods() {
    for (const codegen::PlannedMethod& planned : plan_.methods) {
      if (!planned.counts_references) add(planned);
    }
  }

  void add(const codegen::PlannedMethod& planned) {
    const ir::Method& method = *planned.method;
    const bool is_static = planned.slot == nullptr;
    const int position = static_cast<int>(planned.position);
    const int distance = is_static ? 0 : distances_[planned.position];
    const Procedure first = lower_stub(index_, type_.name(), method, Form::allocatable);
    const std::string shared = shared_function(planned);
    if (distance == 0 && shared.empty()) {
      model_.abstracts.push_back(first);
      names_.emplace_back(first.abstract, method.long_name());
    }
    for_each_form(method, first, [&](Form form, Indices indices) {
      Procedure procedure = lower_stub(index_, type_.name(), method, form, Part::whole, indices);
      procedure.slot = position;
      if (!shared.empty()) procedure.abstract = shared;
      add_stub(method, std::move(procedure), form, indices, distance);
    });
    for (const codegen::Half& half : codegen::halves_of(method)) {
      add(half, is_static ? -1 - position : position, distance);
    }
  }

  // The interface of the C function, if the module has it from that of the type that introduces the
  // method: overriding changes neither arguments nor result.
  std::string shared_function(const codegen::PlannedMethod& planned) const {
    if (planned.slot == nullptr || planned.origin == codegen::Origin::introduced) return "";
    const ir::Type& introducer = index_.find(planned.slot->introducer());
    if (!shares_functions(introducer) || !knows_(introducer)) return "";
    return function_of(introducer.name(), index_.introducer_method(*planned.slot));
  }

  void add(const codegen::Half& half, int slot, int distance) {
    const Procedure first =
        lower_stub(index_, type_.name(), half.method, Form::allocatable, half.part);
    for_each_form(half.method, first, [&](Form form, Indices indices) {
      Procedure procedure = lower_stub(index_, type_.name(), half.method, form, half.part, indices);
      procedure.slot = slot;
      procedure.positions = half.arguments;
      add_stub(half.method, std::move(procedure), form, indices, distance);
    });
  }

  template <typename Do>
  static void for_each_form(const ir::Method& method, const Procedure& first, Do each) {
    for (const Indices indices : indices_of(method)) {
      for (const Form form : forms_of(method, first)) each(form, indices);
    }
  }

  void add_stub(const ir::Method& method, Procedure procedure, Form form, Indices indices,
                int distance) {
    const std::string name = shorten(prefix_of(form, indices) + method.long_name());
    specifics_.push_back(
        {method.name(), method.long_name(), name, nullptr, distance, form, indices});
    if (distance == 0) {
      // The first form says what all do.
      const bool is_known =
          !model_.bindings.empty() && model_.bindings.back().method == method.long_name();
      if (is_known) procedure.doc.clear();
      model_.bindings.push_back({method.long_name(), name, procedure.name, procedure.is_static});
      model_.stubs.push_back(procedure);
      names_.emplace_back(procedure.name, method.long_name());
    }
    std::erase_if(procedure.arguments, [](const Value& value) { return value.is_computed; });
    procedures_.push_back(std::move(procedure));
  }

  // A procedure of one method, such as "p_C__fill__a", cannot be called like one of another's.
  void check_procedures(std::vector<codegen::Problem>& problems) const {
    NameCheck check(problems);
    for (const auto& [procedure, method] : names_) check.add(procedure, method, span_of(method));
  }

  // What a method is called by cannot be what another one is bound to: "m_size" is that of "size".
  // The parent has reported what is inherited.
  void check_bindings(std::vector<codegen::Problem>& problems) const {
    std::map<std::string, const Specific*> bound;
    for (const Specific& each : specifics_) bound.emplace(lower_case(each.binding), &each);
    std::set<std::string> reported;
    for (const Specific& each : specifics_) {
      for (const std::string& name : {binding(each.long_name), binding(each.short_name)}) {
        const auto found = bound.find(lower_case(name));
        if (found == bound.end() || (each.distance > 0 && found->second->distance > 0)) continue;
        if (!reported.insert(each.long_name).second) continue;
        problems.push_back(
            {Code::FortranName, span_of(each.long_name),
             "'" + name + "' and '" + found->second->long_name + "' would both be '" + name +
                 "' in Fortran, where the procedure of '" + found->second->long_name + "' of '" +
                 type_.name() + "' is bound to this name"});
      }
    }
  }

  ir::Span span_of(const std::string& method) const {
    const auto found = std::ranges::find_if(plan_.methods, [&](const codegen::PlannedMethod& each) {
      return each.method->long_name() == method;
    });
    return found == plan_.methods.end() ? type_.span() : found->method->span();
  }

  // ---- what the class implements here ---------------------------------------------------------

  void implementation(bool has_hooks) {
    model_.data_word = static_cast<int>(codegen::data_word(index_, type_));
    for (const codegen::PlannedMethod* planned : plan_.implemented) {
      model_.impl.push_back(implement(*planned));
      if (has_hooks) model_.impl.back().hooks = lower_hooks(*planned->method);
    }
  }

  // The variables of the method's skel are passed to its hooks, too.
  std::vector<HookModel> lower_hooks(const ir::Method& method) const {
    const Procedure skel = lower_skel(index_, type_.name(), method);
    const codegen::Hooks hooks = codegen::hooks_of(method);
    std::vector<HookModel> models;
    for (const ir::Method* hook : {&hooks.before, &hooks.after}) {
      HookModel& model = models.emplace_back();
      model.name = impl_of(type_.name(), hook->long_name());
      model.c_name = hook->long_name();
      model.doc = hook->doc();
      const bool is_last = hook == &hooks.after;
      for (std::size_t i = 0; i < skel.arguments.size(); ++i) {
        const Value& value = skel.arguments[i];
        const bool is_out =
            value.is_result || method.arguments(static_cast<int>(i)).mode() == Argument::OUT;
        if (is_last || !is_out) model.arguments.push_back(value);
      }
      if (is_last && skel.result) model.arguments.push_back(*skel.result);
    }
    return models;
  }

  // What the method has made of such a struct may be refused, when its results are there.
  bool has_raw_members(const TypeRef& type) const {
    return type.kind() == TypeRef::STRUCT && index_.has_raw_members(type.name());
  }

  ImplModel implement(const codegen::PlannedMethod& planned) const {
    const ir::Method& method = *planned.method;
    ImplModel impl;
    impl.name = impl_of(type_.name(), method.long_name());
    impl.c_name = method.long_name();
    impl.notes = codegen::packing_notes(planned, codegen::CommentStyle::fortran);
    impl.skel = Namer::symbol(type_.name()) + "__fortran_" + method.long_name();
    impl.procedure = lower_skel(index_, type_.name(), method);
    impl.overrides = planned.overrides;
    impl.passes_on = planned.passes_on;
    if (impl.overrides) {
      impl.super = lower_stub(index_, type_.name(), method, Form::pointer);
      impl.super.name = shorten("super_" + method.long_name());
      impl.super.slot = static_cast<int>(planned.position);
    }
    const bool has_outs = std::ranges::any_of(
        method.arguments(), [](const Argument& a) { return a.mode() == Argument::OUT; });
    impl.demands_layout =
        codegen::demands_layout(method.result()) ||
        std::ranges::any_of(method.arguments(), [&](const Argument& a) {
          return codegen::demands_layout(a.type()) ||
                 (a.mode() != Argument::OUT && is_typed_array(a.type())) ||
                 (has_outs && a.mode() == Argument::INOUT && has_raw_members(a.type()));
        });
    impl.settles_layout = is_typed_array(method.result()) ||
                          std::ranges::any_of(method.arguments(), [&](const Argument& a) {
                            return a.mode() != Argument::IN || codegen::demands_layout(a.type());
                          });
    impl.info = planned.info();
    impl.ior_result = codegen::ior_value_type(method.result());
    impl.ior_parameters = codegen::ior_parameters(method);
    impl.zero_result = zero_result(method.result());
    for (const Argument& argument : method.arguments()) {
      const std::string name = Namer::argument(argument.name());
      const bool in = argument.mode() == Argument::IN;
      const bool in_struct = in && argument.type().kind() == TypeRef::STRUCT;
      impl.c_arguments.push_back(name);
      impl.c_addresses.push_back(in_struct ? "(void*)" + name : in ? "&" + name : name);
    }
    return impl;
  }

  const TypeIndex& index_;
  const ir::Type& type_;
  const std::vector<int>& distances_;  // of the stubs, by slot
  const codegen::ObjectPlan plan_;
  const std::function<bool(const ir::Type&)> knows_;
  ObjectModel model_;
  std::vector<Specific> specifics_;
  std::vector<Procedure> procedures_;
  std::vector<std::pair<std::string, std::string>> names_;  // of the module, and whose they are
};

}  // namespace

bool shares_functions(const ir::Type& type) {
  return codegen::is_interface(type) && !codegen::is_base_interface(type);
}

ObjectModel lower_object(const TypeIndex& index, const ir::Type& type,
                         const std::vector<int>& distances,
                         std::function<bool(const ir::Type&)> knows, bool is_implemented,
                         bool has_hooks, std::vector<codegen::Problem>& problems) {
  return ObjectLowering(index, type, distances, std::move(knows))
      .run(is_implemented, has_hooks, problems);
}

}  // namespace shinar::backends::fortran
