#include "sema/suggestions.hpp"

#include <array>

#include "diagnostics/spelling.hpp"

namespace shinar::sema {
namespace {

constexpr auto kBasicTypes =
    std::to_array<std::string_view>({"bool", "char", "int", "long", "float", "double", "fcomplex",
                                     "dcomplex", "string", "opaque", "void"});

// Each costs a comparison with every type. Who has so many unknown names has another problem.
constexpr std::size_t kMostSearches = 100;

}  // namespace

void Suggestions::collect(const Scope& scope) {
  for (const auto& [key, entry] : scope.entries) {
    if (entry.type != nullptr) {
      by_local_.emplace(entry.name, all_.size());
      all_.push_back(entry.type->name);
    }
    if (entry.package != nullptr) collect(*entry.package);
  }
}

std::optional<std::string> Suggestions::similar(const ast::ScopedName& name, const Scope& from) {
  if (name.absolute || name.parts.size() > 1) {
    const std::string text = name.text();
    const auto meant = closest(name.absolute ? std::string_view(text).substr(1) : text, all_);
    return meant && name.absolute ? "." + *meant : meant;
  }
  std::vector<std::string> names(kBasicTypes.begin(), kBasicTypes.end());
  for (const Scope* scope = &from; scope != nullptr; scope = scope->outer) {
    for (const auto& [key, entry] : scope->entries) {
      if (entry.type != nullptr) names.push_back(entry.name);
    }
  }
  return closest(name.text(), names);
}

// The right name in another package is a better guess than a similar one here.
std::optional<std::string> Suggestions::find(const ast::ScopedName& name, const Scope& from) {
  if (all_.empty()) collect(root_);
  const auto elsewhere = by_local_.find(name.parts.back().text);
  if (elsewhere != by_local_.end()) return all_[elsewhere->second];
  const std::pair key(name.text(), &from);
  const auto known = found_.find(key);
  if (known != found_.end()) return known->second;
  if (found_.size() == kMostSearches) return std::nullopt;
  return found_.emplace(key, similar(name, from)).first->second;
}

}  // namespace shinar::sema
