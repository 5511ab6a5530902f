#include "codegen/raw_arrays.hpp"

#include <algorithm>
#include <cstdint>
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

// As SIDL writes integers: decimal, octal, hexadecimal, with a sign or an 'l'.
std::int64_t literal(const std::string& text) {
  return std::strtoll(text.c_str(), nullptr, 0);
}

std::string number(std::int64_t value) {
  const bool is_wide = value > 0x7fffffff || value < -0x7fffffff;
  return is_wide ? "INT64_C(" + std::to_string(value) + ")" : std::to_string(value);
}

std::string extent_text(const ir::Expression& extent, const std::vector<std::string>& variables) {
  if (extent.kind() == ir::Expression::VARIABLE) return variables.at(extent.index());
  if (extent.kind() != ir::Expression::CHAIN) return number(literal(extent.text()));
  std::string result = extent_text(extent.operands(0), variables);
  for (int i = 1; i < extent.operands_size(); ++i) {
    result = call(function_of(extent.operators(i - 1)), result,
                  extent_text(extent.operands(i), variables));
  }
  return result;
}

// Computes with what extents are made of; nothing where 64 bits do not hold it, and where a product
// or a quotient of variables would be needed.
std::optional<Affine> combine(const std::string& sign, const Affine& a, const Affine& b) {
  Affine result;
  const bool is_product = sign == "*";
  if (sign == "/") {  // which rounds: what is left of a variable belongs to several of its values
    if (a.factor != 0 || b.factor != 0 || b.constant == 0 || b.constant == -1) return std::nullopt;
    return Affine{0, a.constant / b.constant};
  }
  if (is_product && a.factor != 0) return combine(sign, b, a);
  if (is_product && a.factor == 0) {
    const bool is_wide = __builtin_mul_overflow(a.constant, b.factor, &result.factor) ||
                         __builtin_mul_overflow(a.constant, b.constant, &result.constant);
    return is_wide ? std::nullopt : std::optional(result);
  }
  const bool is_wide = sign == "+"
                           ? __builtin_add_overflow(a.factor, b.factor, &result.factor) ||
                                 __builtin_add_overflow(a.constant, b.constant, &result.constant)
                           : __builtin_sub_overflow(a.factor, b.factor, &result.factor) ||
                                 __builtin_sub_overflow(a.constant, b.constant, &result.constant);
  return is_wide ? std::nullopt : std::optional(result);
}

std::optional<Affine> affine(const ir::Expression& extent) {
  if (extent.kind() == ir::Expression::VARIABLE) return Affine{1, 0};
  if (extent.kind() != ir::Expression::CHAIN) return Affine{0, literal(extent.text())};
  std::optional<Affine> result = affine(extent.operands(0));
  for (int i = 1; result && i < extent.operands_size(); ++i) {
    const std::optional<Affine> operand = affine(extent.operands(i));
    result = operand ? combine(extent.operators(i - 1), *result, *operand) : std::nullopt;
  }
  return result;
}

void renumber(ir::Expression& expression, const std::vector<int>& numbers) {
  if (expression.kind() == ir::Expression::VARIABLE) {
    expression.set_index(static_cast<std::uint32_t>(numbers[expression.index()]));
  }
  for (ir::Expression& operand : *expression.mutable_operands()) renumber(operand, numbers);
}

}  // namespace

bool is_raw(const ir::TypeRef& type) {
  return type.kind() == ir::TypeRef::RARRAY;
}

std::vector<std::int64_t> inline_lengths(const ir::TypeRef& member) {
  std::vector<std::int64_t> lengths;
  if (!is_raw(member)) return lengths;
  for (const ir::Expression& extent : member.extents()) {
    const std::optional<Affine> found = affine(extent);
    // sema/raw_arrays.cpp refuses lengths that no array in a struct has.
    if (!found || found->factor != 0 || found->constant < 1) return {};
    lengths.push_back(found->constant);
  }
  return lengths;
}

bool is_inline(const ir::TypeRef& member) {
  return !inline_lengths(member).empty();
}

std::int64_t inline_size(const ir::TypeRef& member) {
  std::int64_t size = 1;
  for (const std::int64_t length : inline_lengths(member)) size *= length;
  return size;
}

bool is_raw_member(const ir::TypeRef& member) {
  return is_raw(member) && !is_inline(member);
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

std::optional<IndexSource> index_source(const ir::Method& method, std::uint32_t index) {
  std::optional<IndexSource> best;
  for (int i = 0; i < method.arguments_size(); ++i) {
    const ir::TypeRef& type = method.arguments(i).type();
    for (int d = 0; d < type.extents_size(); ++d) {
      if (extent_variable(type.extents(d)) != index) continue;
      const std::optional<Affine> extent = affine(type.extents(d));
      const bool has_solution = extent && extent->factor != 0 && extent->constant != INT64_MIN;
      if (!has_solution) continue;
      const IndexSource source{i, d, *extent};
      if (source.is_length()) return source;
      if (!best) best = source;
    }
  }
  return best;
}

std::string solved_extent(const Affine& extent, const std::string& length) {
  std::string result = length;
  if (extent.constant > 0) result = call("sidl_extent_sub", result, number(extent.constant));
  if (extent.constant < 0) result = call("sidl_extent_add", result, number(-extent.constant));
  if (extent.factor != 1) result = call("sidl_extent_exact", result, number(extent.factor));
  return result;
}

void renumber_extents(ir::Method& method, const std::vector<int>& numbers) {
  for (ir::Argument& argument : *method.mutable_arguments()) {
    for (ir::Expression& extent : *argument.mutable_type()->mutable_extents()) {
      renumber(extent, numbers);
    }
  }
}

}  // namespace shinar::codegen
