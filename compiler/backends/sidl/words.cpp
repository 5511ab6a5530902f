#include "backends/sidl/words.hpp"

#include "ir/text.hpp"

namespace shinar::backends::sidl {
std::string attribute_words(const google::protobuf::RepeatedPtrField<ir::Attribute>& attributes) {
  if (attributes.empty()) return {};
  std::string result;
  for (const ir::Attribute& item : attributes) {
    result += (result.empty() ? "%attrib{" : ", ") + item.key();
    if (item.has_value()) result += " = " + ir::string_literal(item.value());
  }
  return result + "} ";
}

std::string method_words(const ir::Method& method, bool in_class) {
  std::string result = attribute_words(method.attributes());
  if (method.local()) result += "local ";
  if (method.oneway()) result += "oneway ";
  if (method.nonblocking()) result += "nonblocking ";
  if (method.is_static()) result += "static ";
  if (method.abstract() && in_class) result += "abstract ";
  if (method.final()) result += "final ";
  if (method.copy()) result += "copy ";
  return result;
}

std::string renamed(const ir::Method& method) {
  const std::string& name = method.from().long_name();
  if (!name.starts_with(method.name()) || name == method.name()) return name;
  return method.name() + "[" + name.substr(method.name().size()) + "]";
}

std::vector<std::string> assertion_lines(
    const google::protobuf::RepeatedPtrField<ir::Assertion>& assertions,
    const std::vector<std::string_view>& variables) {
  std::vector<std::string> result;
  for (const ir::Assertion& item : assertions) {
    const std::string name = item.name().empty() ? "" : item.name() + ": ";
    result.push_back(name + ir::expression_text(item.expression(), variables) + ";");
  }
  return result;
}

std::vector<std::string_view> argument_names(const ir::Method& method) {
  std::vector<std::string_view> result;
  for (const ir::Argument& item : method.arguments()) result.emplace_back(item.name());
  return result;
}

std::vector<std::string_view> member_names(const ir::Struct& structure) {
  std::vector<std::string_view> result;
  for (const ir::Member& item : structure.members()) result.emplace_back(item.name());
  return result;
}

}  // namespace shinar::backends::sidl
