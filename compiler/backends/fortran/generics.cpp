#include "backends/fortran/generics.hpp"

#include <algorithm>
#include <map>

#include "backends/fortran/names.hpp"

namespace shinar::backends::fortran {
namespace {

constexpr std::string_view kObject = "object ";

bool is_kind_of(const codegen::TypeIndex& index, const std::string& child,
                const std::string& parent) {
  if (child == parent || parent == "sidl.BaseInterface") return true;
  const ir::Object& object = index.find(child).object();
  return std::ranges::find(object.ancestors(), parent) != object.ancestors().end() ||
         std::ranges::find(object.interfaces(), parent) != object.interfaces().end();
}

// Whether Fortran tells the two apart as arguments: by type, kind and rank, or because one is
// allocatable and the other a pointer.
bool are_distinct(const codegen::TypeIndex& index, const Value& a, const Value& b) {
  if (!a.attribute.empty() && !b.attribute.empty() && a.attribute != b.attribute) return true;
  if (!a.category.starts_with(kObject) || !b.category.starts_with(kObject)) {
    return a.category != b.category;
  }
  const std::string left = a.category.substr(kObject.size());
  const std::string right = b.category.substr(kObject.size());
  return !is_kind_of(index, left, right) && !is_kind_of(index, right, left);
}

// What every stub has at its end, which counts as an argument of the other one.
const Value& exception() {
  static const Value value = [] {
    Value result;
    result.category = std::string(kObject) + "sidl.BaseException";
    return result;
  }();
  return value;
}

// The first rule of Fortran 2018, 15.4.3.4.5: more arguments of some kind than the other has that
// could be taken for it.
bool has_more(const codegen::TypeIndex& index, const Procedure& a, const Procedure& b) {
  return std::ranges::any_of(a.arguments, [&](const Value& argument) {
    const auto own = std::ranges::count_if(
        a.arguments, [&](const Value& v) { return !are_distinct(index, argument, v); });
    const auto others = std::ranges::count_if(
        b.arguments, [&](const Value& v) { return !are_distinct(index, argument, v); });
    const bool optional = !are_distinct(index, argument, exception());
    return own > others + (optional ? 1 : 0);
  });
}

bool can_share(const codegen::TypeIndex& index, const Procedure& a, const Procedure& b) {
  if (a.result.has_value() != b.result.has_value()) return false;
  return has_more(index, a, b) || has_more(index, b, a);
}

}  // namespace

std::vector<Generic> lower_generics(const codegen::TypeIndex& index,
                                    std::vector<Specific> specifics) {
  std::ranges::stable_sort(specifics, [](const Specific& a, const Specific& b) {
    if (a.age != b.age) return a.age > b.age;
    return a.form != Form::handle && b.form == Form::handle;
  });
  std::map<std::string, std::vector<const Specific*>> members;  // by name in lower case
  std::vector<Generic> result;
  const auto add = [&](const std::string& name, const Specific& specific) {
    auto& group = members[lower_case(name)];
    const bool fits = std::ranges::all_of(group, [&](const Specific* other) {
      return other->binding != specific.binding &&
             can_share(index, *specific.procedure, *other->procedure);
    });
    if (!fits) return;
    group.push_back(&specific);
    if (specific.age > 0) return;
    const auto known = std::ranges::find(result, name, &Generic::name);
    if (known != result.end()) {
      known->bindings.push_back(specific.binding);
    } else {
      result.push_back({name, {specific.binding}});
    }
  };
  // Long names first: no overload may take one of them away.
  for (const Specific& specific : specifics) add(binding(specific.long_name), specific);
  for (const Specific& specific : specifics) add(binding(specific.short_name), specific);
  return result;
}

}  // namespace shinar::backends::fortran
