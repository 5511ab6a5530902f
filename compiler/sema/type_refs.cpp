// Types of arguments, results and members: from text to model, with the rules for arrays.

#include "sema/resolver.hpp"

namespace shinar::sema {
namespace {

constexpr std::int64_t kMaxDimension = 7;

model::Kind kind_of(ast::Basic basic) {
  switch (basic) {
    case ast::Basic::Bool:
      return model::Kind::Bool;
    case ast::Basic::Char:
      return model::Kind::Char;
    case ast::Basic::Int:
      return model::Kind::Int;
    case ast::Basic::Long:
      return model::Kind::Long;
    case ast::Basic::Float:
      return model::Kind::Float;
    case ast::Basic::Double:
      return model::Kind::Double;
    case ast::Basic::Fcomplex:
      return model::Kind::Fcomplex;
    case ast::Basic::Dcomplex:
      return model::Kind::Dcomplex;
    case ast::Basic::String:
      return model::Kind::String;
    default:
      return model::Kind::Opaque;
  }
}

// Zero, and a diagnostic, when the dimension is not possible.
std::uint32_t dimension_of(const ast::TypeRef& ref, Diagnostics& diagnostics) {
  if (!ref.dimension) return 1;
  const ast::Integer& number = *ref.dimension;
  if (number.long_suffix) {
    diagnostics.report(Code::LongSuffix, number.span, "the suffix of a dimension is ignored");
  }
  if (number.value >= 1 && number.value <= kMaxDimension) {
    return static_cast<std::uint32_t>(number.value);
  }
  diagnostics.report(Code::ArrayDimension, number.span,
                     "an array has 1 to 7 dimensions, not " + std::to_string(number.value));
  return 0;
}

// True, and a diagnostic, when arrays of such elements have to wait.
bool refuse_element(const model::Type* type, const ast::TypeRef& ref, Diagnostics& diagnostics) {
  if (type == nullptr || type->kind == model::Kind::Enum) return false;
  const bool is_struct = type->kind == model::Kind::Struct;
  const Code code = is_struct ? Code::NoStructArray : Code::NoObjectArray;
  const std::string what = is_struct ? "structs" : "classes and interfaces";
  diagnostics.report(code, ref.span, "arrays of " + what + " are not supported yet");
  return true;
}

}  // namespace

model::TypeRef Resolver::type_ref(const ast::TypeRef& ref, const Declared& from) const {
  switch (ref.kind) {
    case ast::TypeRef::Kind::Void:
      return {.kind = model::Kind::Void};
    case ast::TypeRef::Kind::Basic:
      return {.kind = kind_of(ref.basic)};
    case ast::TypeRef::Kind::Array:
      return array(ref, from);
    case ast::TypeRef::Kind::Named:
      break;
  }
  const model::Type* found = type(ref.name, from);
  if (found == nullptr) return {};
  return {.kind = found->kind, .type = found};
}

model::TypeRef Resolver::array(const ast::TypeRef& ref, const Declared& from) const {
  Diagnostics& diagnostics = context_.diagnostics;
  if (ref.element == nullptr) {
    diagnostics.report(Code::NoGenericArray, ref.span, "generic arrays are not supported yet");
    return {};
  }
  const model::TypeRef element = type_ref(*ref.element, from);
  const std::uint32_t dimension = dimension_of(ref, diagnostics);
  bool ok = element.kind != model::Kind::Error && dimension > 0;
  if (refuse_element(element.type, ref, diagnostics)) ok = false;
  if (ref.order) {
    diagnostics.report(Code::NoArrayOrder, ref.order_span,
                       "arrays of a declared order are not supported yet");
    ok = false;
  }
  if (!ok) return {};
  return {.kind = model::Kind::Array,
          .type = element.type,
          .element = element.kind,
          .dimension = dimension};
}

}  // namespace shinar::sema
