#include "sema/contract_expressions.hpp"

#include "diagnostics/spelling.hpp"
#include "sema/contract_literals.hpp"

namespace shinar::sema {
namespace {

using model::Expression;
using model::Kind;

// JSON of protocol buffers may be nested 64 levels, including what encloses an expression.
constexpr int kMaxDepth = 48;

Expression start(Expression::Kind kind, const ast::Expression& tree) {
  Expression result;
  result.kind = kind;
  result.text = tree.text;
  result.span = tree.span;
  return result;
}

bool is_word(const ast::Expression& tree, std::string_view word) {
  return tree.kind == ast::Expression::Kind::Literal && tree.text == word;
}

}  // namespace

model::Expression ExpressionReader::read(const ast::Expression& tree) {
  return inner(tree);
}

model::Expression ExpressionReader::inner(const ast::Expression& tree) {
  Expression result = operand(tree);
  if (is_null(result)) {
    report(Code::ContractNull, tree.span, "null can only be an operand of '==' or '!='");
  }
  return result;
}

model::Expression ExpressionReader::operand(const ast::Expression& tree) {
  if (depth_ >= kMaxDepth) {
    if (!too_deep_) {
      report(Code::TooDeep, tree.span,
             "the expression is nested more than " + std::to_string(kMaxDepth) + " levels deep");
    }
    too_deep_ = true;
    return start(Expression::Kind::Literal, tree);
  }
  ++depth_;
  const auto read = [&]() -> Expression {
    switch (tree.kind) {
      case ast::Expression::Kind::Chain:
        return chain(tree);
      case ast::Expression::Kind::Unary:
        return unary(tree);
      case ast::Expression::Kind::Call:
        return call(tree);
      case ast::Expression::Kind::Name:
        return name(tree);
      default:
        return literal(tree, false);
    }
  };
  Expression result = read();
  --depth_;
  return result;
}

// ---- literals -----------------------------------------------------------------------------------

model::Expression ExpressionReader::literal(const ast::Expression& tree, bool negated) {
  if (is_word(tree, "result")) return result(tree);
  Expression literal = start(Expression::Kind::Literal, tree);
  if (is_word(tree, "pure")) {
    misplaced_pure(tree.span);
  } else if (!is_word(tree, "null")) {
    literal.type = literal_type(tree, negated, diagnostics_);
  }
  return literal;
}

model::Expression ExpressionReader::result(const ast::Expression& tree) {
  Expression result = start(Expression::Kind::Result, tree);
  result.text.clear();
  if (scope_.clause != ast::Clause::Kind::Ensure || scope_.method == nullptr) {
    const bool is_require = scope_.clause == ast::Clause::Kind::Require;
    report(Code::ContractResult, tree.span,
           is_require ? "a require clause cannot use the result, which does not exist yet; use an "
                        "ensure clause"
                      : "an invariant is about the object and cannot use a result; use an "
                        "ensure clause");
  } else if (scope_.method->result.kind == Kind::Void) {
    report(Code::ContractVoidResult, tree.span,
           in_quotes(scope_.method->long_name) + " is void and has no result")
        .note(scope_.method->span, "it is declared here as void");
  } else {
    result.type = scope_.method->result;
  }
  return result;
}

void ExpressionReader::misplaced_pure(Span span) {
  if (scope_.clause == ast::Clause::Kind::Ensure) {
    report(Code::ContractPureAlone, span, "purity must be a separate assertion: 'is pure;'");
    return;
  }
  const bool is_require = scope_.clause == ast::Clause::Kind::Require;
  report(Code::ContractPure, span,
         "purity belongs in an ensure clause, not in " +
             std::string(is_require ? "a require clause" : "an invariant"));
}

// ---- names --------------------------------------------------------------------------------------

model::Expression ExpressionReader::name(const ast::Expression& tree) {
  if (scope_.method != nullptr) {
    const auto& arguments = scope_.method->arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].name == tree.text) return argument(static_cast<std::uint32_t>(i), tree);
    }
  }
  if (unknown_.insert(tree.text).second) report_unknown(tree);
  return start(Expression::Kind::Variable, tree);
}

model::Expression ExpressionReader::argument(std::uint32_t index, const ast::Expression& tree) {
  Expression variable = start(Expression::Kind::Variable, tree);
  const model::Argument& argument = scope_.method->arguments[index];
  variable.index = index;
  variable.type = argument.type;
  const bool is_require = scope_.clause == ast::Clause::Kind::Require;
  if (is_require && argument.direction == ast::Direction::Out) {
    variable.type = {};
    if (!unknown_.insert(tree.text).second) return variable;
    report(Code::ContractOutput, tree.span,
           "the out argument " + in_quotes(tree.text) +
               " has no value yet when a require clause is checked")
        .note(argument.span, "it is declared here");
  }
  return variable;
}

void ExpressionReader::report_unknown(const ast::Expression& tree) {
  const std::string& text = tree.text;
  if (const model::Method* method = scope_.callables.find(text)) {
    report(Code::ContractUnknownName, tree.span,
           in_quotes(text) + " is a method; call it with parentheses: " + text +
               (method->arguments.empty() ? "()" : "(\u2026)"));
    return;
  }
  std::vector<std::string> candidates{"true", "false", "null"};
  if (scope_.method != nullptr) {
    for (const model::Argument& argument : scope_.method->arguments) {
      const bool is_hidden =
          scope_.clause == ast::Clause::Kind::Require && argument.direction == ast::Direction::Out;
      if (!is_hidden) candidates.push_back(argument.name);
    }
  }
  const bool is_of_result = scope_.clause == ast::Clause::Kind::Ensure;
  if (is_of_result) candidates.emplace_back("result");
  const bool is_its_other_name = text == "return" || text == "retval" || text == "_retval";
  const auto meant = is_of_result && is_its_other_name ? std::optional<std::string>("result")
                                                       : closest(text, candidates);
  const bool invariant = scope_.method == nullptr;
  Diagnostic& diagnostic = invariant ? report(Code::ContractNameInInvariant, tree.span,
                                              in_quotes(text) +
                                                  " is unknown: an invariant can only use the "
                                                  "pure methods of its type")
                                     : report(Code::ContractUnknownName, tree.span,
                                              in_quotes(text) + " is not an argument of " +
                                                  in_quotes(scope_.method->long_name));
  if (!meant) return;
  diagnostic.message += "; did you mean " + in_quotes(*meant) + "?";
  diagnostic.suggest(tree.span, *meant);
}

}  // namespace shinar::sema
