#include "ir/diff.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "ir/diff_parts.hpp"
#include "sema/versions.hpp"

namespace shinar::ir {
namespace {

constexpr auto kRules = std::to_array<RuleInfo>({
#define BREAKING_RULE(id, breaks, summary) {#id, breaks, summary},
#include "ir/breaking_rules.def"
#undef BREAKING_RULE
});

std::string kind_of(const Type& type) {
  if (type.has_enumeration()) return "an enum";
  if (type.has_structure()) return "a struct";
  return type.object().kind() == Object::CLASS ? "a class" : "an interface";
}

std::unordered_set<std::string_view> packages_with_types(const Module& module) {
  std::unordered_set<std::string_view> result;
  for (const Type& type : module.types()) {
    if (!type.external()) result.insert(type.package());
  }
  return result;
}

// Returns the removed packages: their types are not reported individually.
std::unordered_set<std::string_view> compare_packages(const Module& before, const Module& after,
                                                      Findings& findings) {
  const auto old_packages = packages_with_types(before);
  const auto new_packages = packages_with_types(after);
  const Named<Package> present_packages(after.packages());
  std::unordered_set<std::string_view> gone;
  for (const Package& item : before.packages()) {
    if (!old_packages.contains(item.name())) continue;
    const std::string what = "the package '" + item.name() + "'";
    if (!new_packages.contains(item.name())) {
      gone.insert(item.name());
      findings.gone(Rule::PACKAGE_DELETED, item.span(), what + " is gone");
      continue;
    }
    const Package& present = *present_packages.find(item.name());
    if (sema::earlier_version(present.version(), item.version())) {
      findings.changed(Rule::PACKAGE_VERSION_LOWERED, present.span(),
                       what + " has version " + present.version() + ", and had " + item.version());
    }
    if (present.final() && !item.final()) {
      findings.changed(Rule::PACKAGE_FINAL_ADDED, present.span(), what + " is final now");
    }
  }
  return gone;
}

}  // namespace

const RuleInfo& info(Rule rule) {
  return kRules[static_cast<std::size_t>(rule)];
}

std::vector<Change> breaking_changes(const Module& before, const Module& after) {
  Findings findings;
  const TypeTable old_types(before);
  const TypeTable new_types(after);
  const auto gone = compare_packages(before, after, findings);
  for (const Type& item : before.types()) {
    if (item.external() || gone.contains(item.package())) continue;
    const Type* present = new_types.find(item.name());
    if (present == nullptr || present->external()) {
      findings.gone(Rule::TYPE_DELETED, item.span(), "the type '" + item.name() + "' is gone");
    } else if (kind_of(item) != kind_of(*present)) {
      findings.changed(
          Rule::TYPE_KIND_CHANGED, present->span(),
          "'" + item.name() + "' is " + kind_of(*present) + ", and was " + kind_of(item));
    } else if (item.has_object()) {
      compare_objects(item, old_types, *present, new_types, findings);
    } else {
      compare_values(item, *present, findings);
    }
  }
  return findings.take();
}

}  // namespace shinar::ir
