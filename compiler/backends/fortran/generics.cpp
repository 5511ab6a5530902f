#include "backends/fortran/generics.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "backends/fortran/names.hpp"

namespace shinar::backends::fortran {
namespace {

bool is_kind_of(const codegen::TypeIndex& index, const std::string& child,
                const std::string& parent) {
  if (child == parent || parent == "sidl.BaseInterface") return true;
  const ir::Object& object = index.find(child).object();
  return std::ranges::find(object.ancestors(), parent) != object.ancestors().end() ||
         std::ranges::find(object.interfaces(), parent) != object.interfaces().end();
}

// Whether Fortran distinguishes the two as arguments: by type, kind and rank, or because one is
// allocatable and the other a pointer.
bool are_distinct(const codegen::TypeIndex& index, const Value& a, const Value& b) {
  const bool have_attributes = a.attribute != Attribute::none && b.attribute != Attribute::none;
  if (have_attributes && a.attribute != b.attribute) return true;
  const std::string& left = a.category.object;
  const std::string& right = b.category.object;
  if (left.empty() || right.empty()) {
    return left.empty() != right.empty() || a.category.name != b.category.name;
  }
  return !is_kind_of(index, left, right) && !is_kind_of(index, right, left);
}

// The last argument of every stub, which counts as an argument of the other one.
const Value& exception() {
  static const Value value = [] {
    Value result;
    result.category.object = "sidl.BaseException";
    return result;
  }();
  return value;
}

// The first rule of Fortran 2018, C1514: `a` has more arguments of some kind than `b` has that are
// not distinguishable from it.
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

// The third rule: an argument that differs from the one at its position in `b`, and the same one or
// a later one that differs from the one of its name in `b`.
bool has_other_order(const codegen::TypeIndex& index, const Procedure& a, const Procedure& b) {
  std::vector<Value> others = b.arguments;
  others.push_back(exception());
  bool differs_in_place = false;
  for (std::size_t i = 0; i < a.arguments.size(); ++i) {
    const Value& own = a.arguments[i];
    if (i >= others.size() || are_distinct(index, own, others[i])) differs_in_place = true;
    const auto namesake = std::ranges::find_if(
        others, [&](const Value& v) { return lower_case(v.name) == lower_case(own.name); });
    const bool differs_by_name = namesake == others.end() || are_distinct(index, own, *namesake);
    if (differs_in_place && differs_by_name) return true;
  }
  return false;
}

// The second rule has no use here: `self` is of the same type in all.
bool can_share(const codegen::TypeIndex& index, const Procedure& a, const Procedure& b) {
  if (a.result.has_value() != b.result.has_value()) return false;
  return has_more(index, a, b) || has_more(index, b, a) || has_other_order(index, a, b) ||
         has_other_order(index, b, a);
}

}  // namespace

std::vector<Generic> lower_generics(const codegen::TypeIndex& index,
                                    const std::vector<Specific>& specifics) {
  std::map<std::string, std::vector<const Specific*>> members;  // by name in lower case
  std::vector<Generic> result;
  std::map<std::string, std::size_t> places;  // in the result
  const auto add = [&](const std::string& name, const Specific& specific) {
    auto& group = members[lower_case(name)];
    const bool fits = std::ranges::all_of(group, [&](const Specific* other) {
      return other->binding != specific.binding &&
             can_share(index, *specific.procedure, *other->procedure);
    });
    if (!fits) return;
    group.push_back(&specific);
    if (specific.distance > 0) return;
    const auto [known, is_new] = places.emplace(name, result.size());
    if (is_new) {
      result.push_back({name, {specific.binding}});
    } else {
      result[known->second].bindings.push_back(specific.binding);
    }
  };
  std::map<int, std::vector<const Specific*>, std::greater<>> by_distance;
  for (const Specific& specific : specifics) by_distance[specific.distance].push_back(&specific);
  // A parent type's generics stay as they are. Long names first: no overload may take one of them.
  for (const auto& [distance, declared] : by_distance) {
    for (const Indices indices : {Indices::given, Indices::left_out}) {
      for (const bool is_handle : {false, true}) {
        for (const auto name : {&Specific::long_name, &Specific::short_name}) {
          for (const Specific* specific : declared) {
            const bool has_turn =
                (specific->form == Form::handle) == is_handle && specific->indices == indices;
            if (has_turn) add(binding(specific->*name), *specific);
          }
        }
      }
    }
  }
  return result;
}

}  // namespace shinar::backends::fortran
