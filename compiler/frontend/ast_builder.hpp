// In: ANTLR's trees of the items of a file, in the order of the text; of a damaged item, that it is
// missing.
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
  // the tree of the package, enum, struct, class or interface in it. Of a damaged head the kind and
  // the name are read, as far as it has one.
  void begin_type(antlr4::ParserRuleContext* tree, antlr4::ParserRuleContext* body,
                  bool is_damaged);
  void end_type();
  // A require or import statement; a method, struct member or enumerator of the innermost type.
  void add(antlr4::ParserRuleContext* tree);
  // Something is missing in the innermost type, or in the file if there is none.
  void damage();
  void damage_file() { file_.is_damaged = true; }
  // A type of which nothing is known.
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
