#include "backends/fortran/module_groups.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "backends/fortran/names.hpp"
#include "codegen/components.hpp"
#include "codegen/nonblocking.hpp"

namespace shinar::backends::fortran {

using codegen::TypeIndex;

std::vector<std::string> mentions_of(const TypeIndex& index, const ir::Type& type) {
  codegen::TypeMentions mentions;
  for (const ir::Member& member : type.structure().members()) mentions.add(member.type());
  if (!type.has_object()) return mentions.names();
  const ir::Object& object = type.object();
  // Every stub has an exception among its arguments.
  for (const char* name : {"sidl.BaseInterface", "sidl.BaseException"}) mentions.add(name);
  if (!object.parent().empty()) mentions.add(object.parent());
  for (const std::string& name : object.direct_interfaces()) mentions.add(name);
  const codegen::ObjectPlan plan = codegen::plan_object(index, type);
  bool has_halves = false;
  for (const codegen::PlannedMethod& planned : plan.methods) {
    mentions.add(*planned.method);
    has_halves = has_halves || planned.method->nonblocking();
  }
  if (has_halves) mentions.add(codegen::kTicketType);
  return mentions.names();
}

std::vector<std::string> array_structs_of(const TypeIndex& index, const ir::Type& type) {
  codegen::TypeMentions elements;
  bool may_be_any = false;
  const auto add = [&](const ir::TypeRef& value) {
    if (value.kind() != ir::TypeRef::ARRAY) return;
    if (!value.has_element()) may_be_any = true;
    if (value.element().kind() == ir::TypeRef::STRUCT) elements.add(value.element());
  };
  for (const ir::Member& member : type.structure().members()) add(member.type());
  if (type.has_object()) {
    const codegen::ObjectPlan plan = codegen::plan_object(index, type);
    for (const codegen::PlannedMethod& planned : plan.methods) {
      add(planned.method->result());
      for (const ir::Argument& argument : planned.method->arguments()) add(argument.type());
    }
  }
  if (!may_be_any) return elements.names();
  for (const std::string& name : mentions_of(index, type)) {
    if (index.find(name).has_structure()) elements.add(name);
  }
  return elements.names();
}

Groups::Groups(const TypeIndex& index) {
  const auto& types = index.module().types();
  std::unordered_map<std::string_view, std::size_t> numbers;
  for (const ir::Type& type : types) numbers.emplace(type.name(), numbers.size());
  codegen::Graph needs;
  for (const ir::Type& type : types) {
    needs.emplace_back();
    for (const std::string& other : mentions_of(index, type)) {
      needs.back().push_back(numbers.at(other));
    }
  }
  for (const std::vector<std::size_t>& component : codegen::components(needs)) {
    add(component, types);
  }
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const ir::Type& type : types) {
    const std::string& module = module_of(type.name());
    if (seen.emplace(type.package(), module).second) {
      modules_of_[type.package()].push_back(module);
    }
  }
}

void Groups::add(std::vector<std::size_t> numbers,
                 const google::protobuf::RepeatedPtrField<ir::Type>& types) {
  std::ranges::sort(numbers);
  std::vector<const ir::Type*> group;
  for (const std::size_t number : numbers) group.push_back(&types[static_cast<int>(number)]);
  const ir::Type& first = **std::ranges::min_element(group, {}, &ir::Type::name);
  const std::string name = member_of(first.name(), "m");
  for (const ir::Type* type : group) {
    modules_.emplace(type->name(), name);
    groups_of_[type->package()].insert(groups_.size());
  }
  groups_.push_back(std::move(group));
}

std::vector<std::vector<codegen::PackagePlan>> files_of(const TypeIndex& index,
                                                        const Groups& groups) {
  std::map<std::string_view, std::set<std::string_view>> needs;
  for (const std::vector<const ir::Type*>& group : groups.all()) {
    // In a circle: that is enough to reach all from each.
    const ir::Type* before = group.back();
    for (const ir::Type* type : group) {
      std::set<std::string_view>& own = needs[type->package()];
      for (const std::string& other : mentions_of(index, *type)) {
        own.insert(index.find(other).package());
      }
      own.insert(std::exchange(before, type)->package());
    }
  }
  const auto& packages = index.module().packages();
  std::unordered_map<std::string_view, std::size_t> numbers;
  for (const ir::Package& package : packages) numbers.emplace(package.name(), numbers.size());
  codegen::Graph graph(numbers.size());
  for (const auto& [name, others] : needs) {
    for (const std::string_view other : others) {
      graph[numbers.at(name)].push_back(numbers.at(other));
    }
  }
  std::unordered_map<std::size_t, codegen::PackagePlan> plans;  // of those to generate
  for (codegen::PackagePlan& plan : codegen::plan_packages(index)) {
    if (plan.types.empty()) continue;
    const std::size_t number = numbers.at(plan.package->name());
    plans.emplace(number, std::move(plan));
  }
  std::map<std::size_t, std::vector<codegen::PackagePlan>> files;  // by the first package
  for (std::vector<std::size_t> component : codegen::components(graph)) {
    std::erase_if(component, [&](std::size_t number) { return !plans.contains(number); });
    std::ranges::sort(component);
    for (const std::size_t number : component) {
      files[component.front()].push_back(std::move(plans.at(number)));
    }
  }
  std::vector<std::vector<codegen::PackagePlan>> result;
  for (auto& [first, file] : files) result.push_back(std::move(file));
  return result;
}

}  // namespace shinar::backends::fortran
