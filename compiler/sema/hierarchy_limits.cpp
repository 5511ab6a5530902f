// Limits of the depth and size of hierarchies. Every type has a table of all methods it inherits,
// so a long chain of types, or many types that inherit many methods, could exhaust memory.

#include <algorithm>
#include <unordered_map>

#include "sema/context.hpp"

namespace shinar::sema {
namespace {

constexpr std::size_t kMostLevels = 1'000;
constexpr std::size_t kMostEntries = 10'000'000;

std::size_t level_of(const model::Type& type,
                     const std::unordered_map<const model::Type*, std::size_t>& levels) {
  std::size_t level = type.parent == nullptr ? 0 : levels.at(type.parent) + 1;
  for (const model::Type* interface : type.direct_interfaces) {
    level = std::max(level, levels.at(interface) + 1);
  }
  return level;
}

void report_level(const model::Type& type, Diagnostics& diagnostics) {
  diagnostics.report(Code::TooDeepHierarchy, type.span,
                     in_quotes(type.local_name) + " exceeds the limit of " +
                         std::to_string(kMostLevels) + " levels of inheritance");
}

}  // namespace

// Types that inherit from one that is too deep are dropped with it.
void limit_levels(Context& context) {
  std::unordered_map<const model::Type*, std::size_t> levels;
  std::vector<model::Type*> order;
  for (model::Type* type : context.model.order) {
    const std::size_t level = level_of(*type, levels);
    levels.emplace(type, level);
    if (level == kMostLevels + 1) report_level(*type, context.diagnostics);
    if (level <= kMostLevels) {
      order.push_back(type);
    } else {
      type->is_broken = true;
    }
  }
  context.model.order = std::move(order);
}

bool TableBudget::take(const model::Type& type) {
  // Weighted by memory use; a method declared by implements-all is a copy.
  entries_ += type.slots.size() + 3 * type.interfaces.size() + type.ancestors.size();
  for (const auto& method : type.methods) entries_ += method->from_implements_all ? 20 : 0;
  if (entries_ <= kMostEntries) return true;
  diagnostics_
      .report(Code::TooManyInherited, type.span,
              "the input types inherit too much: the method tables of those up to " +
                  in_quotes(type.local_name) + " exceed the limit of " +
                  std::to_string(kMostEntries) + " entries")
      .note(std::nullopt,
            "a type's table has an entry for each method, interface and class it "
            "inherits, including those of its parents");
  return false;
}

}  // namespace shinar::sema
