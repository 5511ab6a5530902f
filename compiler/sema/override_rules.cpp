#include "sema/override_rules.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sema/context.hpp"

namespace shinar::sema {
namespace {

using model::Argument;
using model::Method;
using model::Type;

// Types with reported errors equal all others.
bool same_type(const model::TypeRef& a, const model::TypeRef& b) {
  return a == b || a.kind == model::Kind::Error || b.kind == model::Kind::Error;
}

bool same_signature(const Method& a, const Method& b) {
  const auto same_argument = [](const Argument& x, const Argument& y) {
    return x.direction == y.direction && x.copy == y.copy && same_type(x.type, y.type);
  };
  return same_type(a.result, b.result) && a.copy == b.copy &&
         std::ranges::equal(a.arguments, b.arguments, same_argument);
}

// Distinguishes overloads where only the short name is used: excludes modes and array dimensions,
// which C++ does not distinguish. Nothing if a type has a reported error.
std::optional<std::string> overload_key(const Method& method) {
  std::string key = method.name + "(";
  for (const Argument& argument : method.arguments) {
    if (argument.type.kind == model::Kind::Error) return std::nullopt;
    model::TypeRef type = argument.type;
    type.dimension = 0;
    key += model::to_string(type) + ",";
  }
  return key;
}

std::string communication(const Method& method) {
  return method.oneway        ? "'oneway'"
         : method.nonblocking ? "'nonblocking'"
         : method.local       ? "'local'"
                              : "";
}

std::string full_name(const Method& method) {
  return in_quotes(method.owner->name + "." + method.long_name);
}

}  // namespace

void OverrideRules::check_override(const Method& method, const Method& inherited) {
  if (method.key == inherited.key && method.long_name != inherited.long_name) {
    diagnostics_
        .report(Code::SameLongName, method.span,
                "the method " + in_quotes(method.long_name) + " differs from the inherited " +
                    full_name(inherited) + " in case only")
        .note(inherited.span, "it is declared here");
    return;
  }
  if (inherited.is_final) {
    diagnostics_
        .report(Code::OverridesFinal, method.span,
                "the method " + in_quotes(method.long_name) + " overrides the final method " +
                    full_name(inherited))
        .note(inherited.span, "it is declared here");
  }
  check_communication(method, inherited);
  check_throws(method, inherited);
  if (same_signature(method, inherited)) return;
  diagnostics_
      .report(Code::SignatureConflict, method.span,
              "the method " + in_quotes(method.long_name) +
                  " does not have the same signature as in " + in_quotes(inherited.owner->name))
      .note(inherited.span, "inherited as " + in_quotes(model::signature(inherited)))
      .note(method.span, "declared here as " + in_quotes(model::signature(method)));
}

// A caller that uses the inherited declaration must communicate as the method does.
void OverrideRules::check_communication(const Method& method, const Method& inherited) {
  const std::string own = communication(method);
  const std::string other = communication(inherited);
  if (own == other) return;
  diagnostics_
      .report(Code::CommunicationConflict, method.span,
              "the method " + in_quotes(method.long_name) + " is " +
                  (own.empty() ? "not " + other : own) + ", but " + full_name(inherited) + " is " +
                  (other.empty() ? "not" : other))
      .note(inherited.span, "it is declared here");
}

// Callers that see the inherited declaration prepare for its exceptions only.
void OverrideRules::check_throws(const Method& method, const Method& inherited) {
  for (const Method::Thrown& thrown : method.throws) {
    if (!thrown.type->is_exception || is_expected(*thrown.type, inherited)) continue;
    diagnostics_
        .report(Code::WiderThrows, thrown.span,
                "callers of " + full_name(inherited) + " do not expect " +
                    in_quotes(thrown.type->name) + ", which it does not throw")
        .note(inherited.span, "it is declared here");
  }
}

bool OverrideRules::is_expected(const Type& exception, const Method& inherited) const {
  if (exception.is_broken || inherited.throws_unknown) return true;
  if (runtime_exception_ != nullptr && model::is_a(exception, *runtime_exception_)) return true;
  return std::ranges::any_of(inherited.throws, [&](const Method::Thrown& thrown) {
    return thrown.type->is_broken || model::is_a(exception, *thrown.type);
  });
}

void OverrideRules::check_inherited(const Method& first, const Method& second, const Type& type) {
  const bool other_case = first.key == second.key && first.long_name != second.long_name;
  const bool same_communication = communication(first) == communication(second);
  if (!other_case && same_communication && same_signature(first, second)) return;
  diagnostics_
      .report(Code::InheritedConflict, type.span,
              in_quotes(type.local_name) + " inherits two different methods " +
                  in_quotes(second.long_name))
      .note(first.span, "this one is from " + in_quotes(first.owner->name))
      .note(second.span, "this one is from " + in_quotes(second.owner->name));
}

void OverrideRules::report_static(const Method& method, const Method& inherited) {
  const std::string kind = method.is_static ? "static" : "instance";
  const std::string other = inherited.is_static ? "static" : "instance";
  diagnostics_
      .report(Code::StaticConflict, method.span,
              "the " + kind + " method " + in_quotes(method.long_name) +
                  " has the same name as the " + other + " method " + full_name(inherited))
      .note(inherited.span, "it is declared here");
}

void OverrideRules::check_overloads(const Type& type) {
  std::unordered_map<std::string_view, std::vector<const Method*>> by_name;
  for (const model::Slot& slot : type.slots) by_name[slot.method->name].push_back(slot.method);
  for (const auto& method : type.methods) {
    if (method->is_static) by_name[method->name].push_back(method.get());
  }
  const auto check_group = [&](const std::vector<const Method*>& group) {
    std::unordered_map<std::string, const Method*> seen;
    for (const Method* method : group) {
      const auto key = overload_key(*method);
      if (!key) continue;
      const auto [place, is_new] = seen.emplace(*key, method);
      const Method& other = *place->second;
      // A pair that an ancestor inherited or declared was reported there.
      const bool older = method->owner != &type && other.owner == method->owner;
      // A static and an instance method of the same name were reported elsewhere.
      if (is_new || older || method->key == other.key) continue;
      const bool own = method->owner == &type;
      diagnostics_
          .report(Code::SameArguments, own ? method->span : type.span,
                  full_name(*method) + " and " + full_name(other) +
                      " are overloads with the same argument types")
          .note(other.span, "the other method is declared here");
    }
  };
  // In source order, not hash order.
  for (const model::Slot& slot : type.slots) {
    auto group = by_name.extract(slot.method->name);
    if (!group.empty() && group.mapped().size() > 1) check_group(group.mapped());
  }
  for (const auto& method : type.methods) {
    auto group = by_name.extract(method->name);
    if (!group.empty() && group.mapped().size() > 1) check_group(group.mapped());
  }
}

void OverrideRules::check_abstract(const Type& type) {
  std::vector<const Method*> missing;
  for (const model::Slot& slot : type.slots) {
    if (slot.is_abstract) missing.push_back(slot.method);
  }
  if (type.is_abstract && missing.empty()) {
    diagnostics_.report(Code::NothingAbstract, type.span,
                        "the class " + in_quotes(type.local_name) +
                            " is declared abstract and has no abstract method");
  }
  if (type.is_abstract || missing.empty()) return;
  const auto own = std::ranges::find(missing, &type, &Method::owner);
  if (own != missing.end()) {
    diagnostics_
        .report(Code::NotAbstract, type.span,
                "the class " + in_quotes(type.local_name) + " has the abstract method " +
                    in_quotes((*own)->long_name) + " and must be declared abstract itself")
        .note((*own)->span, in_quotes((*own)->long_name) + " is declared here");
    return;
  }
  const bool one = missing.size() == 1;
  const std::string count = one ? "the method " + in_quotes(missing.front()->long_name)
                                : std::to_string(missing.size()) + " methods";
  Diagnostic& report = diagnostics_.report(
      Code::NotAbstract, type.span,
      "the class " + in_quotes(type.local_name) + " does not implement " + count + "; declare " +
          (one ? "it" : "them") + ", use 'implements-all', or make the class abstract");
  constexpr std::size_t kMostNotes = 4;
  for (std::size_t i = 0; i < std::min(missing.size(), kMostNotes); ++i) {
    report.note(missing[i]->span, full_name(*missing[i]) + " is declared here");
  }
  if (missing.size() > kMostNotes) {
    report.note(std::nullopt, "and " + std::to_string(missing.size() - kMostNotes) + " more");
  }
}

}  // namespace shinar::sema
