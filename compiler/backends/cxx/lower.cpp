#include "backends/cxx/lower.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "backends/cxx/raw_overload.hpp"
#include "codegen/c_types.hpp"
#include "codegen/contract_plan.hpp"
#include "codegen/hooks.hpp"
#include "codegen/names.hpp"
#include "codegen/nonblocking.hpp"
#include "codegen/packing_notes.hpp"
#include "codegen/raw_arrays.hpp"
#include "codegen/reserved_words.hpp"

namespace shinar::backends::cxx {
namespace {

using codegen::Namer;
using codegen::TypeIndex;

std::string header_of(const std::string& type_name) {
  return Namer::symbol(type_name) + ".hxx";
}

std::vector<std::string> namespaces_of(const ir::Type& type) {
  return Namer::parts(type.package());
}

ResultForm form_of(const ir::TypeRef& type) {
  if (type.kind() == ir::TypeRef::VOID) return ResultForm::none;
  const Passing passing = passing_of(type);
  const bool plain = passing == Passing::same || passing == Passing::converted;
  return plain ? ResultForm::plain : ResultForm::owned;
}

// "const int32_t _result", "void* const _result": of what is returned as it is, a pointer is
// opaque.
std::string result_variable(const ir::TypeRef& type, const std::string& spelled) {
  return type.kind() == ir::TypeRef::OPAQUE ? spelled + " const _result"
                                            : "const " + spelled + " _result";
}

// A type has more ancestors than any type it inherits from.
int depth(const ir::Type& type) {
  return type.object().ancestors_size() + type.object().interfaces_size();
}

std::string lower_throws(const TypeIndex& index, const ir::Method& method) {
  std::vector<const ir::Type*> types;
  for (const std::string& name : method.throws()) types.push_back(&index.find(name));
  std::stable_sort(types.begin(), types.end(),
                   [](const ir::Type* a, const ir::Type* b) { return depth(*a) > depth(*b); });
  std::vector<std::string> names;
  for (const ir::Type* type : types) names.push_back(Namer::cxx_name(type->name()));
  return codegen::join(names);
}

const char* mode_comment(ir::Argument::Mode mode) {
  if (mode == ir::Argument::IN) return "/* in */ ";
  return mode == ir::Argument::OUT ? "/* out */ " : "/* inout */ ";
}

void lower_arguments(const ir::Method& method, const std::string& type, MethodModel& model) {
  std::vector<std::string> stub;
  std::vector<std::string> impl;
  const Signature signature{type + "." + method.long_name(), argument_names(method)};
  for (const ir::Argument& argument : method.arguments()) {
    const std::string name = Namer::argument(argument.name());
    stub.push_back(codegen::declare(stub_parameter_type(argument.type(), argument.mode()), name));
    impl.push_back(mode_comment(argument.mode()) +
                   codegen::declare(impl_parameter_type(argument.type(), argument.mode()), name));
    model.argument_names.push_back(name);
    model.stub_arguments.push_back(lower_stub_argument(argument, signature));
    model.skel_arguments.push_back(lower_skel_argument(argument, signature));
  }
  model.stub_parameters = codegen::join(stub);
  model.impl_parameters = codegen::join(impl);
  model.ior_parameters = codegen::ior_parameters(method);
}

// A method of `type`, by its absolute name.
MethodModel lower_method(const TypeIndex& index, const ir::Method& method,
                         const std::string& type) {
  MethodModel model;
  model.name = Namer::method(method.name());
  model.long_name = method.long_name();
  model.doc = method.doc();
  model.is_static = method.is_static();
  model.throws = lower_throws(index, method);
  model.result = cxx_type(method.result());
  model.ior_result = codegen::ior_value_type(method.result());
  model.result_form = form_of(method.result());
  model.stub_variable = result_variable(method.result(), model.ior_result);
  model.skel_variable = result_variable(method.result(), model.result);
  model.result_to_cxx = to_cxx(method.result(), "_result");
  model.result_to_ior = to_ior(method.result(), "_result");
  model.result_demand = demand_statement(method.result(), "_result.value", "the result");
  lower_arguments(method, type, model);
  return model;
}

// The overload of the method with sidl::array for its raw arrays.
MethodModel lower_array_overload(const TypeIndex& index, const ir::Method& method,
                                 const std::string& type) {
  const ArrayOverload overload = array_overload(method);
  MethodModel model = lower_method(index, overload.method, type);
  std::vector<std::string> stub;
  model.stub_prelude = overload.prelude;
  for (int i = 0; i < overload.method.arguments_size(); ++i) {
    const ir::Argument& argument = overload.method.arguments(i);
    if (overload.is_computed[static_cast<std::size_t>(i)]) continue;
    stub.push_back(codegen::declare(stub_parameter_type(argument.type(), argument.mode()),
                                    Namer::argument(argument.name())));
  }
  model.stub_parameters = codegen::join(stub);
  return model;
}

// ---- halves of nonblocking methods -------------------------------------------------------------

// The argument of `half` for the whole method's argument number `i`, or nullptr.
const ir::Argument* argument_of(const codegen::Half& half, std::size_t i) {
  const int position = half.arguments[i];
  return position < 0 ? nullptr : &half.method.arguments(position);
}

void lower_half(const codegen::Half& half, const std::string& type, const std::string& info,
                MethodModel& model) {
  const Signature signature{type + "." + half.method.long_name(), argument_names(half.method)};
  model.part = half.part;
  model.info = info;
  model.receiver =
      codegen::has_raw_arrays(half.method) ? "sidl_rmi_receive_raw" : "sidl_rmi_receive";
  model.stub_arguments.clear();
  for (std::size_t i = 0; i < half.arguments.size(); ++i) {
    const ir::Argument* const argument = argument_of(half, i);
    if (argument == nullptr) {
      model.addresses.push_back("nullptr");
      continue;
    }
    model.stub_arguments.push_back(half.part == Part::send
                                       ? lower_sent_argument(*argument, signature)
                                       : lower_received_argument(*argument));
    model.addresses.push_back(model.stub_arguments.back().pass);
  }
}

// The half of a method for a handle of `type`, by its short name if that is unambiguous.
MethodModel named_half(const TypeIndex& index, const codegen::Half& half, const std::string& type,
                       const std::string& info, std::set<std::string>& known) {
  ir::Method method = half.method;
  if (!known.insert(overload_key(method)).second) {
    method.set_name(method.long_name());
    known.insert(overload_key(method));
  }
  MethodModel model = lower_method(index, method, type);
  lower_half(half, type, info, model);
  return model;
}

// The same with sidl::array for its raw arrays.
MethodModel half_array_overload(const TypeIndex& index, codegen::Half half, const std::string& type,
                                const std::string& info) {
  MethodModel model = lower_array_overload(index, half.method, type);
  const ArrayOverload overload = array_overload(half.method);
  half.method = overload.method;
  lower_half(half, type, info, model);
  for (std::size_t i = 0; i < half.arguments.size(); ++i) {
    const ir::Argument* const argument = argument_of(half, i);
    if (argument == nullptr) continue;
    // what is computed from the lengths is a constant of the stub's
    if (!overload.is_computed[static_cast<std::size_t>(half.arguments[i])]) continue;
    model.addresses[i] =
        "const_cast<" + cxx_type(argument->type()) + "*>(" + model.addresses[i] + ")";
  }
  return model;
}

using Planned = std::span<const codegen::PlannedMethod>;

std::set<std::string> overload_keys(Planned methods) {
  std::set<std::string> keys;
  for (const codegen::PlannedMethod& each : methods) keys.insert(overload_key(*each.method));
  return keys;
}

// The halves of all methods, as C++ overloads them.
std::vector<MethodModel> lower_halves(const TypeIndex& index, Planned methods) {
  std::set<std::string> known = overload_keys(methods);
  std::vector<MethodModel> models;
  for (const codegen::PlannedMethod& planned : methods) {
    for (const codegen::Half& half : codegen::halves_of(*planned.method)) {
      models.push_back(named_half(index, half, planned.type->name(), planned.info(), known));
      if (!codegen::has_raw_arrays(half.method)) continue;
      if (!known.insert(array_overload_key(half.method)).second) continue;
      models.push_back(half_array_overload(index, half, planned.type->name(), planned.info()));
    }
  }
  return models;
}

// The additional C++ overloads, except those that another method clashes with.
std::vector<MethodModel> lower_array_overloads(const TypeIndex& index, Planned methods) {
  std::set<std::string> known = overload_keys(methods);
  std::vector<MethodModel> models;
  for (const codegen::PlannedMethod& planned : methods) {
    if (!codegen::has_raw_arrays(*planned.method)) continue;
    if (!known.insert(array_overload_key(*planned.method)).second) continue;
    models.push_back(lower_array_overload(index, *planned.method, planned.type->name()));
  }
  return models;
}

// The method with the array dimensions that its skel checks: not those of streams.
ir::Method checked_by_impl(const TypeIndex& index, const ir::Type& type, const ir::Method& method) {
  ir::Method checked = method;
  if (!index.takes_any_dimension(type, method)) return checked;
  checked.mutable_result()->set_dimension(0);
  for (ir::Argument& argument : *checked.mutable_arguments()) {
    argument.mutable_type()->set_dimension(0);
  }
  return checked;
}

// Whether the handle inherits the method from that of sidl.BaseInterface. If others with the same
// short name would hide it, it is redeclared.
bool comes_with_root(const codegen::ObjectPlan& plan, const codegen::PlannedMethod& planned) {
  if (!planned.of_every_object || planned.origin == codegen::Origin::introduced) return false;
  return std::ranges::none_of(plan.methods, [&](const codegen::PlannedMethod& each) {
    return !each.of_every_object && each.method->name() == planned.method->name();
  });
}

// The handle's own members: stubs and the types they mention.
std::vector<const codegen::PlannedMethod*> own_methods(const codegen::ObjectPlan& plan) {
  std::vector<const codegen::PlannedMethod*> result;
  for (const codegen::PlannedMethod& planned : plan.methods) {
    if (!comes_with_root(plan, planned)) result.push_back(&planned);
  }
  return result;
}

void lower_methods(const TypeIndex& index, const codegen::ObjectPlan& plan, ObjectModel& model) {
  const auto add = [&](MethodModel&& method) {
    (method.is_static ? model.statics : model.stubs).push_back(std::move(method));
  };
  for (const codegen::PlannedMethod* planned : own_methods(plan)) {
    MethodModel method = lower_method(index, *planned->method, planned->type->name());
    method.drops = planned->of_every_object && planned->method->name() == "deleteRef";
    add(std::move(method));
  }
  for (MethodModel& overload : lower_array_overloads(index, plan.methods)) {
    add(std::move(overload));
  }
  for (MethodModel& half : lower_halves(index, plan.methods)) add(std::move(half));
}

void lower_impl(const TypeIndex& index, const codegen::ObjectPlan& plan, bool has_hooks,
                ObjectModel& model) {
  for (const codegen::PlannedMethod* planned : plan.implemented) {
    const ir::Method method = checked_by_impl(index, *plan.type, *planned->method);
    const std::string& type = planned->type->name();
    MethodModel lowered = lower_method(index, method, type);
    lowered.overrides = planned->overrides;
    lowered.passes_on = planned->passes_on;
    lowered.notes = codegen::packing_notes(*planned, codegen::CommentStyle::cxx);
    if (has_hooks) {
      const codegen::Hooks hooks = codegen::hooks_of(method);
      lowered.hooks = {lower_method(index, hooks.before, type),
                       lower_method(index, hooks.after, type)};
    }
    model.impl.push_back(std::move(lowered));
  }
}

// The types a class inherits from in C++; sidl.BaseInterface only if there is nothing else.
std::vector<std::string> base_types(const ir::Type& type) {
  std::vector<std::string> result;
  for (const std::string& name : type.object().direct_interfaces()) {
    if (name != codegen::kBaseInterface) result.push_back(name);
  }
  if (!type.object().parent().empty()) result.push_back(type.object().parent());
  if (result.empty() && !codegen::is_base_interface(type)) {
    result.emplace_back(codegen::kBaseInterface);
  }
  return result;
}

void lower_bases(const ir::Type& type, ObjectModel& model) {
  for (const std::string& name : base_types(type)) {
    model.bases.push_back(Namer::cxx_name(name));
    model.base_includes.push_back(header_of(name));
  }
  // What the runtime adds at the two roots.
  if (codegen::is_base_interface(type)) model.bases.push_back("::sidl::StubBase");
  if (type.name() == "sidl.BaseException") model.bases.push_back("::sidl::ExceptionBase");
}

bool has_array(const ir::Method& method) {
  if (codegen::has_raw_arrays(method)) return true;
  if (method.result().kind() == ir::TypeRef::ARRAY) return true;
  return std::any_of(method.arguments().begin(), method.arguments().end(),
                     [](const ir::Argument& a) { return a.type().kind() == ir::TypeRef::ARRAY; });
}

// The layout is a part of the class's name for linkers: inline functions, tables of virtual
// functions and exceptions of two layouts are never confused. (An attribute, and not a namespace,
// so that users may open the namespace and name the class as SIDL does.)
std::string class_key(const ir::Type& type) {
  const std::string tag = codegen::layout_tag(type);
  return tag.empty() ? "" : "[[gnu::abi_tag(\"" + tag + "\")]] ";
}

// Handles that are thrown have std::exception::what().
void rename_what(ObjectModel& model) {
  for (std::vector<MethodModel>* methods : {&model.stubs, &model.statics, &model.impl}) {
    for (MethodModel& method : *methods) {
      method.name =
          Namer::escaped(method.name, [](std::string_view name) { return name == "what"; });
    }
  }
}

// Everything the methods of an object mention, and what its methods throw.
class Mentioned {
 public:
  explicit Mentioned(const TypeIndex& index) : index_(index) {}

