#include "backends/java/lower.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "backends/java/names.hpp"
#include "codegen/contract_plan.hpp"
#include "codegen/hooks.hpp"
#include "codegen/names.hpp"
#include "codegen/packing_notes.hpp"

namespace shinar::backends::java {
namespace {

using codegen::kBaseClass;
using codegen::kBaseInterface;
using codegen::Namer;
using codegen::TypeIndex;

ArgumentModel lower_argument(const ir::Argument& argument, const Hidden& hidden) {
  ArgumentModel model;
  model.name = variable_name(argument.name(), hidden);
  model.sidl_name = argument.name();
  model.c_name = Namer::argument(argument.name());
  model.type = argument.type();
  model.mode = argument.mode();
  model.in_place = argument.mode() == ir::Argument::INOUT && is_raw_array(argument.type());
  model.is_holder = argument.mode() != ir::Argument::IN && !model.in_place;
  return model;
}

// A frame has the arguments in their order, and then the result.
void lay_out(const TypeIndex& index, MethodModel& model) {
  int size = 0;
  for (ArgumentModel& argument : model.arguments) {
    argument.slot = size;
    size += slot_size(index, argument.type);
  }
  model.result_slot = size;
  model.frame_size = size + slot_size(index, model.result);
}

// The words that its arguments, and those of its hooks, must not be called.
Hidden hidden_by_arguments(const TypeIndex& index, const ir::Type& self, const ir::Method& method) {
  codegen::TypeMentions mentioned;
  mentioned.add(method);
  return hidden_by_variables(index, self, mentioned);
}

MethodModel lower_method(const TypeIndex& index, const ir::Method& method, const Hidden& hidden) {
  MethodModel model;
  model.method = &method;
  model.name = method_name(method);
  model.slot = method.long_name();
  model.comment = codegen::sidl_signature(method);
  model.is_static = method.is_static();
  model.is_nonblocking = method.nonblocking();
  model.result = method.result();
  model.throws.assign(method.throws().begin(), method.throws().end());
  model.is_quick = is_direct(method.result());
  for (const ir::Argument& argument : method.arguments()) {
    const std::size_t position = model.arguments.size();
    if (const auto source = codegen::index_source(method, static_cast<std::uint32_t>(position))) {
      model.indices.push_back({position, *source});
    }
    model.arguments.push_back(lower_argument(argument, hidden));
    model.is_quick =
        model.is_quick && argument.mode() == ir::Argument::IN && is_direct(argument.type());
  }
  lay_out(index, model);
  return model;
}

MethodModel lower_planned(const TypeIndex& index, const codegen::PlannedMethod& planned) {
  MethodModel model = lower_method(index, *planned.method,
                                   hidden_by_arguments(index, *planned.type, *planned.method));
  model.type = planned.type;
  model.position = static_cast<int>(planned.position);
  model.overrides = planned.overrides;
  model.passes_on = planned.passes_on;
  return model;
}

// A class may have given an inherited method another extension: it has both names then.
void add_other_names(const TypeIndex& index, MethodModel& model) {
  for (const codegen::DeclaredMethod& each :
       codegen::declarations_of(index, *model.type, model.position)) {
    const std::string name = method_name(*each.method);
    if (name != model.name && std::ranges::find(model.other_names, name) == model.other_names.end())
      model.other_names.push_back(name);
  }
}

void lower_stubs(const TypeIndex& index, const codegen::ObjectPlan& plan, ObjectModel& model) {
  for (const codegen::PlannedMethod& planned : plan.methods) {
    if (planned.of_every_object) continue;  // sidl.binding.Handled has them
    const bool is_inherited = planned.in_parent && plan.is_class;
    if (!is_inherited) {
      model.stubs.push_back(lower_planned(index, planned));
      if (plan.is_class && planned.slot != nullptr) add_other_names(index, model.stubs.back());
    }
    if (!plan.is_class && planned.origin != codegen::Origin::inherited) {
      model.declared.push_back(lower_planned(index, planned));
    }
  }
}

void lower_hooks(const TypeIndex& index, MethodModel& model, std::deque<ir::Method>& kept) {
  const Hidden hidden = hidden_by_arguments(index, *model.type, *model.method);
  codegen::Hooks hooks = codegen::hooks_of(*model.method);
  for (ir::Method* hook : {&hooks.before, &hooks.after}) {
    const std::string suffix = hook->name().substr(model.method->name().size());
    kept.push_back(std::move(*hook));
    MethodModel lowered = lower_method(index, kept.back(), hidden);
    lowered.name = model.name + suffix;
    model.hooks.push_back(std::move(lowered));
  }
}

// Java's names of all that the type has.
std::set<std::string> names_of(const codegen::ObjectPlan& plan) {
  std::set<std::string> names;
  for (const codegen::PlannedMethod& each : plan.methods) names.insert(method_name(*each.method));
  return names;
}

// Whether Java takes two methods with these arguments for the same, if their names are.
bool are_alike(const TypeIndex& index, const ir::Method& a, const ir::Method& b) {
  Spelling spelling(index, "");
  const auto type = [&](const ir::Argument& argument) {
    const ArgumentModel model = lower_argument(argument, {});
    // Those of generic classes are erased.
    return model.is_holder
               ? "Holder"
               : spelling.type(model.type).substr(0, spelling.type(model.type).find('<'));
  };
  return std::ranges::equal(a.arguments(), b.arguments(), {}, type, type);
}

// Methods called like what Java has beside another one.
void find_taken_names(const TypeIndex& index, const ir::Type& type, bool is_implemented,
                      std::vector<codegen::Problem>& problems) {
  const codegen::ObjectPlan plan = codegen::plan_object(index, type);
  std::multimap<std::string, const codegen::PlannedMethod*> known;
  for (const codegen::PlannedMethod& each : plan.methods) {
    known.emplace(method_name(*each.method), &each);
  }
  const auto report = [&](const codegen::PlannedMethod& planned, const std::string& suffix,
                          const std::string& what) {
    const auto [first, last] = known.equal_range(method_name(*planned.method) + suffix);
    for (auto each = first; each != last; ++each) {
      const codegen::PlannedMethod& other = *each->second;
      const bool is_old = other.origin == codegen::Origin::inherited &&
                          planned.origin == codegen::Origin::inherited;
      if (is_old || !are_alike(index, *planned.method, *other.method)) continue;
      problems.push_back({Code::JavaName, type.span(),
                          "'" + type.name() + "' has a method '" + other.method->long_name() +
                              "', and in Java " + what + " '" + planned.method->long_name() +
                              "' is called so: give one of them another name"});
    }
  };
  for (const codegen::PlannedMethod& planned : plan.methods) {
    if (planned.method->nonblocking()) {
      report(planned, "Async", "what begins the nonblocking method");
    }
  }
  if (!is_implemented) return;
  for (const codegen::PlannedMethod* planned : plan.implemented) {
    report(*planned, "_Impl", "the implementation of");
  }
}

}  // namespace

bool MethodModel::is_plain() const {
  const auto is_number = [](const ir::TypeRef& type) {
    return type.kind() != ir::TypeRef::ENUM && type.kind() != ir::TypeRef::CHAR;
  };
  return is_quick && !is_static && is_number(result) &&
         std::ranges::all_of(arguments, is_number, &ArgumentModel::type);
}

ObjectModel lower_object(const TypeIndex& index, const ir::Type& type, bool has_hooks) {
  const codegen::ObjectPlan plan = codegen::plan_object(index, type);
  ObjectModel model;
  model.type = &type;
  model.name = type.name();
  model.symbol = Namer::symbol(type.name());
  model.local = java_name(type.local_name());
  model.is_class = plan.is_class;
  model.is_concrete = plan.is_concrete;
  model.is_exception = plan.is_exception;
  model.has_contracts = codegen::has_contracts(index, type);
  model.has_hooks = has_hooks;
  model.parent = type.object().parent();
  if (model.is_exception && model.parent == kBaseClass) model.parent.clear();
  model.interfaces.assign(type.object().direct_interfaces().begin(),
                          type.object().direct_interfaces().end());
  if (model.interfaces.size() > 1) std::erase(model.interfaces, kBaseInterface);
  lower_stubs(index, plan, model);
  const std::set<std::string> names = names_of(plan);
  for (const codegen::PlannedMethod* planned : plan.implemented) {
    model.impl.push_back(lower_planned(index, *planned));
    std::string& super_name = model.impl.back().super_name;
    super_name = "super_" + model.impl.back().name;
    while (names.contains(super_name)) super_name += "_";
    model.impl.back().notes = codegen::packing_notes(*planned, codegen::CommentStyle::java);
    if (has_hooks) lower_hooks(index, model.impl.back(), model.hook_methods);
  }
  return model;
}

std::vector<codegen::Problem> find_java_problems(const codegen::Request& request,
                                                 const TypeIndex& index) {
  std::vector<codegen::Problem> problems;
  for (const codegen::PackagePlan& plan : codegen::plan_packages(index)) {
    if (plan.package->name() != "java") continue;
    problems.push_back({Code::JavaName, plan.package->span(),
                        "Java keeps packages within 'java' to itself: a package within another "
                        "one can be called so"});
  }
  for (const ir::Type* type : index.generated()) {
    find_long_lists(index, *type, request.hooks, problems);
    if (type->local_name() == "sidl" || type->local_name() == "java") {
      problems.push_back({Code::JavaName, type->span(),
                          "'" + type->name() + "' would hide the package '" + type->local_name() +
                              "' from Java code in its package"});
    }
    if (!type->has_object()) continue;
    find_taken_names(index, *type, request.implements(*type), problems);
    if (!codegen::is_class(*type) || !type->object().is_exception()) continue;
    const std::string& parent = type->object().parent();
    if (parent.empty() || parent == kBaseClass || index.find(parent).object().is_exception())
      continue;
    problems.push_back({Code::NoJavaException, type->span(),
                        "'" + type->local_name() + "' is an exception and its parent class '" +
                            parent + "' is none: Java has no such classes"});
  }
  return problems;
}

}  // namespace shinar::backends::java
