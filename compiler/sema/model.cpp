#include "sema/model.hpp"

#include <algorithm>

namespace shinar::model {
namespace {

std::string_view basic_name(Kind kind) {
  switch (kind) {
    case Kind::Void:
      return "void";
#define SIDL_BASIC_TYPE(identifier, token, kind, name, number, bytes, alignment) \
  case Kind::identifier:                                                         \
    return name;
#include "frontend/basic_types.def"
#undef SIDL_BASIC_TYPE
    default:
      return "?";
  }
}

std::string name_of(Kind kind, const Type* type) {
  return type != nullptr ? type->name : std::string(basic_name(kind));
}

}  // namespace

std::string to_string(const TypeRef& type) {
  if (type.is_generic_array()) return "array<>";
  if (type.kind != Kind::Array && type.kind != Kind::Rarray) return name_of(type.kind, type.type);
  std::string text = type.kind == Kind::Array ? "array<" : "rarray<";
  text += name_of(type.element, type.type) + "," + std::to_string(type.dimension);
  if (type.order == Order::ColumnMajor) text += ",column-major";
  if (type.order == Order::RowMajor) text += ",row-major";
  return text + ">";
}

bool is_a(const Type& type, const Type& other) {
  return &type == &other || std::ranges::find(type.interfaces, &other) != type.interfaces.end() ||
         std::ranges::find(type.ancestors, &other) != type.ancestors.end();
}

std::string_view to_string(Direction direction) {
  switch (direction) {
    case Direction::In:
      return "in";
    case Direction::Out:
      return "out";
    default:
      return "inout";
  }
}

std::string signature(const Method& method) {
  std::string text = method.copy ? "copy " : "";
  text += to_string(method.result) + " " + method.long_name + "(";
  for (const Argument& argument : method.arguments) {
    if (text.back() != '(') text += ',';
    if (argument.copy) text += "copy ";
    text += std::string(to_string(argument.direction)) + " " + to_string(argument.type);
  }
  return text + ")";
}

}  // namespace shinar::model
