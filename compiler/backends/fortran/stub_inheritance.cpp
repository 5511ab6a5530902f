#include "backends/fortran/stub_inheritance.hpp"

namespace shinar::backends::fortran {

using codegen::TypeIndex;

// Distances of a type are those of its parent plus one.
const std::vector<int>& StubInheritance::of(const ir::Type& type) {
  std::vector<const ir::Type*> line;
  for (const ir::Type* at = &type; at != nullptr && !distances_.contains(at);
       at = index_.first_parent(*at)) {
    line.push_back(at);
  }
  for (auto at = line.rbegin(); at != line.rend(); ++at) add(**at);
  return distances_.at(&type);
}

void StubInheritance::add(const ir::Type& type) {
  const ir::Type* const parent = index_.first_parent(type);
  const auto& slots = type.object().slots();
  std::vector<int> distances(static_cast<std::size_t>(slots.size()), 0);
  for (int i = 0; parent != nullptr && i < slots.size(); ++i) {
    const auto& above = parent->object().slots();
    if (i >= above.size() || index_.slot_name(above[i]) != index_.slot_name(slots[i])) continue;
    distances[static_cast<std::size_t>(i)] = distances_.at(parent)[static_cast<std::size_t>(i)] + 1;
  }
  distances_.emplace(&type, std::move(distances));
}

}  // namespace shinar::backends::fortran
