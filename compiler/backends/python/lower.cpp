#include "backends/python/lower.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "backends/python/names.hpp"
#include "codegen/basic_types.hpp"
#include "codegen/c_types.hpp"
#include "codegen/contract_plan.hpp"
#include "codegen/hooks.hpp"
#include "codegen/names.hpp"
#include "codegen/packing_notes.hpp"
#include "codegen/plan.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::backends::python {
namespace {

using codegen::find_basic_type;
using codegen::join;
using codegen::kBaseClass;
using codegen::kBaseInterface;
using codegen::Namer;
using codegen::TypeIndex;

std::string python_path(std::string_view package) {
  std::vector<std::string> parts;
  for (const std::string& part : Namer::parts(package)) parts.push_back(python_name(part));
  return join(parts, ".");
}

bool has_struct_elements(const ir::TypeRef& type) {
  return type.has_element() && type.element().kind() == ir::TypeRef::STRUCT;
}

// NumPy's type of the elements of arrays of the struct: objects if it owns something.
std::string element_of_struct(const TypeIndex& index, const ir::Type& type) {
  for (const ir::Member& member : type.structure().members()) {
    const ir::TypeRef::Kind kind = member.type().kind();
    const bool is_plain =
        kind == ir::TypeRef::ENUM ||
        (kind == ir::TypeRef::STRUCT &&
         element_of_struct(index, index.find(member.type().name())) == "numpy.void") ||
        (kind != ir::TypeRef::STRING && find_basic_type(kind) != nullptr);
    if (!is_plain) return "numpy.object_";
  }
  return "numpy.void";
}

// Spells types as seen from one package, and notes which others they come from.
class Spelling {
 public:
  Spelling(const TypeIndex& index, std::string package)
      : index_(index), package_(std::move(package)) {}

  std::string named(const std::string& name) {
    const ir::Type& type = index_.find(name);
    const std::string local = python_name(type.local_name());
    if (type.package() == package_) return local;
    imports_.insert(python_path(type.package()));
    return python_path(type.package()) + "." + local;
  }

  std::string given(const ir::TypeRef& type) {
    switch (type.kind()) {
      case ir::TypeRef::STRING:
      case ir::TypeRef::OPAQUE:
      case ir::TypeRef::CLASS:
      case ir::TypeRef::INTERFACE:
        return received(type) + " | None";
      case ir::TypeRef::ARRAY:
      case ir::TypeRef::RARRAY:
        // NumPy knows no sequences of structs' objects.
        return std::string("numpy.typing.ArrayLike | ") +
               (has_struct_elements(type) ? "typing.Sequence[typing.Any] | " : "") + "None";
      default:
        return received(type);
    }
  }

  std::string received(const ir::TypeRef& type) {
    if (const auto* basic = find_basic_type(type.kind())) return std::string(basic->python);
    switch (type.kind()) {
      case ir::TypeRef::ENUM:
      case ir::TypeRef::STRUCT:
      case ir::TypeRef::CLASS:
      case ir::TypeRef::INTERFACE:
        return named(type.name());
      case ir::TypeRef::ARRAY:
      case ir::TypeRef::RARRAY:
        return "numpy.typing.NDArray[" + element(type) + "]";
      default:
        return "None";
    }
  }

  const std::set<std::string>& imports() const { return imports_; }

 private:
  std::string element(const ir::TypeRef& type) const {
    if (!type.has_element()) return "typing.Any";
    const ir::TypeRef::Kind kind = type.element().kind();
    if (kind == ir::TypeRef::STRUCT) {
      return element_of_struct(index_, index_.find(type.element().name()));
    }
    if (kind == ir::TypeRef::ENUM) return "numpy.int64";
    const auto* basic = find_basic_type(kind);
    return basic == nullptr ? "numpy.object_" : std::string(basic->numpy);
  }

  const TypeIndex& index_;
  std::string package_;
  std::set<std::string> imports_;
};

std::string enum_name(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::ENUM ? type.name() : "";
}

std::vector<std::string> unless_all_empty(std::vector<std::string> names) {
  const bool none = std::ranges::all_of(names, [](const std::string& n) { return n.empty(); });
  return none ? std::vector<std::string>() : names;
}

bool is_array(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::ARRAY || type.kind() == ir::TypeRef::RARRAY;
}

// The letter of a value that needs no memory (sidl_python.hpp), or a blank.
char quick_kind(const ir::TypeRef& type) {
  if (type.kind() == ir::TypeRef::VOID) return 'v';
  const auto* basic = find_basic_type(type.kind());
  return basic == nullptr ? ' ' : basic->quick;
}

std::string quick_kinds(const ir::Method& method) {
  std::string kinds(1, quick_kind(method.result()));
  for (const ir::Argument& argument : method.arguments()) {
    kinds += argument.mode() == ir::Argument::IN ? quick_kind(argument.type()) : ' ';
  }
  return method.is_static() || kinds.find(' ') != std::string::npos ? "" : kinds;
}

bool is_brief(const ir::Method& method) {
  return std::ranges::any_of(method.attributes(),
                             [](const ir::Attribute& each) { return each.key() == "brief"; });
}

// What the docstring and the stub say of arguments that may be left out. Those at the end have a
// default; others are given in their place, or by name, as Python knows no defaults before the
// rest.
class Parameters {
 public:
  void add(const std::string& name, const std::string& type, bool is_index) {
    all_.push_back({name, type, is_index});
  }

