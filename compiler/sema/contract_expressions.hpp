// In: an expression of a contract, and what it may refer to.
// Out: the expression with every name resolved and every type decided; type Error where something
// was reported, which suppresses consequential errors.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sema/context.hpp"
#include "sema/contract_builtins.hpp"
#include "sema/contract_types.hpp"

namespace shinar::sema {

// The methods a type has, inherited ones included, by long name.
class Callables {
 public:
  Callables(const Context& context, const model::Type& type);

  const model::Method* find(std::string_view long_name) const;
  // A method with that short name but another long name.
  const model::Method* overload(std::string_view name) const;
  const model::Type& type() const { return type_; }
  // False if errors in parents were reported: methods may be missing, or their purity unknown.
  bool are_complete() const { return !type_.is_broken && !type_.slots.empty(); }
  std::vector<std::string> names() const;

 private:
  const model::Type& type_;
  std::map<std::string_view, const model::Method*> methods_;
};

struct ContractScope {
  const Callables& callables;
  const model::Method* method;  // null: an invariant
  ast::Clause::Kind clause;
};

// Reads one assertion.
class ExpressionReader {
 public:
  ExpressionReader(const ContractScope& scope, Diagnostics& diagnostics)
      : scope_(scope), diagnostics_(diagnostics) {}

  model::Expression read(const ast::Expression& tree);

 private:
  model::Expression inner(const ast::Expression& tree);
  model::Expression operand(const ast::Expression& tree);  // null is allowed

  // Names and literals.
  model::Expression name(const ast::Expression& tree);
  model::Expression argument(std::uint32_t index, const ast::Expression& tree);
  void report_unknown(const ast::Expression& tree);
  model::Expression literal(const ast::Expression& tree, bool negated);
  model::Expression result(const ast::Expression& tree);
  void misplaced_pure(Span span);

  // Operators.
  model::Expression unary(const ast::Expression& tree);
  model::Expression chain(const ast::Expression& tree);
  model::Expression unresolved_chain(const ast::Expression& tree);
  void logic(model::Expression& chain);
  void integers(model::Expression& chain, Code code);
  void arithmetic(model::Expression& chain);
  void comparison(model::Expression& chain);
  void compare(std::string_view op, const model::TypeRef& left, const model::TypeRef& right,
               Span span);
  bool resolve_null(std::string_view op, model::Expression& left, model::Expression& right);

  // Calls.
  model::Expression call(const ast::Expression& tree);
  model::Expression call_argument(const ast::Expression& tree, bool comparison);
  void call_method(const model::Method& method, model::Expression& call);
  bool may_call(const model::Method& method, Span span);
  void pass_arguments(const model::Method& method, model::Expression& call);
  void unknown_function(const model::Expression& call);

  Diagnostic& report(Code code, Span span, std::string message) {
    return diagnostics_.report(code, span, std::move(message));
  }

  const ContractScope& scope_;
  Diagnostics& diagnostics_;
  int depth_ = 0;
  bool too_deep_ = false;
  std::set<std::string, std::less<>> unknown_;  // reported already; each only once
};

}  // namespace shinar::sema
