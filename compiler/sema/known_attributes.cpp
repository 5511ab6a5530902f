// The meaningful keys of %attrib: `concurrent`, of a class or a method that peers may call;
// `brief`, of a method; `collective`, of a method that all ranks of a parallel program call, and
// `distributed`, of its arrays.

#include <algorithm>
#include <array>

#include "diagnostics/spelling.hpp"
#include "sema/context.hpp"

namespace shinar::sema {
namespace {

using model::Attribute;
using model::Kind;
using model::Method;
using model::Type;

constexpr std::string_view kConcurrent = "concurrent";
constexpr std::string_view kBrief = "brief";
constexpr std::string_view kCollective = "collective";
constexpr std::string_view kDistributed = "distributed";
constexpr auto kKeys = std::to_array({kConcurrent, kBrief, kCollective, kDistributed});

// A typing error within so many letters is pointed out: other keys are for tools.
constexpr std::size_t kSimilar = 2;

// Whether copying its bytes copies a value of the kind; of arrays, it does not.
bool is_plain(Kind kind, const Type* type) {
  switch (kind) {
    case Kind::Struct:
      return std::ranges::all_of(type->members, [](const model::Member& each) {
        return each.extents.empty() && is_plain(each.type.kind, each.type.type);
      });
    case Kind::Void:
    case Kind::String:
    case Kind::Opaque:
    case Kind::Interface:
    case Kind::Class:
    case Kind::Array:
    case Kind::Rarray:
      return false;
    default:
      return true;
  }
}

bool can_be_distributed(const model::TypeRef& type) {
  return type.kind == Kind::Array && is_plain(type.element, type.type);
}

class KnownAttributes {
 public:
  explicit KnownAttributes(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void type(const Type& type);

 private:
  const Attribute* find(const std::vector<Attribute>& attributes, std::string_view key);
  void misspelt(const std::vector<Attribute>& attributes);
  void misplaced(const std::vector<Attribute>& attributes, std::string_view key,
                 std::string_view place, std::string_view advice);
  void ignore(const Attribute& attribute, const std::string& why);
  void method(const Method& method);
  void collective(const Method& method);
  void distributed(const Method& method, const model::Argument& argument);
  void concurrent_type(const Type& type);
  void overriding(const model::Slot& slot, std::string_view key, const std::string& advice);

  Diagnostics& diagnostics_;
};

const Attribute* KnownAttributes::find(const std::vector<Attribute>& attributes,
                                       std::string_view key) {
  const auto found = std::ranges::find(attributes, key, &Attribute::key);
  if (found == attributes.end()) return nullptr;
  if (found->value) ignore(*found, in_quotes(key) + " has no value");
  return &*found;
}

void KnownAttributes::misspelt(const std::vector<Attribute>& attributes) {
  for (const Attribute& each : attributes) {
    for (const std::string_view known : kKeys) {
      if (each.key == known || edit_distance(each.key, known) > kSimilar) continue;
      diagnostics_.report(
          Code::AttributeIgnored, each.span,
          in_quotes(each.key) + " has no meaning to sidlc; did you mean " + in_quotes(known) + "?");
    }
  }
}

void KnownAttributes::misplaced(const std::vector<Attribute>& attributes, std::string_view key,
                                std::string_view place, std::string_view advice) {
  if (const Attribute* const found = find(attributes, key)) {
    ignore(*found, in_quotes(key) + " has no meaning on " + std::string(place) + "; use it on " +
                       std::string(advice));
  }
}

void KnownAttributes::ignore(const Attribute& attribute, const std::string& why) {
  diagnostics_.report(Code::AttributeIgnored, attribute.span, why + ": it is ignored");
}

void KnownAttributes::concurrent_type(const Type& type) {
  const Attribute* const attribute = find(type.attributes, kConcurrent);
  if (attribute != nullptr && type.kind != Kind::Class) {
    ignore(*attribute, type.kind == Kind::Interface
                           ? "'concurrent' has no meaning on an interface; use it on the "
                             "interface's methods, or on "
                             "the classes that implement it"
                           : "'concurrent' has no meaning on " +
                                 std::string(type.kind == Kind::Struct ? "a struct" : "an enum"));
  }
}

void KnownAttributes::type(const Type& type) {
  concurrent_type(type);
  misspelt(type.attributes);
  misplaced(type.attributes, kBrief, "a type", "methods");
  misplaced(type.attributes, kCollective, "a type", "methods");
  misplaced(type.attributes, kDistributed, "a type", "arrays among the arguments of methods");
  for (const auto& each : type.methods) {
    if (!each->from_implements_all) method(*each);
  }
  for (const model::Slot& slot : type.slots) {
    if (slot.method == slot.introducer || slot.method->owner != &type) continue;
    overriding(slot, kConcurrent, "where the method is first declared, or on the class");
    overriding(slot, kBrief, "where the method is first declared");
    overriding(slot, kCollective, "where the method is first declared");
  }
}

void KnownAttributes::method(const Method& method) {
  find(method.attributes, kBrief);
  misspelt(method.attributes);
  misplaced(method.attributes, kDistributed, "a method or its result",
            "arrays among its arguments");
  for (const model::Argument& each : method.arguments) {
    misspelt(each.attributes);
    for (const std::string_view key : {kConcurrent, kBrief, kCollective}) {
      misplaced(each.attributes, key, "an argument", "methods");
    }
  }
  collective(method);
  const Attribute* const attribute = find(method.attributes, kConcurrent);
  if (attribute == nullptr || !(method.local || method.is_static)) return;
  ignore(*attribute, "'concurrent' has no meaning on a " +
                         std::string(method.local ? "local" : "static") +
                         " method, which other processes cannot call");
}

void KnownAttributes::collective(const Method& method) {
  if (const Attribute* const attribute = find(method.attributes, kCollective)) {
    const char* const obstacle = method.local         ? "local"
                                 : method.is_static   ? "static"
                                 : method.oneway      ? "oneway"
                                 : method.nonblocking ? "nonblocking"
                                                      : nullptr;
    if (obstacle != nullptr) {
      ignore(
          *attribute,
          "'collective' has no meaning on a " + std::string(obstacle) +
              " method: all ranks of a program call it on a remote object, and wait for its end");
    }
  }
  for (const model::Argument& each : method.arguments) distributed(method, each);
}

void KnownAttributes::distributed(const Method& method, const model::Argument& argument) {
  const Attribute* const attribute = find(argument.attributes, kDistributed);
  if (attribute == nullptr) return;
  if (std::ranges::find(method.attributes, kCollective, &Attribute::key) ==
      method.attributes.end()) {
    ignore(*attribute, "'distributed' has no meaning where the method is not collective");
  } else if (!can_be_distributed(argument.type)) {
    ignore(
        *attribute,
        "'distributed' has no meaning on this type; use it on an array of numbers, chars, bools, "
        "enums, or structs of these");
  }
}

// Callers use the declaration in the type that introduces a method. `advice`: where to write the
// key instead.
void KnownAttributes::overriding(const model::Slot& slot, std::string_view key,
                                 const std::string& advice) {
  if (slot.method->from_implements_all) return;
  const auto& said = slot.method->attributes;
  const auto& first = slot.introducer->attributes;
  const auto at = std::ranges::find(said, key, &Attribute::key);
  if (at == said.end() || std::ranges::find(first, key, &Attribute::key) != first.end()) return;
  diagnostics_
      .report(Code::AttributeIgnored, at->span,
              in_quotes(key) +
                  " has no meaning where a method is redeclared: it is ignored; use it " + advice)
      .note(slot.introducer->span, "it is first declared here");
}

}  // namespace

void check_known_attributes(Context& context) {
  KnownAttributes rules(context.diagnostics);
  for (const auto& type : context.model.types) {
    if (!type->is_external) rules.type(*type);
  }
}

}  // namespace shinar::sema
