// %attrib{concurrent}: where it has a meaning, a class or a method that peers may call.

#include <algorithm>

#include "sema/context.hpp"

namespace shinar::sema {
namespace {

using model::Attribute;
using model::Kind;
using model::Method;
using model::Type;

constexpr std::string_view kConcurrent = "concurrent";

class ConcurrencyRules {
 public:
  explicit ConcurrencyRules(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void type(const Type& type);

 private:
  const Attribute* find(const std::vector<Attribute>& attributes);
  void ignore(const Attribute& attribute, const std::string& why);
  void method(const Method& method);
  void overriding(const model::Slot& slot);

  Diagnostics& diagnostics_;
};

const Attribute* ConcurrencyRules::find(const std::vector<Attribute>& attributes) {
  const auto found = std::ranges::find(attributes, kConcurrent, &Attribute::key);
  if (found == attributes.end()) return nullptr;
  if (found->value) ignore(*found, "'concurrent' has no value");
  return &*found;
}

void ConcurrencyRules::ignore(const Attribute& attribute, const std::string& why) {
  diagnostics_.report(Code::AttributeIgnored, attribute.span, why + ": it is ignored");
}

void ConcurrencyRules::type(const Type& type) {
  const Attribute* const attribute = find(type.attributes);
  if (attribute != nullptr && type.kind != Kind::Class) {
    ignore(
        *attribute,
        type.kind == Kind::Interface
            ? "'concurrent' has no meaning on an interface; it can be said of its methods, and of "
              "the classes that implement it"
            : "'concurrent' has no meaning on " +
                  std::string(type.kind == Kind::Struct ? "a struct" : "an enum"));
  }
  for (const auto& each : type.methods) {
    if (!each->from_implements_all) method(*each);
  }
  for (const model::Slot& slot : type.slots) {
    if (slot.method != slot.introducer && slot.method->owner == &type) overriding(slot);
  }
}

void ConcurrencyRules::method(const Method& method) {
  const Attribute* const attribute = find(method.attributes);
  if (attribute == nullptr || !(method.local || method.is_static)) return;
  ignore(*attribute, "'concurrent' has no meaning on a " +
                         std::string(method.local ? "local" : "static") +
                         " method, which no other process calls");
}

// Callers know a method by the type that introduces it.
void ConcurrencyRules::overriding(const model::Slot& slot) {
  if (slot.method->from_implements_all) return;
  const auto& said = slot.method->attributes;
  const auto& first = slot.introducer->attributes;
  const auto at = std::ranges::find(said, kConcurrent, &Attribute::key);
  if (at == said.end() || std::ranges::find(first, kConcurrent, &Attribute::key) != first.end()) {
    return;
  }
  diagnostics_
      .report(Code::AttributeIgnored, at->span,
              "'concurrent' has no meaning where a method is declared again: it is ignored; say it "
              "where the method is declared first, or of the class")
      .note(slot.introducer->span, "it is declared here first");
}

}  // namespace

void check_concurrency(Context& context) {
  ConcurrencyRules rules(context.diagnostics);
  for (const auto& type : context.model.types) {
    if (!type->is_external) rules.type(*type);
  }
}

}  // namespace shinar::sema