  void put_into(MethodModel& model) const {
    const auto first = std::ranges::find_if(all_, &Parameter::is_index);
    const bool are_last = std::all_of(first, all_.end(), [](const auto& p) { return p.is_index; });
    std::vector<std::string> shown, indices;
    if (!model.is_static) shown.emplace_back("$self");
    for (const Parameter& each : all_) {
      model.names.push_back(each.name);
      const std::string given = each.name + ": " + each.type;
      const std::string optional = given + " | None = ...";
      if (!are_last) model.all_parameters.push_back(given);
      if (!each.is_index) {
        model.parameters.push_back(given);
        shown.push_back(each.name);
        continue;
      }
      (are_last ? model.parameters : model.named_parameters).push_back(optional);
      indices.push_back(each.name);
    }
    if (!are_last) shown.emplace_back("*");
    for (const std::string& each : indices) shown.push_back(each + "=None");
    model.doc = model.name + "(" + join(shown) + ")\n--\n\n" + trimmed(model.text);
    if (!are_last) {
      model.doc += (model.text.empty() ? "" : "\n\n") + std::string("The arrays know ") +
                   join(indices, " and ") +
                   ", which may be given in their place, too: " + model.name + "(" +
                   join(model.names) + ").";
    }
  }

 private:
  struct Parameter {
    std::string name;
    std::string type;
    bool is_index;
  };
  std::vector<Parameter> all_;
};

MethodModel lower_method(const ir::Method& method, const std::string& name, Spelling& spelling) {
  MethodModel model;
  model.name = method_name(name);
  model.slot = name;
  model.comment = codegen::sidl_signature(method);
  model.is_static = method.is_static();
  model.quick = quick_kinds(method);
  model.is_nonblocking = method.nonblocking();
  bool has_strict = false;
  std::vector<std::string> results;
  Parameters parameters;
  if (method.result().kind() != ir::TypeRef::VOID) {
    results.push_back(spelling.received(method.result()));
  }
  for (const ir::Argument& argument : method.arguments()) {
    const int position = static_cast<int>(model.enums.size());
    const auto source = codegen::index_source(method, static_cast<std::uint32_t>(position));
    if (source) model.indices.push_back({position, *source});
    const bool by_address =
        argument.mode() != ir::Argument::IN || argument.type().kind() == ir::TypeRef::STRUCT;
    if (by_address) model.addressed.push_back(position);
    model.enums.push_back(enum_name(argument.type()));
    if (argument.name() == "deadline") model.takes_deadline = false;
    if (argument.name() == "strict") has_strict = true;
    if (is_array(argument.type()) && argument.mode() != ir::Argument::OUT) {
      model.takes_strict = true;
    }
    if (argument.mode() != ir::Argument::OUT) {
      parameters.add(python_name(argument.name()), spelling.given(argument.type()),
                     source.has_value());
    }
    if (argument.mode() != ir::Argument::IN) results.push_back(spelling.received(argument.type()));
  }
  model.takes_strict = model.takes_strict && !has_strict;
  model.enums.push_back(enum_name(method.result()));
  model.enums = unless_all_empty(std::move(model.enums));
  model.result = results.empty()       ? "None"
                 : results.size() == 1 ? results.front()
                                       : "tuple[" + join(results) + "]";
  model.text = method.doc();
  model.notes = codegen::packing_notes(method, codegen::CommentStyle::python);
  parameters.put_into(model);
  return model;
}

// A type has more ancestors than any type it inherits from.
int depth(const ir::Type& type) {
  return type.object().ancestors_size() + type.object().interfaces_size() +
         (type.name() != kBaseInterface);
}

// Python's order of bases has to be the same everywhere: that of derivation, then that of names.
std::vector<std::string> lower_bases(const TypeIndex& index, const ir::Type& type) {
  if (type.name() == kBaseInterface) return {};
  std::vector<const ir::Type*> all;
  for (const std::string& name : type.object().direct_interfaces())
    all.push_back(&index.find(name));
  if (!type.object().parent().empty()) all.push_back(&index.find(type.object().parent()));
  if (all.empty()) all.push_back(&index.find(kBaseInterface));
  // What one of them is itself; all are sidl.BaseInterface.
  std::unordered_set<std::string_view> inherited;
  for (const ir::Type* each : all) {
    const ir::Object& object = each->object();
    inherited.insert(object.ancestors().begin(), object.ancestors().end());
    inherited.insert(object.interfaces().begin(), object.interfaces().end());
    if (all.size() > 1) inherited.insert(kBaseInterface);
  }
  std::vector<const ir::Type*> bases;
  for (const ir::Type* each : all) {
    if (!inherited.contains(each->name())) bases.push_back(each);
  }
  std::ranges::sort(bases, [](const ir::Type* a, const ir::Type* b) {
    return depth(*a) != depth(*b) ? depth(*a) > depth(*b) : a->name() < b->name();
  });
  std::vector<std::string> names;
  for (const ir::Type* each : bases) names.push_back(each->name());
  return names;
}

MethodModel lower_planned(const codegen::PlannedMethod& planned, const std::string& symbol,
                          Spelling& spelling) {
  const bool is_static = planned.slot == nullptr;
  MethodModel model = lower_method(*planned.method, planned.method->long_name(), spelling);
  model.index = static_cast<int>(planned.position);
  model.epv = symbol + (is_static ? "__sepv" : "__epv");
  model.is_brief = is_static && is_brief(*planned.method);
  return model;
}

// Named as the method is in Python, and in splicer marks as in SIDL.
void lower_hooks(const ir::Method& method, MethodModel& model, Spelling& spelling) {
  const codegen::Hooks hooks = codegen::hooks_of(method);
  for (const ir::Method* hook : {&hooks.before, &hooks.after}) {
    MethodModel lowered = lower_method(*hook, hook->long_name(), spelling);
    lowered.name = model.name + hook->name().substr(method.name().size());
    model.hooks.push_back(std::move(lowered));
  }
}

void lower_methods(const TypeIndex& index, const codegen::ObjectPlan& plan, ObjectModel& model,
                   bool has_hooks, Spelling& spelling) {
  for (const codegen::PlannedMethod& planned : plan.methods) {
    // Python inherits the first, and counts references itself.
    if (planned.in_parent || planned.counts_references) continue;
    model.methods.push_back(lower_planned(planned, model.symbol, spelling));
    if (planned.slot == nullptr) continue;
    // What the first declaration promises holds for whatever implements it.
    model.methods.back().is_brief = is_brief(index.introducer_method(*planned.slot));
  }
  for (const codegen::PlannedMethod* planned : plan.implemented) {
    if (planned->passes_on) continue;  // the attributes of an exception are packed without its help
    model.impl.push_back(lower_planned(*planned, model.symbol, spelling));
    model.impl.back().indices.clear();  // an implementation gets all arguments
    if (!has_hooks) continue;
    lower_hooks(*planned->method, model.impl.back(), spelling);
  }
}

ObjectModel lower_object(const TypeIndex& index, const ir::Type& type, bool has_hooks,
                         Spelling& spelling) {
  const codegen::ObjectPlan plan = codegen::plan_object(index, type);
  ObjectModel model;
  model.type = &type;
  model.name = type.name();
  model.symbol = Namer::symbol(type.name());
  model.local = python_name(type.local_name());
  model.package = type.package();
  model.is_class = plan.is_class;
  model.is_exception = type.object().is_exception();
  model.has_contracts = codegen::has_contracts(index, type);
  // Exceptions get theirs with sidl.BaseException.
  model.needs_layout = type.name() == "sidl.BaseException" ||
                       (type.object().parent() == kBaseClass && !model.is_exception);
  model.bases = lower_bases(index, type);
  for (const std::string& base : model.bases) model.base_types.push_back(spelling.named(base));
  lower_methods(index, plan, model, has_hooks, spelling);
  return model;
}

std::string zero_of(const TypeIndex& index, const ir::TypeRef& type, Spelling& spelling) {
  if (const auto* basic = find_basic_type(type.kind())) return std::string(basic->python_zero);
  switch (type.kind()) {
    case ir::TypeRef::ENUM:
      return spelling.named(type.name()) + "." +
             enumerator_name(index.find(type.name()).enumeration().enumerators(0).name());
    case ir::TypeRef::STRUCT:
      return "dataclasses.field(default_factory=" + spelling.named(type.name()) + ")";
    default:
      return "None";
  }
}

StructModel lower_struct(const TypeIndex& index, const ir::Type& type, Spelling& spelling) {
  StructModel model;
  model.type = &type;
  model.symbol = Namer::symbol(type.name());
  model.local = python_name(type.local_name());
  model.dtype = "numpy.dtype[" + element_of_struct(index, type) + "]";
  for (const ir::Member& member : type.structure().members()) {
    if (member.name() == "dtype") model.dtype.clear();
    const std::string annotation = is_array(member.type())
                                       ? spelling.received(member.type()) + " | None"
                                       : spelling.given(member.type());
    model.members.push_back({python_name(member.name()), annotation,
                             zero_of(index, member.type(), spelling), member.doc()});
    model.enums.push_back(enum_name(member.type()));
  }
  model.enums = unless_all_empty(std::move(model.enums));
  return model;
}

EnumModel lower_enum(const ir::Type& type) {
  EnumModel model;
  model.type = &type;
  model.local = python_name(type.local_name());
  for (const ir::Enumerator& each : type.enumeration().enumerators()) {
    model.enumerators.push_back(
        {enumerator_name(each.name()), std::to_string(each.value()), each.doc()});
  }
  return model;
}

PackageModel lower_package(const TypeIndex& index, const codegen::PackagePlan& plan,
                           bool has_hooks) {
  PackageModel model;
  const std::string& name = plan.package->name();
  model.name = python_path(name);
  model.top = python_name(Namer::parts(name).front());
  model.path = model.name;
  std::ranges::replace(model.path, '.', '/');
  model.symbol_line = plan.symbol_line;
  model.source = plan.source;
  if (!plan.types.empty()) model.own_source = index.source_file(*plan.types.front());
  model.version = plan.package->version();
  model.doc = plan.package->doc();
  Spelling spelling(index, name);
  for (const ir::Type* type : plan.types) {
    if (type->has_object()) {
      model.objects.push_back(lower_object(index, *type, has_hooks, spelling));
    } else if (type->has_structure()) {
      model.structs.push_back(lower_struct(index, *type, spelling));
    } else {
      model.enums.push_back(lower_enum(*type));
    }
  }
  for (const std::string& inner : plan.inner) {
    model.inner.push_back(python_name(Namer::local(inner)));
  }
  model.imports.assign(spelling.imports().begin(), spelling.imports().end());
  return model;
}

}  // namespace

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::vector<PackageModel> lower_packages(const TypeIndex& index, bool has_hooks) {
  std::vector<codegen::PackagePlan> plans = codegen::plan_packages(index);
  std::ranges::sort(plans, {}, [](const codegen::PackagePlan& plan) -> const std::string& {
    return plan.package->name();
  });
  std::vector<PackageModel> result;
  for (const codegen::PackagePlan& plan : plans)
    result.push_back(lower_package(index, plan, has_hooks));
  std::unordered_map<const ir::Type*, int> orders;
  for (const ir::Type* type : index.generated()) {
    orders.emplace(type, static_cast<int>(orders.size()));
  }
  for (PackageModel& package : result) {
    for (ObjectModel& object : package.objects) object.order = orders.at(object.type);
  }
  return result;
}

