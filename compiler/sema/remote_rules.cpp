// Rules for methods that can be called from another process: oneway, copy, opaque.

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "sema/context.hpp"

namespace shinar::sema {
namespace {

using model::Argument;
using model::Kind;
using model::Method;
using model::Type;
using model::TypeRef;

// A set of kinds.
using Kinds = std::uint32_t;

constexpr Kinds only(Kind kind) {
  return Kinds{1} << static_cast<unsigned>(kind);
}

class RemoteRules {
 public:
  explicit RemoteRules(Context& context);

  void method(const Type& type, const Method& method);

 private:
  Kinds kinds_in(const TypeRef& type) const;
  // Whether the type is of the kind, or a struct that contains it.
  bool holds(const TypeRef& type, Kind kind) const { return (kinds_in(type) & only(kind)) != 0; }
  void oneway(const Method& method);
  void copy(const TypeRef& type, Span place);
  void opaque(const Method& method);
  void raw_memory(const TypeRef& type, Span place, std::string_view what);

  Context& context_;
  Diagnostics& diagnostics_;
  std::unordered_map<const Type*, Kinds> kinds_in_struct_;
};

// Members come before structs in the order, so that each member is visited once, however often and
// deeply its struct is nested. Structs that contain themselves are not in it; they were reported.
RemoteRules::RemoteRules(Context& context) : context_(context), diagnostics_(context.diagnostics) {
  for (const Type* type : context.model.order) {
    if (type->kind != Kind::Struct) continue;
    Kinds kinds = 0;
    for (const model::Member& member : type->members) {
      if (member.inline_size == 0) kinds |= kinds_in(member.type);
    }
    kinds_in_struct_.emplace(type, kinds);
  }
}

Kinds RemoteRules::kinds_in(const TypeRef& type) const {
  Kinds kinds = only(type.kind);
  if (type.kind == Kind::Array) kinds |= only(type.element);
  if (type.kind != Kind::Struct && type.element != Kind::Struct) return kinds;
  const auto members = kinds_in_struct_.find(type.type);
  return members == kinds_in_struct_.end() ? kinds : kinds | members->second;
}

// Whether `local` could be added: not where a method overrides another one, which would have to get
// it as well, and thus not in sidl.io, whose methods pass null pointers on.
bool can_become_local(const Type& type, const Method& method) {
  if (method.is_static || type.package->name == "sidl.io") return false;
  return std::ranges::none_of(type.slots, [&](const model::Slot& slot) {
    return slot.method == &method && slot.introducer != &method;
  });
}

void RemoteRules::method(const Type& type, const Method& method) {
  if (method.oneway) oneway(method);
  if (!method.local && can_become_local(type, method)) opaque(method);
  if (method.copy) copy(method.result, method.result_span);
  raw_memory(method.result, method.result_span, "returned");
  for (const Argument& argument : method.arguments) {
    if (argument.copy) copy(argument.type, argument.type_span);
    if (argument.direction != model::Direction::Out) continue;
    raw_memory(argument.type, argument.type_span, "an 'out' argument");
  }
}

// The caller does not wait: nothing can be returned to it.
void RemoteRules::oneway(const Method& method) {
  const std::string name = "the oneway method " + in_quotes(method.long_name);
  if (method.result.kind != Kind::Void && method.result.kind != Kind::Error) {
    diagnostics_.report(Code::OnewayResult, method.result_span,
                        name + " cannot return a value: its caller does not wait for one");
  }
  for (const Argument& argument : method.arguments) {
    if (argument.direction == model::Direction::In) continue;
    diagnostics_.report(Code::OnewayOut, argument.span,
                        name + " cannot have the " +
                            std::string(model::to_string(argument.direction)) + " argument " +
                            in_quotes(argument.name) + ": nothing is returned to the caller");
  }
  for (const Method::Thrown& thrown : method.throws) {
    diagnostics_.report(Code::OnewayThrows, thrown.span,
                        name + " cannot throw: its caller does not wait for an exception");
  }
}

void RemoteRules::copy(const TypeRef& type, Span place) {
  if (type.kind == Kind::Error) return;
  if (!type.is_object()) {
    if (type.type != nullptr && type.type->is_damaged) return;
    diagnostics_.report(Code::AttributeIgnored, place,
                        "'copy' has no meaning on " + model::to_string(type) +
                            ", which is not an object, and is ignored");
    return;
  }
  const Type* serializable = context_.serializable;
  if (type.type->is_broken || serializable == nullptr || model::is_a(*type.type, *serializable)) {
    return;
  }
  diagnostics_
      .report(Code::CopyNotSerializable, place,
              in_quotes(type.type->name) +
                  " cannot be passed by value: it does not implement sidl.io.Serializable")
      .note(type.type->span, "it is declared here");
}

// Reported once per method, however many such arguments it has.
void RemoteRules::opaque(const Method& method) {
  std::optional<Span> place;
  if (holds(method.result, Kind::Opaque)) place = method.result_span;
  for (const Argument& argument : method.arguments) {
    if (!place && holds(argument.type, Kind::Opaque)) place = argument.type_span;
  }
  if (!place) return;
  diagnostics_.report(Code::OpaqueRemote, *place,
                      "an opaque pointer has no meaning in another process: a remote call of " +
                          in_quotes(method.long_name) + " will fail; declare the method 'local'");
}

void RemoteRules::raw_memory(const TypeRef& type, Span place, std::string_view what) {
  if (type.kind != Kind::Struct || !holds(type, Kind::Rarray) || type.type->is_damaged) return;
  diagnostics_
      .report(Code::RarrayStructOut, place,
              "the struct " + in_quotes(type.type->name) + " contains a raw array and cannot be " +
                  std::string(what) + ": the caller must provide the memory")
      .note(type.type->span, "it is declared here");
}

}  // namespace

void check_remote_rules(Context& context) {
  RemoteRules rules(context);
  for (const auto& type : context.model.types) {
    if (type->is_external) continue;
    for (const auto& method : type->methods) {
      if (!method->from_implements_all) rules.method(*type, *method);
    }
  }
}

}  // namespace shinar::sema
