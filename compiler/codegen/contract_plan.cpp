#include "codegen/contract_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace shinar::codegen {
namespace {

// The slots of a class that serve an interface; nullptr: it is none of its interfaces.
const ir::Facet* facet_of(const ir::Type& type, const ir::Type& interface) {
  const auto& facets = type.object().facets();
  const auto found = std::ranges::find_if(
      facets, [&](const ir::Facet& facet) { return facet.interface() == interface.name(); });
  return found == facets.end() ? nullptr : &*found;
}

// Where a slot of the class is in an ancestor or an interface; -1: nowhere.
int position_in(const ir::Type& type, const ir::Type& ancestor, int slot) {
  if (is_class(ancestor)) return slot < ancestor.object().slots_size() ? slot : -1;
  const ir::Facet* facet = facet_of(type, ancestor);
  if (facet == nullptr) return -1;
  const auto found = std::ranges::find(facet->slots(), static_cast<std::uint32_t>(slot));
  return found == facet->slots().end() ? -1 : static_cast<int>(found - facet->slots().begin());
}

// The slot of the class that serves one of `declared_in`.
const ir::Slot& slot_of(const ir::Type& type, const ir::Type& declared_in, int position) {
  const ir::Facet* facet = facet_of(type, declared_in);
  const int own = facet == nullptr ? position : static_cast<int>(facet->slots(position));
  return type.object().slots(own);
}

}  // namespace

std::vector<const ir::Type*> with_ancestors(const TypeIndex& index, const ir::Type& type) {
  std::vector<const ir::Type*> result{&type};
  for (const std::string& name : type.object().ancestors()) result.push_back(&index.find(name));
  for (const std::string& name : type.object().interfaces()) result.push_back(&index.find(name));
  return result;
}

std::vector<DeclaredMethod> declarations_of(const TypeIndex& index, const ir::Type& type,
                                            int slot) {
  std::vector<DeclaredMethod> result;
  for (const ir::Type* ancestor : with_ancestors(index, type)) {
    const int at = position_in(type, *ancestor, slot);
    if (at < 0) continue;
    const ir::Slot& declared = ancestor->object().slots(at);
    if (declared.owner() != ancestor->name()) continue;
    result.push_back({ancestor, &index.owner_method(declared)});
  }
  return result;
}

bool has_contracts(const TypeIndex& index, const ir::Type& type) {
  if (!is_class(type)) return false;
  return std::ranges::any_of(with_ancestors(index, type), [&](const ir::Type* each) {
    const bool inherits_statics = each == &type;
    return each->object().invariants_size() > 0 ||
           std::ranges::any_of(each->object().methods(), [&](const ir::Method& method) {
             const bool counts = inherits_statics || !method.is_static();
             return counts && (method.require_size() > 0 || method.ensure_size() > 0);
           });
  });
}

ContractCallee contract_callee(const TypeIndex& index, const ir::Type& type,
                               const ir::Type& declared_in, const std::string& name) {
  const ir::Object& declaring = declared_in.object();
  for (int i = 0; i < declaring.slots_size(); ++i) {
    const ir::Slot& slot = declaring.slots(i);
    if (index.slot_name(slot) != name) continue;
    return {&index.owner_method(slot), &slot_of(type, declared_in, i), nullptr};
  }
  for (const ir::Type* holder = &declared_in;;) {
    for (const ir::Method* method : index.statics(*holder)) {
      if (method->long_name() == name) return {method, nullptr, holder};
    }
    if (holder->object().parent().empty()) break;
    holder = &index.find(holder->object().parent());
  }
  throw std::logic_error("a contract calls no method of its type");
}

}  // namespace shinar::codegen
