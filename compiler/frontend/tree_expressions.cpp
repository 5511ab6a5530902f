// Contract and extent expressions. One function serves all levels of precedence: a level's tree is
// either a single child, which is passed through, or operands with operators between them.

#include "frontend/tree_reader.hpp"

namespace shinar {
namespace {

antlr4::ParserRuleContext* as_rule(antlr4::tree::ParseTree* tree) {
  return dynamic_cast<antlr4::ParserRuleContext*>(tree);
}

}  // namespace

ast::Assertion TreeReader::read_assertion(Tree::AssertionContext* tree) const {
  ast::Assertion assertion;
  assertion.span = span(tree);
  if (tree->name != nullptr) assertion.name = name(tree->name);
  assertion.expression = expression(tree->value);
  return assertion;
}

ast::Expression TreeReader::expression(antlr4::ParserRuleContext* tree) const {
  while (tree->children.size() == 1 && as_rule(tree->children.front()) != nullptr) {
    tree = as_rule(tree->children.front());
  }
  if (auto* leaf = dynamic_cast<Tree::AtomContext*>(tree)) return atom(leaf);
  ast::Expression result;
  result.span = span(tree);
  if (tree->children.size() == 1 || dynamic_cast<Tree::IntegerContext*>(tree) != nullptr) {
    // A name or number in an extent.
    const bool is_name = tree->start->getType() == Tree::ID;
    result.kind = is_name ? ast::Expression::Kind::Name : ast::Expression::Kind::Literal;
    result.text = text(result.span);
    return result;
  }
  if (dynamic_cast<Tree::UnaryExpressionContext*>(tree) != nullptr) {
    result.kind = ast::Expression::Kind::Unary;
    result.text = text(span(tree->start));
    result.operands.push_back(expression(as_rule(tree->children[1])));
    return result;
  }
  if (dynamic_cast<Tree::ExtentFactorContext*>(tree) != nullptr) {
    return expression(as_rule(tree->children[1]));  // in parentheses
  }
  result.kind = ast::Expression::Kind::Chain;
  for (antlr4::tree::ParseTree* child : tree->children) {
    if (auto* operand = as_rule(child)) {
      result.operands.push_back(expression(operand));
    } else {
      result.operators.push_back(child->getText());
    }
  }
  return result;
}

ast::Expression TreeReader::atom(Tree::AtomContext* tree) const {
  if (tree->LPAREN() != nullptr && tree->ID() == nullptr) return expression(tree->expression(0));
  ast::Expression result;
  result.span = span(tree);
  if (auto* id = tree->ID()) {
    const bool call = tree->LPAREN() != nullptr;
    result.kind = call ? ast::Expression::Kind::Call : ast::Expression::Kind::Name;
    result.text = id->getText();
    for (auto* argument : tree->expression()) result.operands.push_back(expression(argument));
    return result;
  }
  if (tree->LBRACE() != nullptr) {
    // Without white space between the tokens.
    result.kind = ast::Expression::Kind::Complex;
    result.text = "{" + tree->number(0)->getText() + ", " + tree->number(1)->getText() + "}";
    return result;
  }
  result.text = text(result.span);
  return result;
}

}  // namespace shinar
