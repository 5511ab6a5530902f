// Contracts: which methods are pure, then every assertion of every clause. Clauses are stored with
// the type and method that declare them; inherited ones hold as well.

#include <unordered_map>
#include <utility>
#include <vector>

#include "sema/contract_expressions.hpp"

namespace shinar::sema {
namespace {

using model::Method;
using model::Type;

bool is_purity(const ast::Assertion& assertion) {
  const ast::Expression& tree = assertion.expression;
  return tree.kind == ast::Expression::Kind::Unary && tree.text == "is" &&
         tree.operands.front().kind == ast::Expression::Kind::Literal &&
         tree.operands.front().text == "pure";
}

// The declared methods of a type with their model; refused ones have none.
std::vector<std::pair<const ast::Method*, Method*>> written_methods(const Declared& declared) {
  std::vector<std::pair<const ast::Method*, Method*>> pairs;
  const auto* body = std::get_if<ast::Object>(&declared.declaration->body);
  if (body == nullptr) return pairs;
  auto next = declared.type->methods.begin();
  for (const ast::Method& tree : body->methods) {
    if (next == declared.type->methods.end()) break;
    const Span span = (*next)->span;
    if (span.file != tree.name.span.file || span.begin != tree.name.span.begin) continue;
    pairs.emplace_back(&tree, next->get());
    ++next;
  }
  return pairs;
}

class ContractReader {
 public:
  ContractReader(const Declared& declared, const Context& context, Diagnostics& diagnostics)
      : declared_(declared), diagnostics_(diagnostics), callables_(context, *declared.type) {}

  void invariants(const ast::Object& body);
  void method(const ast::Method& tree, Method& method);

 private:
  void clause(const ast::Clause& clause, const Method* method,
              std::vector<model::Assertion>& assertions);

  const Declared& declared_;
  Diagnostics& diagnostics_;
  Callables callables_;
};

void ContractReader::invariants(const ast::Object& body) {
  for (const ast::Clause& item : body.invariants) {
    clause(item, nullptr, declared_.type->invariants);
  }
}

void ContractReader::method(const ast::Method& tree, Method& method) {
  for (const ast::Clause& item : tree.clauses) {
    const bool is_require = item.kind == ast::Clause::Kind::Require;
    clause(item, &method, is_require ? method.require : method.ensure);
  }
}

void ContractReader::clause(const ast::Clause& clause, const Method* method,
                            std::vector<model::Assertion>& assertions) {
  const ContractScope scope{callables_, method, clause.kind};
  for (const ast::Assertion& tree : clause.assertions) {
    if (clause.kind == ast::Clause::Kind::Ensure && is_purity(tree)) continue;  // is_pure by now
    model::Assertion assertion;
    if (tree.name) assertion.name = tree.name->text;
    assertion.span = tree.span;
    assertion.expression = ExpressionReader(scope, diagnostics_).read(tree.expression);
    const model::TypeRef& type = assertion.expression.type;
    if (type.kind != model::Kind::Bool && type.kind != model::Kind::Error) {
      diagnostics_.report(
          Code::ContractNotBool, tree.expression.span,
          "an assertion must be a condition of type bool, not " + model::to_string(type));
    }
    assertions.push_back(std::move(assertion));
  }
}

// True if any method says that it is pure.
bool mark_pure(const Declared& declared) {
  bool found = false;
  for (const auto& [tree, method] : written_methods(declared)) {
    for (const ast::Clause& clause : tree->clauses) {
      if (clause.kind != ast::Clause::Kind::Ensure) continue;
      for (const ast::Assertion& assertion : clause.assertions) {
        if (is_purity(assertion)) method->is_pure = true;
      }
    }
    found = found || method->is_pure;
  }
  return found;
}

// A method is pure if an inherited declaration is, as callers may rely on that.
void inherit_purity(Type& type) {
  std::unordered_map<std::string_view, Method*> by_key;
  std::unordered_map<const Method*, Method*> renamed;  // by introducer
  for (const auto& method : type.methods) {
    if (method->from != nullptr) {
      renamed.emplace(method->from, method.get());
    } else if (!method->is_static) {
      by_key.emplace(method->key, method.get());
    }
  }
  const auto inherit = [&](const Type& parent) {
    for (const model::Slot& slot : parent.slots) {
      if (!slot.method->is_pure) continue;
      const auto other_name = renamed.find(slot.introducer);
      const auto same_name = by_key.find(slot.method->key);
      if (other_name != renamed.end()) {
        other_name->second->is_pure = true;
      } else if (same_name != by_key.end()) {
        same_name->second->is_pure = true;
      }
    }
  };
  if (type.parent != nullptr) inherit(*type.parent);
  for (const Type* interface : type.direct_interfaces) inherit(*interface);
}

bool has_contracts(const ast::Object& body) {
  if (!body.invariants.empty()) return true;
  for (const ast::Method& method : body.methods) {
    if (!method.clauses.empty()) return true;
  }
  return false;
}

}  // namespace

void resolve_contracts(Context& context) {
  bool any_pure = false;
  for (const Declared& declared : context.declared) {
    if (mark_pure(declared)) any_pure = true;
  }
  if (any_pure) {
    for (Type* type : context.model.order) inherit_purity(*type);
  }
  for (const Declared& declared : context.declared) {
    const auto* body = std::get_if<ast::Object>(&declared.declaration->body);
    if (body == nullptr || !has_contracts(*body)) continue;
    ContractReader reader(declared, context, context.diagnostics);
    reader.invariants(*body);
    for (const auto& [tree, method] : written_methods(declared)) reader.method(*tree, *method);
  }
}

}  // namespace shinar::sema