namespace {

// Members whose values are there when the class's body names something else of their name, for the
// values of members behind them. (Tables at run time say what members are called: renaming them
// would be no help.)
void find_hiding_members(const TypeIndex& index, const ir::Type& type,
                         std::vector<codegen::Problem>& problems) {
  Spelling spelling(index, type.package());
  std::set<std::string> before;
  for (const ir::Member& member : type.structure().members()) {
    const ir::TypeRef::Kind kind = member.type().kind();
    std::vector<std::string> named;
    if (kind == ir::TypeRef::STRUCT) named.emplace_back("dataclasses");
    if (kind == ir::TypeRef::STRUCT || kind == ir::TypeRef::ENUM) {
      named.push_back(Namer::parts(spelling.named(member.type().name())).front());
    }
    for (const std::string& name : named) {
      if (!before.contains(name)) continue;
      problems.push_back({Code::PythonName, type.span(),
                          "in Python the member '" + name + "' of '" + type.name() +
                              "' hides what the type of '" + member.name() +
                              "' needs: place it behind that, or give it another name"});
    }
    before.insert(python_name(member.name()));
  }
}

}  // namespace

std::vector<codegen::Problem> find_python_problems(const TypeIndex& index) {
  std::vector<codegen::Problem> problems;
  for (const ir::Type* type : index.generated()) {
    if (type->has_structure()) find_hiding_members(index, *type, problems);
    if (!type->has_object() || !codegen::is_class(*type) || !type->object().is_exception())
      continue;
    const std::string& parent = type->object().parent();
    if (parent.empty() || parent == kBaseClass || index.find(parent).object().is_exception())
      continue;
    problems.push_back({Code::NoPythonException, type->span(),
                        "'" + type->local_name() + "' is an exception and its parent class '" +
                            parent + "' is none: Python has no such classes"});
  }
  return problems;
}

}  // namespace shinar::backends::python
