// In: ANTLR's trees of the items of a file, in text order; for a damaged item, that it is missing.
// Out: the AST, with doc comments attached and numbers parsed. Everything is copied from a tree,
// which may be freed after the call.
#pragma once

#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "frontend/ast.hpp"
#include "frontend/tree_reader.hpp"

namespace shinar {

class AstBuilder {
 public:
  AstBuilder(const Source& source, Diagnostics& diagnostics);

  // Begins a type; what is added up to the matching end_type() is its contents. `body` is the tree
  // of the package, enum, struct, class or interface. Of a damaged head the kind and, if present,
  // the name are read.
  void begin_type(antlr4::ParserRuleContext* tree, antlr4::ParserRuleContext* body,
                  bool is_damaged);
  void end_type();
  // A require or import statement; a method, struct member or enumerator of the innermost type.
  void add(antlr4::ParserRuleContext* tree);
  // Something is missing in the innermost type, or in the file if there is none.
  void damage();
  void damage_file() { file_.is_damaged = true; }
  // An unrecognisable type.
  void lose_type() { damage(); }

  ast::File take() { return std::move(file_); }

 private:
  void header(ast::Import statement);
  ast::ScopedName damaged_name(Tree::PackageTypeContext* tree) const;
  ast::Package package(Tree::PackageTypeContext* tree, bool is_damaged) const;
  ast::Object class_type(Tree::ClassTypeContext* tree, bool is_damaged) const;
  ast::Object interface_type(Tree::InterfaceTypeContext* tree, bool is_damaged) const;
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
