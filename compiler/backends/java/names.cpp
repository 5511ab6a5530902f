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
  return codegen::Namer::escaped(
      name, [](std::string_view word) { return codegen::is_reserved(Words::java, word); });
}

Hidden hidden_by_variables(const codegen::TypeIndex& index, const ir::Type& self,
                           const codegen::TypeMentions& mentioned) {
  const std::string local = java_name(self.local_name());
  Hidden hidden{local, local + "_Impl"};
  for (const std::string& name : mentioned.names()) {
    const ir::Type& type = index.find(name);
    hidden.insert(type.package() == self.package()
                      ? java_name(type.local_name())
                      : java_name(codegen::Namer::parts(type.package()).front()));
  }
  return hidden;
}

std::string variable_name(std::string_view name, const Hidden& hidden) {
  return codegen::Namer::escaped(name, [&](std::string_view word) {
    return codegen::is_reserved(Words::java, word) ||
           codegen::is_reserved(Words::java_type, word) || hidden.contains(std::string(word));
  });
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
  return codegen::Namer::escaped(name, [](std::string_view word) {
    return codegen::is_reserved(Words::java, word) ||
           codegen::is_reserved(Words::java_method, word);
  });
}

}  // namespace shinar::backends::java
