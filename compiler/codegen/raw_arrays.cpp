#include "codegen/raw_arrays.hpp"

#include <algorithm>
#include <cstdlib>

#include "codegen/type_index.hpp"

namespace shinar::codegen {
namespace {

// "+" > "sidl_extent_add"
std::string function_of(const std::string& sign) {
  if (sign == "+") return "sidl_extent_add";
  if (sign == "-") return "sidl_extent_sub";
  return sign == "*" ? "sidl_extent_mul" : "sidl_extent_div";
}

std::string call(const std::string& function, const std::string& a, const std::string& b) {
  return function + "(" + a + ", " + b + ")";
}

// Integer literals of SIDL: decimal, octal, hexadecimal, with a sign or an 'l'.
std::string number(const std::string& text) {
  const long long value = std::strtoll(text.c_str(), nullptr, 0);
  const bool is_wide = value > 0x7fffffff || value < -0x7fffffff;
  return is_wide ? "INT64_C(" + std::to_string(value) + ")" : std::to_string(value);
}

std::string extent_text(const ir::Expression& extent, const std::vector<std::string>& variables) {
  if (extent.kind() == ir::Expression::VARIABLE) return variables.at(extent.index());
  if (extent.kind() != ir::Expression::CHAIN) return number(extent.text());
  std::string result = extent_text(extent.operands(0), variables);
  for (int i = 1; i < extent.operands_size(); ++i) {
    result = call(function_of(extent.operators(i - 1)), result,
                  extent_text(extent.operands(i), variables));
  }
  return result;
}

// Solves one step of a chain, `unknown sign other` or `other sign unknown`, whose value is given.
std::optional<std::string> undo(const std::string& sign, bool unknown_is_left,
                                const std::string& other, const std::string& value) {
  if (sign == "+") return call("sidl_extent_sub", value, other);
  if (sign == "-") {
    return unknown_is_left ? call("sidl_extent_add", value, other)
                           : call("sidl_extent_sub", other, value);
  }
  if (sign == "*") return call("sidl_extent_exact", value, other);
  return std::nullopt;  // a quotient is rounded: there are several solutions
}

std::optional<std::string> solve(const ir::Expression& extent, const std::string& value) {
  if (extent.kind() == ir::Expression::VARIABLE) return value;
  if (extent.kind() != ir::Expression::CHAIN) return std::nullopt;
  int place = 0;  // index of the operand that holds the variable
  while (place < extent.operands_size() && !extent_variable(extent.operands(place))) ++place;
  if (place == extent.operands_size()) return std::nullopt;
  std::optional<std::string> result = value;
  for (int i = extent.operands_size() - 1; i >= std::max(place, 1); --i) {
    const bool unknown_is_left = i > place;
    std::string other = extent_text(extent.operands(unknown_is_left ? i : 0), {});
    for (int left = 1; !unknown_is_left && left < place; ++left) {
      other = call(function_of(extent.operators(left - 1)), other,
                   extent_text(extent.operands(left), {}));
    }
    result = undo(extent.operators(i - 1), unknown_is_left, other, *result);
    if (!result) return std::nullopt;
  }
  return solve(extent.operands(place), *result);
}

}  // namespace

bool is_raw(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::RARRAY;
}

bool has_raw_arrays(const ir::Method& method) {
  return std::ranges::any_of(method.arguments(),
                             [](const ir::Argument& a) { return is_raw(a.type()); });
}

bool demands_layout(const ir::TypeRef& type) {
  return is_raw(type) ||
         (type.kind() == ir::TypeRef::ARRAY && type.order() != ir::TypeRef::ANY_ORDER);
}

bool demands_dimension(const ir::TypeRef& type) {
  return is_raw(type) || (type.kind() == ir::TypeRef::ARRAY && type.dimension() != 0);
}

ir::TypeRef as_array(const ir::TypeRef& type) {
  ir::TypeRef result = type;
  if (!is_raw(type)) return result;
  result.set_kind(ir::TypeRef::ARRAY);
  result.set_order(ir::TypeRef::COLUMN_MAJOR);
  result.clear_extents();
  return result;
}

std::string array_type_constant(const ir::TypeRef& type) {
  return "sidl_" + sidl_type(type.element()) + "_array";
}

std::vector<std::string> extent_texts(const ir::TypeRef& type,
                                      const std::vector<std::string>& variables) {
  std::vector<std::string> result;
  for (const ir::Expression& extent : type.extents()) {
    result.push_back(extent_text(extent, variables));
  }
  return result;
}

std::optional<std::uint32_t> extent_variable(const ir::Expression& extent) {
  if (extent.kind() == ir::Expression::VARIABLE) return extent.index();
  for (const ir::Expression& operand : extent.operands()) {
    if (const auto found = extent_variable(operand)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> solve_extent(const ir::Expression& extent, const std::string& length) {
  return solve(extent, length);
}

}  // namespace shinar::codegen
