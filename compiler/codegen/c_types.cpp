#include "codegen/c_types.hpp"

#include <algorithm>

#include "codegen/basic_types.hpp"
#include "codegen/names.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::codegen {

std::string object_struct(std::string_view type_name) {
  return "struct " + Namer::symbol(type_name) + "__object";
}

std::string ior_array_tag(const ir::TypeRef& type) {
  if (!type.has_element()) return "sidl__array";
  switch (type.element().kind()) {
    case ir::TypeRef::ENUM:
      return "sidl_long__array";
    case ir::TypeRef::CLASS:
    case ir::TypeRef::INTERFACE:
      return "sidl_interface__array";
    case ir::TypeRef::STRUCT:
      return "sidl_struct__array";
    default:
      return "sidl_" + sidl_type(type.element()) + "__array";
  }
}

std::string named_array_tag(const ir::TypeRef& type) {
  const bool named = type.kind() == ir::TypeRef::ARRAY && !type.element().name().empty();
  return named ? Namer::symbol(type.element().name()) + "__array" : "";
}

std::string ior_value_type(const ir::TypeRef& type) {
  if (const BasicType* basic = find_basic_type(type.kind())) return std::string(basic->c);
  switch (type.kind()) {
    case ir::TypeRef::ENUM:
      return "int64_t";
    case ir::TypeRef::STRUCT:
      return "struct " + Namer::symbol(type.name()) + "__data";
    case ir::TypeRef::CLASS:
    case ir::TypeRef::INTERFACE:
      return object_struct(type.name()) + "*";
    case ir::TypeRef::ARRAY:
    case ir::TypeRef::RARRAY:
      return "struct " + ior_array_tag(type) + "*";
    default:
      return "void";
  }
}

std::string member_type(const ir::TypeRef& type) {
  if (is_inline(type)) return ior_value_type(type.element());
  if (is_raw(type)) return ior_value_type(type.element()) + "*";
  const std::string tag = named_array_tag(type);
  return tag.empty() ? ior_value_type(type) : "struct " + tag + "*";
}

std::string member_declaration(const ir::TypeRef& type, std::string_view name) {
  const std::string one = declare(member_type(type), name);
  return is_inline(type) ? one + "[" + std::to_string(inline_size(type)) + "]" : one;
}

std::string ior_parameter_type(const ir::TypeRef& type, ir::Argument::Mode mode) {
  if (mode != ir::Argument::IN) return ior_value_type(type) + "*";
  if (type.kind() == ir::TypeRef::STRING) return "const char*";
  if (type.kind() == ir::TypeRef::STRUCT) return "const " + ior_value_type(type) + "*";
  return ior_value_type(type);
}

bool is_complex(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::FCOMPLEX || type.kind() == ir::TypeRef::DCOMPLEX;
}

bool is_aggregate(const ir::TypeRef& type) {
  return is_complex(type) || type.kind() == ir::TypeRef::STRUCT;
}

std::string ior_zero(const ir::TypeRef& type) {
  if (const BasicType* basic = find_basic_type(type.kind())) return std::string(basic->c_zero);
  switch (type.kind()) {
    case ir::TypeRef::STRUCT:
      return "{0}";
    case ir::TypeRef::CLASS:
    case ir::TypeRef::INTERFACE:
    case ir::TypeRef::ARRAY:
    case ir::TypeRef::RARRAY:
      return "NULL";
    default:
      return "0";
  }
}

std::string declare(std::string_view type, std::string_view name) {
  return std::string(type) + " " + std::string(name);
}

std::string ior_argument_address(const ir::Argument& argument) {
  const std::string name = Namer::argument(argument.name());
  if (argument.mode() != ir::Argument::IN) return name;
  return (argument.type().kind() == ir::TypeRef::STRUCT ? "(void*)" : "&") + name;
}

std::string ior_parameters(const ir::Method& method) {
  std::vector<std::string> parts;
  for (const ir::Argument& argument : method.arguments()) {
    parts.push_back(declare(ior_parameter_type(argument.type(), argument.mode()),
                            Namer::argument(argument.name())));
  }
  parts.push_back(declare(kExType, "_ex"));
  return join(parts);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string result;
  for (const std::string& part : parts) {
    if (!result.empty()) result += separator;
    result += part;
  }
  return result;
}

}  // namespace shinar::codegen
