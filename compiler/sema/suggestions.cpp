#include "sema/suggestions.hpp"

#include <algorithm>
#include <array>

#include "diagnostics/spelling.hpp"

namespace shinar::sema {
namespace {

constexpr auto kBasicTypes = std::to_array<std::string_view>({
#define SIDL_BASIC_TYPE(identifier, token, kind, name, number, bytes, alignment) name,
#include "frontend/basic_types.def"
#undef SIDL_BASIC_TYPE
    "void",
});

// Types of other languages that are not similar to ours.
struct Foreign {
  std::string_view name;
  std::string_view meant;
};
constexpr auto kForeign = std::to_array<Foreign>({{"boolean", "bool"},
                                                  {"byte", "char"},
                                                  {"complex", "dcomplex"},
                                                  {"complex128", "dcomplex"},
                                                  {"complex64", "fcomplex"},
                                                  {"float32", "float"},
                                                  {"float64", "double"},
                                                  {"int16_t", "int"},
                                                  {"int32", "int"},
                                                  {"int32_t", "int"},
                                                  {"int64", "long"},
                                                  {"int64_t", "long"},
                                                  {"int8_t", "int"},
                                                  {"integer", "int"},
                                                  {"number", "double"},
                                                  {"object", "sidl.BaseInterface"},
                                                  {"Object", "sidl.BaseInterface"},
                                                  {"octet", "char"},
                                                  {"real", "double"},
                                                  {"short", "int"},
                                                  {"size_t", "long"},
                                                  {"str", "string"},
                                                  {"uint32_t", "long"},
                                                  {"uint8_t", "int"},
                                                  {"wstring", "string"}});

// Each search compares with every type; with more unknown names suggestions do not help.
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
  const auto* foreign = std::ranges::find(kForeign, name.text(), &Foreign::name);
  if (foreign != kForeign.end()) return std::string(foreign->meant);
  const std::pair key(name.text(), &from);
  const auto known = found_.find(key);
  if (known != found_.end()) return known->second;
  if (found_.size() == kMostSearches) return std::nullopt;
  return found_.emplace(key, similar(name, from)).first->second;
}

}  // namespace shinar::sema
