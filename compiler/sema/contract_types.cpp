#include "sema/contract_types.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace shinar::sema {
namespace {

using model::Kind;
using model::TypeRef;

constexpr auto kOperators = std::to_array<std::pair<std::string_view, Operation>>({
    {"implies", Operation::Logic},
    {"iff", Operation::Logic},
    {"or", Operation::Logic},
    {"xor", Operation::Logic},
    {"and", Operation::Logic},
    {"&", Operation::Bits},
    {"|", Operation::Bits},
    {"^", Operation::Bits},
    {"==", Operation::Equality},
    {"!=", Operation::Equality},
    {"<", Operation::Order},
    {"<=", Operation::Order},
    {">", Operation::Order},
    {">=", Operation::Order},
    {"<<<", Operation::Shift},
    {">>>", Operation::Shift},
});

// sidl.BaseInterface, which every object implements, is in no list of interfaces.
bool is_object_of(const model::Type& type, const model::Type& other) {
  const bool is_root = other.kind == Kind::Interface && other.direct_interfaces.empty();
  return is_root || model::is_a(type, other);
}

}  // namespace

Operation operation_of(std::string_view op) {
  const auto* found =
      std::ranges::find(kOperators, op, &std::pair<std::string_view, Operation>::first);
  return found == kOperators.end() ? Operation::Arithmetic : found->second;
}

bool is_comparison(std::string_view op) {
  const Operation operation = operation_of(op);
  return operation == Operation::Equality || operation == Operation::Order;
}

bool is_array(const TypeRef& type) {
  return type.kind == Kind::Array || type.kind == Kind::Rarray;
}

bool can_be_null(const TypeRef& type) {
  return type.is_object() || is_array(type) || type.kind == Kind::String ||
         type.kind == Kind::Opaque;
}

bool comparable(const TypeRef& a, const TypeRef& b, Operation operation) {
  if (is_real(a.kind) && is_real(b.kind)) return true;
  if (a.kind == Kind::Char && b.kind == Kind::Char) return true;
  if (operation == Operation::Order) return false;
  if (is_number(a.kind) && is_number(b.kind)) return true;
  // Contracts cannot name enumerators; their values are numbers.
  if (a.kind == Kind::Enum && is_integer(b.kind)) return true;
  if (b.kind == Kind::Enum && is_integer(a.kind)) return true;
  const bool simple = a.kind == Kind::Bool || a.kind == Kind::String || a.kind == Kind::Opaque ||
                      a.kind == Kind::Enum;
  return simple && a == b;
}

TypeRef element_of(const TypeRef& type) {
  if (!is_array(type)) return type;
  return {.kind = type.element, .type = type.type};
}

bool converts(const TypeRef& from, const TypeRef& to) {
  if (is_number(from.kind) && is_number(to.kind)) return wider(from.kind, to.kind) == to.kind;
  if (from.is_object() && to.is_object()) return is_object_of(*from.type, *to.type);
  if (is_array(from) && is_array(to)) {
    if (to.is_generic_array()) return true;
    return element_of(from) == element_of(to) && from.dimension == to.dimension;
  }
  return from == to;
}

}  // namespace shinar::sema
