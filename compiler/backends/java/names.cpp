#include "backends/java/names.hpp"

#include <algorithm>

#include "codegen/c_types.hpp"
#include "codegen/names.hpp"
#include "codegen/reserved_words.hpp"

namespace shinar::backends::java {
namespace {

using codegen::Words;

// Whether the type is one of Java's own that no other SIDL type becomes.
bool is_distinct(const ir::Argument& argument) {
  if (argument.mode() != ir::Argument::IN) return false;  // a Holder, whatever is in it
  switch (argument.type().kind()) {
    case ir::TypeRef::LONG:
    case ir::TypeRef::OPAQUE:
    case ir::TypeRef::ARRAY:
    case ir::TypeRef::RARRAY:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::string java_name(std::string_view name) {
  return std::string(name) + (codegen::is_reserved(Words::java, name) ? "_" : "");
}

std::string java_package(std::string_view package) {
  std::vector<std::string> parts;
  for (const std::string& part : codegen::Namer::parts(package)) parts.push_back(java_name(part));
  return codegen::join(parts, ".");
}

std::string java_type(const ir::Type& type) {
  return java_package(type.package()) + "." + java_name(type.local_name());
}

std::string java_path(const ir::Type& type) {
  std::string path = java_type(type);
  std::ranges::replace(path, '.', '/');
  return path;
}

std::string method_name(const ir::Method& method) {
  const bool is_overload = std::ranges::all_of(method.arguments(), is_distinct);
  const std::string& name = is_overload ? method.name() : method.long_name();
  return java_name(name) + (codegen::is_reserved(Words::java_method, name) ? "_" : "");
}

}  // namespace shinar::backends::java
