#include "backends/fortran/lower.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "backends/fortran/lower_object.hpp"
#include "backends/fortran/module_groups.hpp"
#include "backends/fortran/names.hpp"
#include "backends/fortran/stub_inheritance.hpp"
#include "backends/fortran/values.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::fortran {
namespace {

using codegen::Namer;
using codegen::Problem;
using codegen::TypeIndex;
using ir::Argument;
using ir::TypeRef;

void add_unique(std::vector<std::string>& list, const std::string& text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(text);
}

// ---- values -----------------------------------------------------------------------------------

StructModel lower_struct(const TypeIndex& index, const ir::Type& type) {
  StructModel model;
  model.type = &type;
  model.symbol = Namer::symbol(type.name());
  model.fortran = shorten(model.symbol);
  model.checks = index.has_raw_members(type.name());
  std::vector<std::string> names;
  for (const ir::Member& member : type.structure().members()) {
    names.push_back(shorten(member.name(), kLongestName - 9));
  }
  for (int i = 0; i < type.structure().members_size(); ++i) {
    const ir::Member& member = type.structure().members(i);
    model.members.push_back(
        member_value(index, type.name(), names[static_cast<std::size_t>(i)], member.type(), names));
    model.members.back().doc = member.doc();
    model.members.back().name = names[static_cast<std::size_t>(i)];
  }
  model.counts = has_handles(index, type.name());
  model.is_plain = is_plain(index, type.name());
  model.is_interoperable = is_interoperable(index, type.name());
  model.has_arrays = index.is_array_element(type.name());
  model.is_foreign = type.external();
  model.assign = "assign";
  const auto is_member = [&](const std::string& name) {
    return std::ranges::any_of(names,
                               [&](const std::string& each) { return lower_case(each) == name; });
  };
  while (is_member(model.assign)) model.assign += "_";
  return model;
}

// What generated code needs for arrays of the struct.
std::vector<std::string> array_parts(const StructModel& model) {
  std::vector<std::string> names;
  const auto add = [&](const char* part) {
    names.push_back(array_part(model.type->name(), model.is_foreign, part));
  };
  add(model.is_plain ? "point" : "take");
  if (model.checks) add("put");
  return names;
}

// And what users need.
std::vector<std::string> array_exports(const StructModel& model) {
  std::vector<std::string> names = {"sidl_make_structs", "sidl_get", "sidl_set"};
  if (model.is_plain) {
    names.insert(names.end(), {"sidl_view_array", "sidl_allocate", "sidl_free"});
  }
  for (std::string& name : array_parts(model)) names.push_back(std::move(name));
  return names;
}

// What generated code needs of the struct itself.
std::vector<std::string> struct_parts(const StructModel& model) {
  std::vector<std::string> names = {model.fortran};
  for (const char* part : {"data", "to_c", "from_c", "info"}) {
    names.push_back(member_of(model.type->name(), part));
  }
  return names;
}

// What users of the struct need, and generated code.
std::vector<std::string> struct_exports(const StructModel& model) {
  std::vector<std::string> names = struct_parts(model);
  if (model.counts) names.push_back(member_of(model.type->name(), "finalise"));
  if (!model.has_arrays) return names;
  for (std::string& name : array_exports(model)) names.push_back(std::move(name));
  return names;
}

EnumModel lower_enum(const ir::Type& type) {
  EnumModel model;
  model.type = &type;
  for (const ir::Enumerator& each : type.enumeration().enumerators()) {
    const std::string name = shorten(Namer::symbol(type.name()) + "_" + each.name());
    model.constants.push_back("integer(sidl_enum), parameter, public :: " + name + " = " +
                              std::to_string(each.value()) + "_sidl_enum");
  }
  return model;
}

// ---- modules ----------------------------------------------------------------------------------

void check_methods(const TypeIndex& index, const ir::Type& type, std::vector<Problem>& problems) {
  NameCheck check(problems);
  const auto add = [&](const ir::Method& method) {
    check.add(binding(method.long_name()), method.long_name(), method.span());
  };
  const codegen::ObjectPlan plan = codegen::plan_object(index, type);
  for (const codegen::PlannedMethod& planned : plan.methods) add(*planned.method);
}

class FileLowering {
 public:
  FileLowering(const TypeIndex& index, const Groups& groups, StubInheritance& distances,
               std::vector<codegen::PackagePlan> packages, const codegen::Request& request,
               std::vector<Problem>& problems)
      : index_(index),
        groups_(groups),
        distances_(distances),
        packages_(std::move(packages)),
        request_(request),
        problems_(problems) {}

  FileModel run() {
    file_.name = shorten(Namer::symbol(packages_.front().package->name()));
    file_.symbol = packages_.front().symbol_line;
    file_.source = packages_.front().source;
    std::set<std::size_t> groups;
    for (const codegen::PackagePlan& plan : packages_) {
      file_.packages.push_back(lower_package(*plan.package));
      const std::set<std::size_t>& numbers = groups_.groups_of(plan.package->name());
      groups.insert(numbers.begin(), numbers.end());
    }
    for (const std::size_t number : groups) {
      ModuleModel module = lower_module(groups_.all()[number]);
      if (!module.exports.empty() || !module.enums.empty()) {
        for (ModuleModel& each : foreign_) file_.modules.push_back(std::move(each));
        file_.modules.push_back(std::move(module));
      }
      foreign_.clear();
    }
    return std::move(file_);
  }