  void add(const ir::Method& method) {
    declared_.add(method);
    if (method.nonblocking()) declared_.add(codegen::kTicketType);
    for (const std::string& name : method.throws()) thrown_.add(name);
    arrays_ = arrays_ || has_array(method);
    raw_arrays_ = raw_arrays_ || codegen::has_raw_arrays(method);
  }
  void add(const ir::TypeRef& type) {
    declared_.add(type);
    arrays_ = arrays_ || type.kind() == ir::TypeRef::ARRAY;
  }

  // Fills in the includes and forward declarations of the model of `self`.
  template <typename Model>
  void apply(const ir::Type& self, Model& model) const {
    std::map<std::string, std::vector<ForwardClass>> forwards;
    if (arrays_) model.value_includes.push_back("sidl_array.hxx");
    if (raw_arrays_) model.use_includes.push_back("sidl_raw_array.hxx");
    for (const std::string& name : declared_.names()) {
      const ir::Type& type = index_.find(name);
      if (&type == &self) continue;
      if (type.has_enumeration()) {
        model.value_includes.push_back(header_of(name));
      } else {
        forwards[type.package()].push_back(
            {type.local_name(), class_key(type), Namer::include_guard(header_of(name))});
        model.use_includes.push_back(header_of(name));
      }
    }
    for (const std::string& name : thrown_.names()) {
      if (name != self.name()) model.use_includes.push_back(header_of(name));
    }
    for (auto& [package, classes] : forwards) {
      std::ranges::sort(classes, {}, &ForwardClass::name);
      model.forwards.push_back({Namer::parts(package), std::move(classes)});
    }
  }

