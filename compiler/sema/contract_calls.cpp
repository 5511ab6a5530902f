// Calls of built-in functions of contracts, and of pure methods of the type.

#include "diagnostics/spelling.hpp"
#include "sema/contract_expressions.hpp"

namespace shinar::sema {
namespace {

using model::Expression;
using model::Kind;
using model::Method;
using model::TypeRef;

// A single comparison, undecided until it is known whether it compares arrays.
template <typename Tree>
bool may_be_comparison(const Tree& tree) {
  return tree.kind == Tree::Kind::Chain && tree.operators.size() == 1 &&
         is_comparison(tree.operators.front());
}

// A literal such as "1.0" has no fixed size: it is a float where one is expected.
bool is_open_literal(const Expression& expression) {
  if (expression.kind == Expression::Kind::Unary) return is_open_literal(expression.operands[0]);
  return expression.kind == Expression::Kind::Literal &&
         expression.text.find_first_of("dD") == std::string::npos;
}

bool narrow_literal(Expression& expression, Kind to) {
  const bool possible =
      (expression.type.kind == Kind::Double && (to == Kind::Float || to == Kind::Fcomplex)) ||
      (expression.type.kind == Kind::Dcomplex && to == Kind::Fcomplex);
  if (!possible || !is_open_literal(expression)) return false;
  const Kind narrowed = expression.type.kind == Kind::Double ? Kind::Float : Kind::Fcomplex;
  for (Expression* item = &expression;; item = &item->operands.front()) {
    item->type.kind = narrowed;
    if (item->kind == Expression::Kind::Literal) return true;
  }
}

}  // namespace

Callables::Callables(const Context& context, const model::Type& type) : type_(type) {
  const auto add = [&](const Method* method) { methods_.emplace(method->long_name, method); };
  for (const auto& method : type.methods) add(method.get());
  for (const model::Slot& slot : type.slots) add(slot.method);
  for (const model::Type* ancestor : type.ancestors) {
    const auto statics = context.statics.find(ancestor);
    if (statics == context.statics.end()) continue;
    for (const auto& [key, method] : statics->second) add(method);
  }
}

const Method* Callables::find(std::string_view long_name) const {
  const auto found = methods_.find(long_name);
  return found == methods_.end() ? nullptr : found->second;
}

const Method* Callables::overload(std::string_view name) const {
  for (const auto& [key, method] : methods_) {
    if (method->name == name) return method;
  }
  return nullptr;
}

std::vector<std::string> Callables::names() const {
  std::vector<std::string> names;
  for (const auto& [key, method] : methods_) names.emplace_back(key);
  return names;
}

// A built-in function takes precedence over a method of its name if its arguments fit: a type with
// a method size() can still use size(array).
model::Expression ExpressionReader::call(const ast::Expression& tree) {
  Expression result;
  result.kind = Expression::Kind::Call;
  result.text = tree.text;
  result.span = tree.span;
  const Builtin* builtin = find_builtin(tree.text);
  const Method* method = scope_.callables.find(tree.text);
  const bool is_alone = tree.operands.size() == 1;
  if (builtin != nullptr && builtin->takes_comparison() && method == nullptr && is_alone &&
      !may_be_comparison(tree.operands.front())) {
    report(Code::ContractComparisonNeeded, tree.operands.front().span,
           in_quotes(builtin->name) +
               " takes one comparison with an array: " + std::string(builtin->signature));
    return result;
  }
  for (const ast::Expression& argument : tree.operands) {
    const bool comparison = builtin != nullptr && builtin->takes_comparison();
    result.operands.push_back(call_argument(argument, comparison));
  }
  if (builtin != nullptr) {
    const auto misfit = apply(*builtin, result);
    if (!misfit) return result;
    if (method == nullptr) {
      report(misfit->code, misfit->span, misfit->message);
      return result;
    }
  }
  if (method == nullptr) {
    unknown_function(result);
    return result;
  }
  for (Expression& argument : result.operands) {
    if (argument.type.kind == Kind::Error && may_be_comparison(argument)) comparison(argument);
  }
  call_method(*method, result);
  return result;
}

// A comparison of arrays is interpreted by the called function.
model::Expression ExpressionReader::call_argument(const ast::Expression& tree, bool comparison) {
  if (comparison && may_be_comparison(tree)) return unresolved_chain(tree);
  Expression argument = operand(tree);
  if (is_null(argument)) {
    report(Code::ContractNullArgument, tree.span, "a contract cannot pass null as an argument");
  }
  return argument;
}

void ExpressionReader::call_method(const Method& method, Expression& call) {
  if (!may_call(method, call.span)) return;
  if (method.result.kind == Kind::Void) {
    report(Code::ContractVoidCall, call.span,
           in_quotes(method.long_name) + " is void: a contract cannot use its result")
        .note(method.span, "it is declared here");
    return;
  }
  pass_arguments(method, call);
  call.type = method.result;
}

bool ExpressionReader::may_call(const Method& method, Span span) {
  const std::string name = in_quotes(method.long_name);
  if (scope_.method != nullptr && scope_.method->key == method.key) {
    report(Code::ContractCallsItself, span,
           "the contract of " + name + " calls " + name + " itself: infinite recursion");
    return false;
  }
  if (!method.is_pure) {
    if (!scope_.callables.are_complete()) return false;
    report(Code::ContractNotPure, span,
           name + " may have side effects: contracts can only call pure methods")
        .note(method.span, "if it has none, write 'ensure is pure;' after this declaration");
    return false;
  }
  if (scope_.method != nullptr && scope_.method->is_static && !method.is_static) {
    report(Code::ContractCallsInstance, span,
           "the contract of the static method " + in_quotes(scope_.method->long_name) +
               " has no object to call " + name + " on")
        .note(method.span, name + " is not static");
    return false;
  }
  for (const model::Argument& argument : method.arguments) {
    if (argument.direction == ast::Direction::In) continue;
    report(Code::ContractCallOutput, span,
           name + " changes its argument " + in_quotes(argument.name) +
               ": contracts can only call methods whose arguments are all 'in'")
        .note(argument.span, "it is declared here");
    return false;
  }
  return true;
}

void ExpressionReader::pass_arguments(const Method& method, Expression& call) {
  const std::size_t wanted = method.arguments.size();
  if (call.operands.size() != wanted) {
    report(Code::ContractArgumentCount, call.span,
           in_quotes(method.long_name) + " takes " + std::to_string(wanted) +
               (wanted == 1 ? " argument" : " arguments") + ", not " +
               std::to_string(call.operands.size()) + ": " + model::signature(method))
        .note(method.span, "it is declared here");
    return;
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    Expression& argument = call.operands[i];
    const TypeRef& type = method.arguments[i].type;
    if (type.kind == Kind::Error || argument.type.kind == Kind::Error) continue;
    if (converts(argument.type, type) || narrow_literal(argument, type.kind)) continue;
    report(Code::ContractArgumentType, argument.span,
           in_quotes(method.long_name) + " takes " + model::to_string(type) + " as its argument " +
               in_quotes(method.arguments[i].name) + ", not " + model::to_string(argument.type))
        .note(method.span, "it is declared here as " + model::signature(method));
  }
}

void ExpressionReader::unknown_function(const Expression& call) {
  if (!scope_.callables.are_complete() || !unknown_.insert(call.text + "(").second) return;
  std::vector<std::string> candidates = scope_.callables.names();
  for (const Builtin& function : builtins()) candidates.emplace_back(function.name);
  std::optional<std::string> meant = closest(call.text, candidates);
  if (const Method* overload = scope_.callables.overload(call.text)) meant = overload->long_name;
  Diagnostic& diagnostic = report(Code::ContractUnknownFunction, call.span,
                                  in_quotes(call.text) + " is neither a method of " +
                                      in_quotes(scope_.callables.type().local_name) +
                                      " nor a built-in contract function");
  if (!meant) return;
  diagnostic.message += "; did you mean " + in_quotes(*meant) + "?";
  const auto length = static_cast<std::uint32_t>(call.text.size());
  diagnostic.suggest({call.span.file, call.span.begin, call.span.begin + length}, *meant);
}

}  // namespace shinar::sema
