// In: small pieces of ANTLR's parse tree.
// Out: the AST's building blocks: names, numbers, types, attributes, expressions.
#pragma once

#include <string>
#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "frontend/antlr.hpp"
#include "frontend/ast.hpp"

namespace shinar {

using Tree = grammar::SidlParser;

class TreeReader {
 public:
  TreeReader(const Source& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  Span span(const antlr4::Token* token) const;
  Span span(const antlr4::ParserRuleContext* tree) const;
  std::string text(Span span) const;
  // The doc comment before a declaration, without marks.
  std::string doc(const antlr4::ParserRuleContext* tree) const;

  ast::Name name(const antlr4::Token* token) const;  // null: missing, gives an empty one
  ast::Name extension(const antlr4::Token* token) const;
  ast::ScopedName scoped_name(Tree::ScopedNameContext* tree) const;
  std::vector<ast::ScopedName> name_list(Tree::NameListContext* tree) const;
  std::optional<ast::Version> version(Tree::VersionClauseContext* tree) const;
  ast::Integer integer(Tree::IntegerContext* tree) const;
  ast::TypeRef type(Tree::TypeContext* tree) const;
  ast::RawArray raw_array(Tree::RarrayContext* tree) const;

  template <typename Context>
  std::vector<ast::Attribute> attributes(const std::vector<Context*>& trees) const {
    std::vector<ast::Attribute> list;
    list.reserve(trees.size());
    for (Context* tree : trees) list.push_back(attribute(tree->start, tree->list));
    return list;
  }

  template <typename Context>
  ast::Clause clause(ast::Clause::Kind kind, Context* tree) const {
    ast::Clause clause{kind, span(tree->start), {}};
    for (auto* assertion : tree->assertions) {
      if (assertion->exception == nullptr) clause.assertions.push_back(read_assertion(assertion));
    }
    return clause;
  }

 private:
  // `list` is null for an attribute that is a single word.
  ast::Attribute attribute(antlr4::Token* word, Tree::AttributeListContext* list) const;
  ast::TypeRef array(Tree::ArrayTypeContext* tree) const;
  ast::Assertion read_assertion(Tree::AssertionContext* tree) const;
  ast::Expression expression(antlr4::ParserRuleContext* tree) const;
  ast::Expression atom(Tree::AtomContext* tree) const;
  ast::Integer number(Span span) const;

  const Source& source_;
  Diagnostics& diagnostics_;
};

}  // namespace shinar
