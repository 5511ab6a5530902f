// Types of arguments, results and members: from text to model, with the rules for arrays.

#include "sema/type_refs.hpp"

#include "sema/resolver.hpp"

namespace shinar::sema {
namespace {

constexpr std::int64_t kMaxDimension = 7;

}  // namespace

model::Kind kind_of(ast::Basic basic) {
  switch (basic) {
#define SIDL_BASIC_TYPE(identifier, token, kind, name, number, bytes, alignment) \
  case ast::Basic::identifier:                                                   \
    return model::Kind::identifier;
#include "frontend/basic_types.def"
#undef SIDL_BASIC_TYPE
  }
  return model::Kind::Error;
}

std::uint32_t dimension_of(const std::optional<ast::Integer>& dimension, Diagnostics& diagnostics) {
  if (!dimension) return 1;
  if (!dimension->in_range) return 0;
  if (dimension->long_suffix) {
    diagnostics.report(Code::LongSuffix, dimension->span, "the suffix of a dimension is ignored");
  }
  if (dimension->value >= 1 && dimension->value <= kMaxDimension) {
    return static_cast<std::uint32_t>(dimension->value);
  }
  diagnostics.report(Code::ArrayDimension, dimension->span,
                     "an array has 1 to 7 dimensions, not " + std::to_string(dimension->value));
  return 0;
}

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
  const ast::ArrayType& tree = *ref.array;
  if (!tree.element) return {.kind = model::Kind::Array, .element = model::Kind::Void};
  const model::TypeRef element = type_ref(*tree.element, from);
  const std::uint32_t dimension = dimension_of(tree.dimension, diagnostics);
  if (element.kind == model::Kind::Error || dimension == 0) return {};
  model::TypeRef result{.kind = model::Kind::Array,
                        .type = element.type,
                        .element = element.kind,
                        .dimension = dimension};
  if (tree.order) {
    result.order =
        *tree.order == ast::Order::RowMajor ? model::Order::RowMajor : model::Order::ColumnMajor;
  }
  return result;
}

}  // namespace shinar::sema
