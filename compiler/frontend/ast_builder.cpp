#include "frontend/ast_builder.hpp"

#include "frontend/tree_reader.hpp"

namespace shinar {
namespace {

class AstBuilder {
 public:
  AstBuilder(const Source& source, antlr4::CommonTokenStream& tokens, Diagnostics& diagnostics)
      : read_(source, tokens, diagnostics), diagnostics_(diagnostics) {}

  ast::File file(Tree::FileContext* tree, std::uint32_t source);

 private:
  ast::Import import_statement(Tree::ImportStatementContext* tree) const;
  ast::Import require_statement(Tree::RequireStatementContext* tree) const;
  ast::Declaration declaration(Tree::UserTypeContext* tree) const;
  ast::Package package(Tree::PackageTypeContext* tree) const;
  ast::Enum enumeration(Tree::EnumTypeContext* tree) const;
  ast::Struct structure(Tree::StructTypeContext* tree) const;
  ast::Object class_type(Tree::ClassTypeContext* tree) const;
  ast::Object interface_type(Tree::InterfaceTypeContext* tree) const;
  ast::Method method(Tree::MethodContext* tree) const;
  ast::Argument argument(Tree::ArgumentContext* tree) const;

  TreeReader read_;
  Diagnostics& diagnostics_;
};

// All require statements come first, then all imports, then the types.
ast::File AstBuilder::file(Tree::FileContext* tree, std::uint32_t source) {
  ast::File file;
  file.source = source;
  for (antlr4::tree::ParseTree* child : tree->children) {
    std::string_view late;
    if (auto* require = dynamic_cast<Tree::RequireStatementContext*>(child)) {
      if (!file.imports.empty() && !file.imports.back().is_require) late = "the first import";
      file.imports.push_back(require_statement(require));
    } else if (auto* import = dynamic_cast<Tree::ImportStatementContext*>(child)) {
      file.imports.push_back(import_statement(import));
    } else if (auto* type = dynamic_cast<Tree::UserTypeContext*>(child)) {
      file.declarations.push_back(declaration(type));
      continue;
    } else {
      continue;  // the end of the file
    }
    const ast::Import& statement = file.imports.back();
    if (!file.declarations.empty()) late = "the first package";
    if (!late.empty()) {
      const std::string word = statement.is_require ? "require" : "import";
      diagnostics_.report(Code::HeaderOrder, statement.span,
                          "the " + word + " statement must stand before " + std::string(late));
    }
  }
  return file;
}

ast::Import AstBuilder::import_statement(Tree::ImportStatementContext* tree) const {
  ast::Import import{false, read_.scoped_name(tree->scopedName()), std::nullopt, read_.span(tree)};
  if (auto* version = tree->versionClause()) import.version = read_.version(version);
  return import;
}

ast::Import AstBuilder::require_statement(Tree::RequireStatementContext* tree) const {
  return {true, read_.scoped_name(tree->scopedName()), read_.version(tree->versionClause()),
          read_.span(tree)};
}

ast::Declaration AstBuilder::declaration(Tree::UserTypeContext* tree) const {
  ast::Declaration declaration;
  declaration.doc = read_.doc(tree);
  declaration.attributes = read_.attributes(tree->typeAttribute());
  if (auto* package_tree = tree->packageType()) {
    declaration.body = package(package_tree);
  } else if (auto* enum_tree = tree->enumType()) {
    declaration.body = enumeration(enum_tree);
  } else if (auto* struct_tree = tree->structType()) {
    declaration.body = structure(struct_tree);
  } else if (auto* class_tree = tree->classType()) {
    declaration.body = class_type(class_tree);
  } else {
    declaration.body = interface_type(tree->interfaceType());
  }
  return declaration;
}

ast::Package AstBuilder::package(Tree::PackageTypeContext* tree) const {
  ast::Package package;
  package.name = read_.scoped_name(tree->scopedName());
  if (auto* version = tree->versionClause()) package.version = read_.version(version);
  for (auto* type : tree->userType()) package.declarations.push_back(declaration(type));
  return package;
}

ast::Enum AstBuilder::enumeration(Tree::EnumTypeContext* tree) const {
  ast::Enum result;
  result.name = read_.name(tree->ID());
  for (auto* item : tree->items) {
    ast::Enumerator enumerator{read_.doc(item), read_.name(item->name), std::nullopt};
    if (item->value != nullptr) enumerator.value = read_.integer(item->value);
    result.enumerators.push_back(std::move(enumerator));
  }
  return result;
}

ast::Struct AstBuilder::structure(Tree::StructTypeContext* tree) const {
  ast::Struct result;
  result.name = read_.name(tree->ID());
  for (auto* item : tree->members) {
    ast::Member member;
    member.doc = read_.doc(item);
    if (auto* raw = item->raw) {
      member.raw = read_.raw_array(raw);
      member.name = read_.name(raw->ID());
    } else {
      member.type = read_.type(item->value);
      member.name = read_.name(item->name);
    }
    result.members.push_back(std::move(member));
  }
  return result;
}

ast::Object AstBuilder::class_type(Tree::ClassTypeContext* tree) const {
  ast::Object result;
  result.is_class = true;
  result.name = read_.name(tree->ID());
  result.extends = read_.name_list(tree->nameList());
  for (auto* clause : tree->implementsClause()) {
    const bool all = clause->IMPLEMENTS_ALL() != nullptr;
    for (ast::ScopedName& name : read_.name_list(clause->nameList())) {
      result.implements.push_back({all, std::move(name)});
    }
  }
  for (auto* invariant : tree->invariantClause()) {
    result.invariants.push_back(read_.clause(ast::Clause::Kind::Invariant, invariant));
  }
  for (auto* item : tree->methods) result.methods.push_back(method(item));
  return result;
}

ast::Object AstBuilder::interface_type(Tree::InterfaceTypeContext* tree) const {
  ast::Object result;
  result.name = read_.name(tree->ID());
  result.extends = read_.name_list(tree->nameList());
  for (auto* invariant : tree->invariantClause()) {
    result.invariants.push_back(read_.clause(ast::Clause::Kind::Invariant, invariant));
  }
  for (auto* item : tree->methods) result.methods.push_back(method(item));
  return result;
}

ast::Method AstBuilder::method(Tree::MethodContext* tree) const {
  ast::Method method;
  method.doc = read_.doc(tree);
  method.attributes = read_.attributes(tree->attributes);
  if (tree->value != nullptr) {
    method.result = read_.type(tree->value);
  } else {
    method.result.span = read_.span(tree->nothing);
  }
  method.name = read_.name(tree->name);
  if (tree->extension != nullptr) method.extension = read_.extension(tree->extension);
  method.arguments.reserve(tree->arguments.size());
  for (auto* item : tree->arguments) method.arguments.push_back(argument(item));
  if (auto* clause = tree->throwing) method.throws = read_.name_list(clause->nameList());
  if (auto* clause = tree->origin) {
    ast::FromClause from{read_.scoped_name(clause->scopedName()), std::nullopt, read_.span(clause)};
    if (auto* node = clause->EXTENSION()) from.extension = read_.extension(node->getSymbol());
    method.from = std::move(from);
  }
  for (auto* clause : tree->demands) {
    method.clauses.push_back(read_.clause(ast::Clause::Kind::Require, clause));
  }
  for (auto* clause : tree->ensures) {
    method.clauses.push_back(read_.clause(ast::Clause::Kind::Ensure, clause));
  }
  return method;
}

ast::Argument AstBuilder::argument(Tree::ArgumentContext* tree) const {
  ast::Argument argument;
  argument.span = read_.span(tree);
  argument.attributes = read_.attributes(tree->attributes);
  switch (tree->direction->getType()) {
    case Tree::IN:
      argument.direction = ast::Direction::In;
      break;
    case Tree::OUT:
      argument.direction = ast::Direction::Out;
      break;
    default:
      argument.direction = ast::Direction::InOut;
      break;
  }
  if (auto* raw = tree->raw) {
    argument.raw = read_.raw_array(raw);
    argument.name = read_.name(raw->ID());
  } else {
    argument.type = read_.type(tree->value);
    argument.name = read_.name(tree->name);
  }
  return argument;
}

}  // namespace

ast::File build_ast(grammar::SidlParser::FileContext& tree, const Source& source,
                    antlr4::CommonTokenStream& tokens, Diagnostics& diagnostics) {
  return AstBuilder(source, tokens, diagnostics).file(&tree, source.id());
}

}  // namespace shinar
