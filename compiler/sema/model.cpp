#include "sema/model.hpp"

namespace shinar::model {
namespace {

std::string_view basic_name(Kind kind) {
  switch (kind) {
    case Kind::Void:
      return "void";
    case Kind::Bool:
      return "bool";
    case Kind::Char:
      return "char";
    case Kind::Int:
      return "int";
    case Kind::Long:
      return "long";
    case Kind::Float:
      return "float";
    case Kind::Double:
      return "double";
    case Kind::Fcomplex:
      return "fcomplex";
    case Kind::Dcomplex:
      return "dcomplex";
    case Kind::String:
      return "string";
    case Kind::Opaque:
      return "opaque";
    default:
      return "?";
  }
}

std::string name_of(Kind kind, const Type* type) {
  return type != nullptr ? type->name : std::string(basic_name(kind));
}

}  // namespace

std::string to_string(const TypeRef& type) {
  if (type.kind != Kind::Array) return name_of(type.kind, type.type);
  return "array<" + name_of(type.element, type.type) + "," + std::to_string(type.dimension) + ">";
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
  std::string text = to_string(method.result) + " " + method.long_name + "(";
  for (const Argument& argument : method.arguments) {
    if (text.back() != '(') text += ',';
    text += std::string(to_string(argument.direction)) + " " + to_string(argument.type);
  }
  return text + ")";
}

}  // namespace shinar::model