 private:
  bool is_here(const std::string& package) const {
    return std::ranges::any_of(packages_, [&](const codegen::PackagePlan& plan) {
      return plan.package->name() == package;
    });
  }

  PackageModel lower_package(const ir::Package& package) const {
    PackageModel model;
    model.name = shorten(Namer::symbol(package.name()));
    model.doc = package.doc();
    model.is_standard_library = package.name() == "sidl";
    // Those that another library has are among them: the last one made of a package has all.
    model.uses = groups_.modules_of(package.name());
    return model;
  }

  ModuleModel lower_module(const std::vector<const ir::Type*>& group) {
    ModuleModel module;
    module.name = groups_.module_of(group.front()->name());
    for (const ir::Type* type : group) {
      if (!type->external() && is_here(type->package())) add(*type, module);
    }
    return module;
  }

  // Users of a struct need the names of its members' types.
  std::vector<std::string> with_members(std::vector<std::string> names) const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const ir::Type& type = index_.find(names[i]);
      if (!type.has_structure()) continue;
      for (const std::string& name : mentions_of(index_, type)) add_unique(names, name);
    }
    return names;
  }

  // What arrays of foreign structs need, in modules of their own, ahead of those that use them: the
  // modules of the structs may have the same or may not, and users choose what they use. The lines
  // behind `use`.
  std::vector<std::string> foreign_arrays(const ir::Type& type) {
    std::vector<std::string> uses;
    for (const std::string& name : array_structs_of(index_, type)) {
      const ir::Type& element = index_.find(name);
      if (!element.external()) continue;
      const StructModel model = lower_struct(index_, element);
      const std::string place = shorten(member_of(file_.name, model.symbol));
      add_unique(uses, place + ", only: " + codegen::join(array_parts(model)));
      if (!known_foreign_.insert(name).second) continue;
      ModuleModel module;
      module.name = place;
      module.uses = {groups_.module_of(name) + ", only: " + codegen::join(struct_parts(model))};
      module.exports = array_exports(model);
      module.structs.push_back(model);
      foreign_.push_back(std::move(module));
    }
    return uses;
  }

  void add(const ir::Type& type, ModuleModel& module) {
    for (const std::string& name : mentions_of(index_, type)) {
      if (index_.find(name).has_enumeration()) continue;  // numbers, by whatever name
      const std::string& other = groups_.module_of(name);
      if (other != module.name) add_unique(module.uses, other);
    }
    const std::string fortran = shorten(Namer::symbol(type.name()));
    if (type.has_enumeration()) {
      module.enums.push_back(lower_enum(type));
    } else if (type.has_structure()) {
      foreign_arrays(type);  // for users: members are SIDL arrays
      module.structs.push_back(lower_struct(index_, type));
      for (const std::string& name : struct_exports(module.structs.back())) {
        add_unique(module.exports, name);
      }
    } else {
      // Only of what this run makes: modules that another sidlc made may export less.
      const auto knows = [&](const ir::Type& other) {
        const std::string& place = groups_.module_of(other.name());
        return !other.external() && is_here(other.package()) &&
               (place == module.name || std::ranges::find(module.uses, place) != module.uses.end());
      };
      ObjectModel object = lower_object(index_, type, distances_.of(type), knows,
                                        request_.implements(type), request_.hooks, problems_);
      object.skel_uses = foreign_arrays(type);
      for (const std::string& name : object.skel_uses) add_unique(module.uses, name);
      object.impl_uses = {"sidl", module.name};
      for (const std::string& name : with_members(mentions_of(index_, type))) {
        // `sidl` has them
        if (index_.find(name).package() == "sidl") continue;
        add_unique(object.impl_uses, groups_.module_of(name));
      }
      for (const ir::Method& method : type.object().methods()) {
        for (const std::string& name : method.throws()) {
          if (index_.find(name).package() == "sidl") continue;
          add_unique(object.impl_uses, groups_.module_of(name));
        }
      }
      module.exports.push_back(fortran);
      module.exports.push_back(member_of(type.name(), "info"));
      if (shares_functions(type)) {
        for (const Procedure& each : object.abstracts) module.exports.push_back(each.abstract);
      }
      module.objects.push_back(std::move(object));
    }
  }

  const TypeIndex& index_;
  const Groups& groups_;
  StubInheritance& distances_;
  std::vector<codegen::PackagePlan> packages_;
  const codegen::Request& request_;
  std::vector<Problem>& problems_;
  FileModel file_;
  std::vector<ModuleModel> foreign_;  // of the module at hand
  std::set<std::string> known_foreign_;
};

}  // namespace

std::vector<FileModel> lower_files(const TypeIndex& index, const codegen::Request& request,
                                   std::vector<Problem>& problems) {
  std::vector<FileModel> result;
  NameCheck types(problems);
  for (const ir::Type* type : index.generated()) {
    types.add(shorten(Namer::symbol(type->name())), type->name(), type->span());
    if (type->has_object()) check_methods(index, *type, problems);
  }
  const Groups groups(index);
  StubInheritance distances(index);
  for (std::vector<codegen::PackagePlan>& packages : files_of(index, groups)) {
    result.push_back(
        FileLowering(index, groups, distances, std::move(packages), request, problems).run());
  }
  return result;
}

}  // namespace shinar::backends::fortran
