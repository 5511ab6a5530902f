#include "codegen/plan.hpp"

#include <algorithm>
#include <unordered_set>

#include "codegen/nonblocking.hpp"

namespace shinar::codegen {
namespace {

bool is_root(std::string_view type) {
  return type == kBaseInterface || type == kBaseClass;
}

Origin origin_of(const ir::Type& type, const ir::Slot& slot) {
  if (slot.introducer() == type.name()) return Origin::introduced;
  return slot.owner() == type.name() ? Origin::redeclared : Origin::inherited;
}

PlannedMethod plan_method(const ir::Type& type, const ir::Method& method, const ir::Slot* slot,
                          std::size_t position) {
  PlannedMethod plan;
  plan.type = &type;
  plan.method = &method;
  plan.slot = slot;
  plan.position = position;
  if (slot == nullptr) return plan;
  plan.origin = origin_of(type, *slot);
  plan.of_every_object = slot->introducer() == kBaseInterface && is_root(slot->owner());
  plan.counts_references = plan.of_every_object && position < kCountingSlots;
  return plan;
}

// Exceptions travel by value. One that has methods of its own has data for them, as a rule, and
// these arrive if its Impl packs them, whether its SIDL says so or not.
void plan_packing(const TypeIndex& index, ObjectPlan& plan) {
  const bool has_own = std::ranges::any_of(
      plan.implemented, [](const PlannedMethod* each) { return each->slot != nullptr; });
  if (!plan.is_exception || !has_own) return;
  for (PlannedMethod& each : plan.methods) {
    const bool packs = each.slot != nullptr && each.slot->introducer() == "sidl.io.Serializable" &&
                       each.origin == Origin::inherited && !each.slot->abstract();
    if (!packs || index.owner_method(*each.slot).final()) continue;
    each.is_implemented = each.overrides = each.passes_on = true;
    plan.implemented.push_back(&each);
  }
}

}  // namespace

std::string PlannedMethod::info() const {
  return slot == nullptr ? static_info(*type, position) : slot_info(*type, position);
}

std::span<const PlannedMethod> ObjectPlan::instance_methods() const {
  return std::span(methods).first(static_cast<std::size_t>(type->object().slots_size()));
}

std::span<const PlannedMethod> ObjectPlan::static_methods() const {
  return std::span(methods).subspan(static_cast<std::size_t>(type->object().slots_size()));
}

ObjectPlan plan_object(const TypeIndex& index, const ir::Type& type) {
  ObjectPlan plan;
  plan.type = &type;
  plan.parent = index.first_parent(type);
  plan.is_class = is_class(type);
  plan.is_concrete = plan.is_class && !type.object().abstract();
  plan.is_exception = plan.is_class && type.object().is_exception();
  plan.methods.reserve(static_cast<std::size_t>(type.object().slots_size()) +
                       static_cast<std::size_t>(type.object().methods_size()));
  for (const ir::Slot& slot : type.object().slots()) {
    plan.methods.push_back(plan_method(type, index.owner_method(slot), &slot, plan.methods.size()));
  }
  const std::size_t slots = plan.methods.size();
  const int inherited = plan.parent == nullptr ? 0 : plan.parent->object().slots_size();
  for (PlannedMethod& each : std::span(plan.methods).first(static_cast<std::size_t>(inherited))) {
    each.in_parent = true;
  }
  for (const ir::Method* method : index.statics(type)) {
    plan.methods.push_back(plan_method(type, *method, nullptr, plan.methods.size() - slots));
  }
  if (!plan.is_class) return plan;
  for (const ir::Method& method : type.object().methods()) {
    if (method.abstract()) continue;
    const std::size_t first = method.is_static() ? slots : 0;
    PlannedMethod& planned = plan.methods[first + index.own_position(method)];
    planned.is_implemented = true;
    planned.overrides = !method.is_static() && index.parent_implements(type, method);
    plan.implemented.push_back(&planned);
  }
  plan_packing(index, plan);
  return plan;
}

std::vector<PlannedMethod> inherited_statics(const TypeIndex& index, const ObjectPlan& plan) {
  std::unordered_set<std::string_view> names;
  for (const PlannedMethod& each : plan.methods) names.insert(each.method->long_name());
  std::vector<PlannedMethod> result;
  std::string_view name = plan.type->object().parent();
  while (!name.empty()) {
    const ir::Type& ancestor = index.find(name);
    std::size_t position = 0;
    for (const ir::Method* method : index.statics(ancestor)) {
      const std::size_t own = position++;
      if (!names.insert(method->long_name()).second) continue;
      result.push_back(plan_method(ancestor, *method, nullptr, own));
    }
    name = ancestor.object().parent();
  }
  return result;
}

std::vector<PackagePlan> plan_packages(const TypeIndex& index) {
  std::vector<PackagePlan> result;
  for (const ir::Package& package : index.module().packages()) {
    PackagePlan plan;
    plan.package = &package;
    plan.symbol_line = "package " + package.name();
    if (!package.version().empty()) plan.symbol_line += " " + package.version();
    for (const ir::Type* type : index.generated()) {
      const bool own = type->package() == package.name();
      const bool inner = type->package().starts_with(package.name() + ".");
      if ((own || inner) && plan.source.empty()) plan.source = index.source_file(*type);
      if (own) plan.types.push_back(type);
    }
    plan.inner = index.inner_packages(package.name());
    if (!plan.types.empty() || !plan.inner.empty()) result.push_back(std::move(plan));
  }
  return result;
}

}  // namespace shinar::codegen
