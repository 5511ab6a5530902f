// Operators: operand and result types of each level of precedence.

#include "sema/contract_expressions.hpp"

namespace shinar::sema {
namespace {

using model::Expression;
using model::Kind;
using model::TypeRef;

// The operator of an operand: the one before it, or after the first one.
std::string_view operator_at(const Expression& chain, std::size_t operand) {
  return chain.operators[operand == 0 ? 0 : operand - 1];
}

Span joined(const Expression& first, const Expression& last) {
  return {first.span.file, first.span.begin, last.span.end};
}

bool is_modulo(std::string_view op) {
  return op == "%" || op == "mod" || op == "rem";
}

}  // namespace

bool is_null(const Expression& expression) {
  return expression.kind == Expression::Kind::Literal && expression.text == "null";
}

model::Expression ExpressionReader::unary(const ast::Expression& tree) {
  const std::string& op = tree.text;
  const ast::Expression& operand = tree.operands.front();
  const bool is_literal = operand.kind == ast::Expression::Kind::Literal;
  Expression result;
  result.kind = Expression::Kind::Unary;
  result.operators.push_back(op);
  result.span = tree.span;
  if (op == "is") {
    if (is_literal && operand.text == "pure") {
      misplaced_pure(tree.span);
    } else {
      report(Code::ContractPureAlone, tree.span, "'is' must be followed by 'pure': 'is pure;'");
    }
    return result;
  }
  result.operands.push_back(
      is_literal && op == "-" && operand.text != "null" ? literal(operand, true) : inner(operand));
  const TypeRef& type = result.operands.front().type;
  if (type.kind == Kind::Error) return result;
  if (op == "not" && type.kind != Kind::Bool) {
    report(Code::ContractCondition, operand.span,
           "'not' needs a condition of type bool, not " + model::to_string(type))
        .note(std::nullopt, "'not' binds tighter than other operators: write not (a == b)");
  } else if (op == "~" && !is_integer(type.kind)) {
    report(Code::ContractBits, operand.span,
           "'~' needs an int or a long, not " + model::to_string(type));
  } else if (op != "not" && op != "~" && !is_number(type.kind)) {
    report(Code::ContractArithmetic, operand.span,
           in_quotes(op) + " needs a number, not " + model::to_string(type));
  } else {
    result.type = type;
  }
  return result;
}

model::Expression ExpressionReader::chain(const ast::Expression& tree) {
  Expression result = unresolved_chain(tree);
  switch (operation_of(tree.operators.front())) {
    case Operation::Logic:
      logic(result);
      break;
    case Operation::Bits:
      integers(result, Code::ContractBits);
      break;
    case Operation::Shift:
      integers(result, Code::ContractShift);
      break;
    case Operation::Arithmetic:
      arithmetic(result);
      break;
    default:
      comparison(result);
      break;
  }
  return result;
}

// Reads the operands without deciding the type of the operators.
model::Expression ExpressionReader::unresolved_chain(const ast::Expression& tree) {
  Expression result;
  result.kind = Expression::Kind::Chain;
  result.span = tree.span;
  result.operators = tree.operators;
  result.operands.reserve(tree.operands.size());
  const bool takes_null = operation_of(tree.operators.front()) == Operation::Equality;
  for (const ast::Expression& item : tree.operands) {
    result.operands.push_back(takes_null ? operand(item) : inner(item));
  }
  return result;
}

void ExpressionReader::logic(Expression& chain) {
  for (std::size_t i = 0; i < chain.operands.size(); ++i) {
    const Expression& operand = chain.operands[i];
    if (operand.type.kind == Kind::Bool || operand.type.kind == Kind::Error) continue;
    report(Code::ContractCondition, operand.span,
           in_quotes(operator_at(chain, i)) + " needs conditions of type bool, not " +
               model::to_string(operand.type));
  }
  chain.type = {.kind = Kind::Bool};
}

// Bit operations and shifts.
void ExpressionReader::integers(Expression& chain, Code code) {
  bool ok = true;
  Kind widest = Kind::Int;
  for (std::size_t i = 0; i < chain.operands.size(); ++i) {
    const Expression& operand = chain.operands[i];
    if (is_integer(operand.type.kind)) {
      widest = wider(widest, operand.type.kind);
      continue;
    }
    ok = false;
    if (operand.type.kind == Kind::Error) continue;
    const std::string_view op = operator_at(chain, i);
    Diagnostic& diagnostic = report(code, operand.span,
                                    in_quotes(op) + " needs operands of type int or long, not " +
                                        model::to_string(operand.type));
    const bool is_chain = operand.kind == Expression::Kind::Chain;
    if (is_chain && is_comparison(operand.operators.front())) {
      diagnostic.note(std::nullopt, in_quotes(operand.operators.front()) + " binds tighter than " +
                                        in_quotes(op) + ": put the bit operation in parentheses");
    }
  }
  if (!ok) return;
  const bool is_shift = code == Code::ContractShift;  // the shift count does not matter
  chain.type = {.kind = is_shift ? chain.operands.front().type.kind : widest};
}

void ExpressionReader::arithmetic(Expression& chain) {
  TypeRef left = chain.operands.front().type;
  for (std::size_t i = 0; i < chain.operators.size(); ++i) {
    const std::string& op = chain.operators[i];
    const Expression& first = chain.operands[i];
    const Expression& second = chain.operands[i + 1];
    const TypeRef right = second.type;
    if (left.kind == Kind::Error || right.kind == Kind::Error) return;
    if (op == "+" && left.kind == Kind::String && right.kind == Kind::String) {
      report(Code::ContractConcatenation, joined(first, second),
             "contracts cannot concatenate strings with '+'");
      return;
    }
    const auto fits = is_modulo(op) ? is_integer : is_number;
    if (!fits(left.kind) || !fits(right.kind)) {
      const bool is_left = !fits(left.kind);
      report(
          Code::ContractArithmetic, is_left ? joined(chain.operands.front(), first) : second.span,
          in_quotes(op) + " needs " + (is_modulo(op) ? "operands of type int or long" : "numbers") +
              ", not " + model::to_string(is_left ? left : right));
      return;
    }
    left.kind = wider(left.kind, right.kind);
  }
  chain.type = left;
}

// Whatever is wrong with the operands, the result is a bool, and can be compared with a bool only.
void ExpressionReader::comparison(Expression& chain) {
  chain.type = {.kind = Kind::Bool};
  const std::string& op = chain.operators.front();
  Expression& left = chain.operands[0];
  Expression& right = chain.operands[1];
  if (resolve_null(op, left, right)) compare(op, left.type, right.type, joined(left, right));
  for (std::size_t i = 1; i < chain.operators.size(); ++i) {
    const std::string& next = chain.operators[i];
    const Expression& other = chain.operands[i + 1];
    const bool equals_bool =
        operation_of(next) == Operation::Equality && other.type.kind == Kind::Bool;
    if (equals_bool || (other.type.kind == Kind::Error && !is_null(other))) continue;
    const std::string& last = chain.operators[i - 1];
    report(Code::ContractComparisonChain, joined(left, other),
           "comparisons cannot be chained: instead of a " + last + " b " + next + " c, write a " +
               last + " b and b " + next + " c");
    return;
  }
}

void ExpressionReader::compare(std::string_view op, const TypeRef& left, const TypeRef& right,
                               Span span) {
  if (left.kind == Kind::Error || right.kind == Kind::Error) return;
  if (comparable(left, right, operation_of(op))) return;
  Diagnostic& diagnostic = report(Code::ContractComparison, span,
                                  in_quotes(op) + " cannot compare " + model::to_string(left) +
                                      " with " + model::to_string(right));
  if (is_array(left) || is_array(right)) {
    diagnostic.note(std::nullopt, "elements are compared by all(…), any(…), none(…) or count(…)");
  } else if (left.is_object() && right.is_object()) {
    diagnostic.note(std::nullopt, "objects are compared with null only");
  }
}

// Gives a null the type of the other operand. True if there is none.
bool ExpressionReader::resolve_null(std::string_view op, Expression& left, Expression& right) {
  if (!is_null(left) && !is_null(right)) return true;
  const auto refuse = [&](Span span, const std::string& why) {
    report(Code::ContractNull, span, in_quotes(op) + " compares null with " + why);
    return false;
  };
  if (is_null(left) && is_null(right)) return refuse(joined(left, right), "itself");
  Expression& null = is_null(left) ? left : right;
  const Expression& other = is_null(left) ? right : left;
  if (other.type.kind == Kind::Error) return false;
  if (!can_be_null(other.type)) {
    return refuse(other.span, model::to_string(other.type) +
                                  "; only objects, arrays, strings and opaque values can be null");
  }
  null.type = other.type;
  return false;
}

}  // namespace shinar::sema