 private:
  const TypeIndex& index_;
  codegen::TypeMentions declared_;
  codegen::TypeMentions thrown_;
  bool arrays_ = false;
  bool raw_arrays_ = false;
};

void sort_unique(std::vector<std::string>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

void lower_includes(const TypeIndex& index, const codegen::ObjectPlan& plan, ObjectModel& model) {
  Mentioned mentioned(index);
  for (const codegen::PlannedMethod* planned : own_methods(plan)) mentioned.add(*planned->method);
  mentioned.apply(*plan.type, model);
  model.use_includes.insert(model.use_includes.end(), {"sidl_arg.hxx", "sidl_exception.hxx"});
  std::erase_if(model.use_includes, [&](const std::string& header) {
    return std::find(model.base_includes.begin(), model.base_includes.end(), header) !=
           model.base_includes.end();
  });
  sort_unique(model.value_includes);
  sort_unique(model.use_includes);
}

// An array of a declared order gets it when it becomes a member.
std::string ordered_value(const ir::Member& member) {
  if (!codegen::demands_layout(member.type())) return "value";
  return "::sidl::ensured<" + cxx_type(member.type().element()) + ">(value._get_ior(), " +
         array_demand(member.type()) + ", \"" + member.name() + "\")";
}

bool has_accessors(const ir::TypeRef& type) {
  const Passing passing = passing_of(type);
  return passing != Passing::same && passing != Passing::raw;
}

}  // namespace

ObjectModel lower_object(const TypeIndex& index, const ir::Type& type, bool has_hooks) {
  ObjectModel model;
  model.type = &type;
  model.name = type.name();
  model.symbol = Namer::symbol(type.name());
  model.local_name = type.local_name();
  model.key = class_key(type);
  model.namespaces = namespaces_of(type);
  model.parent_symbol = Namer::symbol(type.object().parent());
  const codegen::ObjectPlan plan = codegen::plan_object(index, type);
  model.is_class = plan.is_class;
  model.is_concrete = plan.is_concrete;
  model.has_contracts = codegen::has_contracts(index, type);
  model.is_exception = plan.is_exception;
  lower_bases(type, model);
  lower_methods(index, plan, model);
  lower_impl(index, plan, has_hooks, model);
  if (type.object().is_exception()) rename_what(model);
  lower_includes(index, plan, model);
  return model;
}

StructModel lower_struct(const TypeIndex& index, const ir::Type& type) {
  StructModel model;
  model.type = &type;
  model.symbol = Namer::symbol(type.name());
  model.local_name = type.local_name();
  model.key = class_key(type);
  model.namespaces = namespaces_of(type);
  Mentioned mentioned(index);
  for (const ir::Member& member : type.structure().members()) {
    if (!has_accessors(member.type())) continue;
    mentioned.add(member.type());
    model.accessors.push_back({Namer::member(member.name()), cxx_type(member.type()),
                               stub_parameter_type(member.type(), ir::Argument::IN), member.doc(),
                               ordered_value(member), member.type().kind() == ir::TypeRef::STRUCT});
  }
  mentioned.apply(type, model);
  model.use_includes.push_back("sidl_exception.hxx");
  sort_unique(model.value_includes);
  sort_unique(model.use_includes);
  return model;
}

EnumModel lower_enum(const ir::Type& type) {
  return {&type, Namer::symbol(type.name()), type.local_name(), namespaces_of(type)};
}

namespace {

// What C++ means by a word wherever it stands; empty if names can be called so.
std::string_view meaning_of(std::string_view word) {
  if (codegen::is_reserved(codegen::Words::cxx_macros, word)) return "macro of C's headers";
  return codegen::is_reserved(codegen::Words::cxx, word) ? "keyword of C++" : "";
}

std::string impossible(const std::string& name, std::string_view meaning, const std::string& what) {
  return "'" + name + "' has the name of a " + std::string(meaning) +
         ", so that C++ cannot have a " + what + " of this name";
}

}  // namespace

std::vector<codegen::Problem> find_cxx_problems(const TypeIndex& index) {
  std::vector<codegen::Problem> problems;
  for (const codegen::PackagePlan& plan : codegen::plan_packages(index)) {
    const ir::Package& package = *plan.package;
    const std::string_view meaning = meaning_of(Namer::local(package.name()));
    if (!meaning.empty()) {
      problems.push_back(
          {Code::CxxName, package.span(), impossible(package.name(), meaning, "namespace")});
    } else if (codegen::is_reserved(codegen::Words::cxx_global, package.name())) {
      problems.push_back(
          {Code::CxxName, package.span(),
           "'" + package.name() +
               "' is declared by C's headers, so that C++ cannot "
               "have a namespace of this name: a package within another one can be called "
               "so"});
    }
  }
  for (const ir::Type* type : index.generated()) {
    const std::string_view meaning = meaning_of(type->local_name());
    if (meaning.empty()) continue;
    problems.push_back({Code::CxxName, type->span(), impossible(type->name(), meaning, "class")});
  }
  return problems;
}

}  // namespace shinar::backends::cxx
