#include "backends/fortran/stub_ages.hpp"

namespace shinar::backends::fortran {

using codegen::TypeIndex;

// Each type is one generation from its parent, so what is known of that is enough.
const std::vector<int>& StubAges::of(const ir::Type& type) {
  std::vector<const ir::Type*> line;
  for (const ir::Type* at = &type; at != nullptr && !ages_.contains(at);
       at = index_.first_parent(*at)) {
    line.push_back(at);
  }
  for (auto at = line.rbegin(); at != line.rend(); ++at) add(**at);
  return ages_.at(&type);
}

void StubAges::add(const ir::Type& type) {
  const ir::Type* const parent = index_.first_parent(type);
  const auto& slots = type.object().slots();
  std::vector<int> ages(static_cast<std::size_t>(slots.size()), 0);
  for (int i = 0; parent != nullptr && i < slots.size(); ++i) {
    const auto& above = parent->object().slots();
    if (i >= above.size() || index_.slot_name(above[i]) != index_.slot_name(slots[i])) continue;
    ages[static_cast<std::size_t>(i)] = ages_.at(parent)[static_cast<std::size_t>(i)] + 1;
  }
  ages_.emplace(&type, std::move(ages));
}

}  // namespace shinar::backends::fortran
