#include "ir/expression_form.hpp"

#include <algorithm>
#include <string_view>

#include "frontend/words.hpp"
#include "ir/text.hpp"

namespace shinar::ir {
namespace {

bool is_prefix(std::string_view op) {
  return op == "+" || op == "-" || op == "~" || op == "not" || op == "is";
}

// Operators of one level, as many as there are places for them.
bool is_chain(const Expression& expression) {
  const int operators = expression.operators_size();
  if (operators == 0 || expression.operands_size() != operators + 1) return false;
  return std::ranges::all_of(expression.operators(), [&](const std::string& op) {
    return precedence(op) != 0 && precedence(op) == precedence(expression.operators(0));
  });
}

bool has_variable(const Expression& expression) {
  return expression.kind() == Expression::VARIABLE ||
         std::ranges::any_of(expression.operands(), has_variable);
}

}  // namespace

bool is_condition(const Expression& expression) {
  bool is_fine = true;
  switch (expression.kind()) {
    case Expression::VARIABLE:
    case Expression::RESULT:
      break;
    case Expression::UNARY:
      is_fine = expression.operands_size() == 1 && expression.operators_size() == 1 &&
                is_prefix(expression.operators(0));
      break;
    case Expression::CHAIN:
      is_fine = is_chain(expression);
      break;
    case Expression::CALL:
    case Expression::BUILTIN:
      is_fine = is_name(expression.text());
      break;
    default:
      is_fine = is_literal(expression.text());
      break;
  }
  return is_fine && std::ranges::all_of(expression.operands(), is_condition);
}

bool is_extent(const Expression& expression) {
  if (expression.kind() == Expression::LITERAL) return is_extent_number(expression.text());
  if (expression.kind() != Expression::CHAIN) return expression.kind() == Expression::VARIABLE;
  const auto is_known = [](const std::string& op) {
    return op == "+" || op == "-" || op == "*" || op == "/";
  };
  return is_chain(expression) && std::ranges::all_of(expression.operators(), is_known) &&
         std::ranges::all_of(expression.operands(), is_extent);
}

bool names_variable(const TypeRef& type) {
  return std::ranges::any_of(type.extents(), has_variable);
}

}  // namespace shinar::ir
