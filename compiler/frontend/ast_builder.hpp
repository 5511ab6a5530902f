// In: ANTLR's trees of the items of a file without syntax errors, in the order of the text.
// Out: the AST, with doc comments attached and numbers read. Whatever is read from a tree is
// copied: it may go after the call.
#pragma once

#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "frontend/ast.hpp"
#include "frontend/tree_reader.hpp"

namespace shinar {

class AstBuilder {
 public:
  AstBuilder(const Source& source, Diagnostics& diagnostics);

  // A type with its heading; what is added up to the matching end_type() is its contents. `body` is
  // the tree of the package, enum, struct, class or interface in it.
  void begin_type(antlr4::ParserRuleContext* tree, antlr4::ParserRuleContext* body);
  void end_type();
  // A require or import statement; a method, struct member or enumerator of the innermost type.
  void add(antlr4::ParserRuleContext* tree);

  ast::File take() { return std::move(file_); }

 private:
  void header(ast::Import statement);
  ast::Package package(Tree::PackageTypeContext* tree) const;
  ast::Enum enumeration(Tree::EnumTypeContext* tree) const;
  ast::Struct structure(Tree::StructTypeContext* tree) const;
  ast::Object class_type(Tree::ClassTypeContext* tree) const;
  ast::Object interface_type(Tree::InterfaceTypeContext* tree) const;
  ast::Enumerator enumerator(Tree::EnumeratorContext* tree) const;
  ast::Member member(Tree::StructMemberContext* tree) const;
  ast::Method method(Tree::MethodContext* tree) const;
  ast::Argument argument(Tree::ArgumentContext* tree) const;

  TreeReader read_;
  Diagnostics& diagnostics_;
  ast::File file_;
  std::vector<ast::Declaration> open_;  // outermost first
};

}  // namespace shinar
