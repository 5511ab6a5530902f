// Shared by the files of the comparison; others use diff.hpp.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/diff.hpp"

namespace shinar::ir {

class Findings {
 public:
  // In the old version for removed items, in the new one for others.
  void gone(Rule rule, const Span& span, std::string message) {
    changes_.push_back({rule, std::move(message), true, span});
  }
  void changed(Rule rule, const Span& span, std::string message) {
    changes_.push_back({rule, std::move(message), false, span});
  }
  std::vector<Change> take() { return std::move(changes_); }

 private:
  std::vector<Change> changes_;
};

class TypeTable {
 public:
  explicit TypeTable(const Module& module) {
    for (const Type& type : module.types()) types_.emplace(type.name(), &type);
  }
  const Type* find(std::string_view name) const {
    const auto found = types_.find(name);
    return found == types_.end() ? nullptr : found->second;
  }

 private:
  std::unordered_map<std::string_view, const Type*> types_;
};

// The items of a list, which must outlive this, by name.
template <typename Item>
class Named {
 public:
  explicit Named(const google::protobuf::RepeatedPtrField<Item>& list) {
    for (const Item& item : list) items_.emplace(item.name(), &item);
  }
  const Item* find(std::string_view name) const {
    const auto found = items_.find(name);
    return found == items_.end() ? nullptr : found->second;
  }
  bool contains(std::string_view name) const { return items_.contains(name); }

 private:
  std::unordered_map<std::string_view, const Item*> items_;
};

// Two enums or two structs.
void compare_values(const Type& before, const Type& after, Findings& findings);

// Two classes or two interfaces.
void compare_objects(const Type& before, const TypeTable& old_types, const Type& after,
                     const TypeTable& new_types, Findings& findings);

// "n, m + 1", of a raw array; `names` are those of the arguments or members.
std::string extents_text(const TypeRef& type, const std::vector<std::string_view>& names);

}  // namespace shinar::ir
