#include "frontend/ast_builder.hpp"

#include <utility>

namespace shinar {
namespace {

// The rule index determines the class of a tree.
template <typename Context>
Context* as(antlr4::ParserRuleContext* tree) {
  return static_cast<Context*>(tree);
}

}  // namespace

AstBuilder::AstBuilder(const Source& source, Diagnostics& diagnostics)
    : read_(source, diagnostics), diagnostics_(diagnostics) {
  file_.source = source.id();
}

// All require statements come first, then all imports, then the types.
void AstBuilder::header(ast::Import statement) {
  std::string_view late;
  const bool after_import = !file_.imports.empty() && !file_.imports.back().is_require;
  if (statement.is_require && after_import) late = "the first import";
  if (!file_.declarations.empty()) late = "the first package";
  if (!late.empty()) {
    const std::string word = statement.is_require ? "require" : "import";
    diagnostics_.report(Code::HeaderOrder, statement.span,
                        "the " + word + " statement must stand before " + std::string(late));
  }
  file_.imports.push_back(std::move(statement));
}

void AstBuilder::add(antlr4::ParserRuleContext* tree) {
  switch (tree->getRuleIndex()) {
    case Tree::RuleRequireStatement: {
      auto* statement = as<Tree::RequireStatementContext>(tree);
      header({true, read_.scoped_name(statement->name), read_.version(statement->version),
              read_.span(tree)});
      break;
    }
    case Tree::RuleImportStatement: {
      auto* statement = as<Tree::ImportStatementContext>(tree);
      header({false, read_.scoped_name(statement->name), read_.version(statement->version),
              read_.span(tree)});
      break;
    }
    case Tree::RuleEnumerator:
      std::get<ast::Enum>(open_.back().body)
          .enumerators.push_back(enumerator(as<Tree::EnumeratorContext>(tree)));
      break;
    case Tree::RuleStructMember:
      std::get<ast::Struct>(open_.back().body)
          .members.push_back(member(as<Tree::StructMemberContext>(tree)));
      break;
    default:
      std::get<ast::Object>(open_.back().body)
          .methods.push_back(method(as<Tree::MethodContext>(tree)));
      break;
  }
}

void AstBuilder::damage() {
  (open_.empty() ? file_.is_damaged : open_.back().is_damaged) = true;
}

void AstBuilder::begin_type(antlr4::ParserRuleContext* tree, antlr4::ParserRuleContext* body,
                            bool is_damaged) {
  if (is_damaged) damage();  // the name may be wrong
  ast::Declaration declaration;
  declaration.is_damaged = is_damaged;
  declaration.doc = read_.doc(tree);
  if (!is_damaged) {
    declaration.attributes = read_.attributes(as<Tree::UserTypeContext>(tree)->attributes);
  }
  switch (body->getRuleIndex()) {
    case Tree::RulePackageType:
      declaration.body = package(as<Tree::PackageTypeContext>(body), is_damaged);
      break;
    case Tree::RuleEnumType:
      declaration.body = ast::Enum{read_.name(as<Tree::EnumTypeContext>(body)->name), {}};
      break;
    case Tree::RuleStructType:
      declaration.body = ast::Struct{read_.name(as<Tree::StructTypeContext>(body)->name), {}};
      break;
    case Tree::RuleClassType:
      declaration.body = class_type(as<Tree::ClassTypeContext>(body), is_damaged);
      break;
    default:
      declaration.body = interface_type(as<Tree::InterfaceTypeContext>(body), is_damaged);
      break;
  }
  open_.push_back(std::move(declaration));
}

void AstBuilder::end_type() {
  ast::Declaration declaration = std::move(open_.back());
  open_.pop_back();
  if (auto* object = std::get_if<ast::Object>(&declaration.body)) object->methods.shrink_to_fit();
  if (open_.empty()) {
    file_.declarations.push_back(std::move(declaration));
  } else {
    std::get<ast::Package>(open_.back().body).declarations.push_back(std::move(declaration));
  }
}

// As far as it can be read; a package without a name still contains its types.
ast::ScopedName AstBuilder::damaged_name(Tree::PackageTypeContext* tree) const {
  ast::ScopedName name;
  if (tree->name != nullptr) name = read_.scoped_name(tree->name);
  std::erase_if(name.parts, [](const ast::Name& part) { return part.text.empty(); });
  if (name.parts.empty()) name.parts.push_back({"?", read_.span(tree->start)});
  return name;
}

ast::Package AstBuilder::package(Tree::PackageTypeContext* tree, bool is_damaged) const {
  if (is_damaged) return {damaged_name(tree), std::nullopt, {}};
  return {read_.scoped_name(tree->name), read_.version(tree->version), {}};
}

ast::Object AstBuilder::class_type(Tree::ClassTypeContext* tree, bool is_damaged) const {
  ast::Object result;
  result.is_class = true;
  result.name = read_.name(tree->name);
  if (is_damaged) return result;
  result.extends = read_.name_list(tree->parents);
  for (auto* clause : tree->interfaces) {
    const bool all = clause->all != nullptr;
    for (ast::ScopedName& name : read_.name_list(clause->types)) {
      result.implements.push_back({all, std::move(name)});
    }
  }
  for (auto* invariant : tree->invariants) {
    result.invariants.push_back(read_.clause(ast::Clause::Kind::Invariant, invariant));
  }
  return result;
}

ast::Object AstBuilder::interface_type(Tree::InterfaceTypeContext* tree, bool is_damaged) const {
  ast::Object result;
  result.name = read_.name(tree->name);
  if (is_damaged) return result;
  result.extends = read_.name_list(tree->parents);
  for (auto* invariant : tree->invariants) {
    result.invariants.push_back(read_.clause(ast::Clause::Kind::Invariant, invariant));
  }
  return result;
}

ast::Enumerator AstBuilder::enumerator(Tree::EnumeratorContext* tree) const {
  ast::Enumerator enumerator{read_.doc(tree), read_.name(tree->name), std::nullopt};
  if (tree->value != nullptr) enumerator.value = read_.integer(tree->value);
  return enumerator;
}

ast::Member AstBuilder::member(Tree::StructMemberContext* tree) const {
  ast::Member member;
  member.doc = read_.doc(tree);
  if (auto* raw = tree->raw) {
    member.raw = std::make_unique<ast::RawArray>(read_.raw_array(raw));
    member.name = read_.name(raw->name);
  } else {
    member.type = read_.type(tree->value);
    member.name = read_.name(tree->name);
  }
  return member;
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
  if (auto* clause = tree->throwing) method.throws = read_.name_list(clause->types);
  if (auto* clause = tree->origin) {
    ast::FromClause from{read_.scoped_name(clause->name), std::nullopt, read_.span(clause)};
    if (clause->extension != nullptr) from.extension = read_.extension(clause->extension);
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
    argument.raw = std::make_unique<ast::RawArray>(read_.raw_array(raw));
    argument.name = read_.name(raw->name);
  } else {
    argument.type = read_.type(tree->value);
    argument.name = read_.name(tree->name);
  }
  return argument;
}

}  // namespace shinar
