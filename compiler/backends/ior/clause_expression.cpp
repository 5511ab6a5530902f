#include "backends/ior/clause_expression.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "codegen/c_literals.hpp"
#include "codegen/c_types.hpp"
#include "codegen/contract_plan.hpp"
#include "codegen/names.hpp"

namespace shinar::backends::ior {
namespace {

using codegen::Namer;
using ir::Expression;
using ir::TypeRef;

// How a value is computed.
enum class Domain { condition, character, integer, real, complex, string, pointer, structure };

Domain domain_of(TypeRef::Kind kind) {
  switch (kind) {
    case TypeRef::BOOL:
      return Domain::condition;
    case TypeRef::CHAR:
      return Domain::character;
    case TypeRef::INT:
    case TypeRef::LONG:
    case TypeRef::ENUM:
      return Domain::integer;
    case TypeRef::FLOAT:
    case TypeRef::DOUBLE:
      return Domain::real;
    case TypeRef::FCOMPLEX:
    case TypeRef::DCOMPLEX:
      return Domain::complex;
    case TypeRef::STRING:
      return Domain::string;
    case TypeRef::STRUCT:
      return Domain::structure;
    default:
      return Domain::pointer;
  }
}

Domain domain_of(const Expression& expression) {
  return domain_of(expression.type().kind());
}

bool is_null(const Expression& expression) {
  return expression.kind() == Expression::LITERAL && expression.text() == "null";
}

// A value as it is stored; those computed here are of the widest type of their domain.
bool is_stored(const Expression& expression) {
  return expression.kind() == Expression::VARIABLE || expression.kind() == Expression::RESULT ||
         expression.kind() == Expression::CALL;
}

// "f(a, b)": one call, and nothing around it.
bool is_call(const std::string& text) {
  const std::size_t open = text.find('(');
  if (open == 0 || open == std::string::npos || text.find(' ') < open) return false;
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth == 0) return i + 1 == text.size();
  }
  return false;
}

// For an operand of an operator of C.
std::string in_parentheses(const std::string& text) {
  return text.find(' ') == std::string::npos || is_call(text) ? text : "(" + text + ")";
}

struct Words {
  std::string_view sidl;
  std::string_view c;
};

template <std::size_t Size>
std::string word(const std::array<Words, Size>& table, std::string_view sidl) {
  const auto* found = std::ranges::find(table, sidl, &Words::sidl);
  if (found == table.end()) throw std::logic_error("no operator of contracts");
  return std::string(found->c);
}

constexpr std::array<Words, 6> kRelations{{{"<", "less"},
                                           {"<=", "less_equal"},
                                           {">", "greater"},
                                           {">=", "greater_equal"},
                                           {"==", "equal"},
                                           {"!=", "not_equal"}}};

bool is_relation(std::string_view op) {
  return std::ranges::find(kRelations, op, &Words::sidl) != kRelations.end();
}

class Writer {
 public:
  explicit Writer(const ClauseScope& scope) : scope_(scope) {}

  // Of the expression's own type.
  std::string value(const Expression& e) const {
    switch (e.kind()) {
      case Expression::LITERAL:
        return codegen::c_literal(e);
      case Expression::VARIABLE:
        return scope_.arguments.at(e.index());
      case Expression::RESULT:
        return "_retval";
      case Expression::UNARY:
        return unary(e);
      case Expression::CHAIN:
        return chain(e);
      case Expression::CALL:
        return call(e);
      default:
        return builtin(e);
    }
  }

 private:
  // ---- operands of each domain

  std::string real(const Expression& e) const {
    const std::string text = value(e);
    if (e.type().kind() == TypeRef::DOUBLE) return text;
    if (e.kind() == Expression::LITERAL && domain_of(e) == Domain::integer) {
      return codegen::c_real_literal(e.text());
    }
    if (e.type().kind() == TypeRef::FLOAT && !is_stored(e)) return text;
    return "(double)" + in_parentheses(text);
  }

  std::string complex(const Expression& e) const {
    if (domain_of(e) != Domain::complex) return "sidl_complex(" + real(e) + ", 0.0)";
    const bool is_narrow = e.type().kind() == TypeRef::FCOMPLEX && is_stored(e);
    return is_narrow ? "sidl_widened(" + value(e) + ")" : value(e);
  }

  std::string in(Domain domain, const Expression& e) const {
    if (domain == Domain::real) return real(e);
    if (domain == Domain::complex) return complex(e);
    return value(e);
  }

  // A number or an array, for a built-in function.
  std::string operand(const Expression& e) const {
    if (is_array(e.type())) return "sidl_of_array(" + value(e) + ")";
    switch (domain_of(e)) {
      case Domain::integer:
        return "sidl_of_integer(" + value(e) + ")";
      case Domain::real:
        return "sidl_of_real(" + real(e) + ")";
      default:
        return "sidl_of_complex(" + complex(e) + ")";
    }
  }

  // ---- operators

  std::string unary(const Expression& e) const {
    const Expression& operand = e.operands(0);
    const std::string& op = e.operators(0);
    if (op == "not") return "!" + in_parentheses(value(operand));
    if (op == "~") return "~" + in_parentheses(value(operand));
    if (op == "+") return value(operand);
    const bool is_literal = operand.kind() == Expression::LITERAL;
    switch (domain_of(e)) {
      case Domain::integer:
        if (!is_literal) return "sidl_subtract(_check, 0, " + value(operand) + ")";
        return codegen::c_negated_literal(operand);
      case Domain::real:
        return "-" + in_parentheses(real(operand));
      default:
        return "sidl_complex_subtract(sidl_complex(0.0, 0.0), " + complex(operand) + ")";
    }
  }

  std::string chain(const Expression& e) const {
    const std::string& first = e.operators(0);
    if (is_relation(first)) return comparison(e);
    if (domain_of(e) == Domain::condition) return logic(e);
    static constexpr std::string_view kBits = "&|^";
    if (first.size() == 1 && kBits.find(first) != std::string_view::npos) return bits(e);
    if (first == "<<<" || first == ">>>") return shift(e);
    return arithmetic(e);
  }

  std::string logic(const Expression& e) const {
    std::string text = value(e.operands(0));
    for (int i = 0; i < e.operators_size(); ++i) {
      const std::string& op = e.operators(i);
      const std::string right = in_parentheses(value(e.operands(i + 1)));
      const std::string left = in_parentheses(text);
      if (op == "and") {
        text = left + " && " + right;
      } else if (op == "or") {
        text = left + " || " + right;
      } else if (op == "implies") {
        text = "!" + left + " || " + right;
      } else {
        text = "!" + left + (op == "xor" ? " != !" : " == !") + right;
      }
    }
    return text;
  }

  std::string bits(const Expression& e) const {
    std::string text = value(e.operands(0));
    for (int i = 0; i < e.operators_size(); ++i) {
      text = in_parentheses(text) + " " + e.operators(i) + " " +
             in_parentheses(value(e.operands(i + 1)));
    }
    return text;
  }

  std::string shift(const Expression& e) const {
    std::string text = value(e.operands(0));
    const std::string size = e.type().kind() == TypeRef::INT ? "32" : "64";
    for (int i = 0; i < e.operators_size(); ++i) {
      text = "sidl_shift(_check, " + text + ", " + value(e.operands(i + 1)) + ", " + size + ", " +
             (e.operators(i) == "<<<" ? "TRUE" : "FALSE") + ")";
    }
    return text;
  }

  // From left to right, each step in the wider domain of its operands.
  std::string arithmetic(const Expression& e) const {
    Domain domain = domain_of(e.operands(0));
    std::string text = in(domain, e.operands(0));
    for (int i = 0; i < e.operators_size(); ++i) {
      const Expression& right = e.operands(i + 1);
      const Domain wider = std::max(domain, domain_of(right));
      if (wider == Domain::complex && domain == Domain::integer) {
        text = "(double)" + in_parentheses(text);
      }
      if (wider == Domain::complex && domain != Domain::complex) {
        text = "sidl_complex(" + text + ", 0.0)";
      } else if (wider == Domain::real && domain == Domain::integer) {
        const Expression& left = e.operands(0);
        text = i == 0 ? real(left) : "(double)" + in_parentheses(text);
      }
      domain = wider;
      text = step(domain, e.operators(i), text, in(domain, right));
    }
    return text;
  }

  static std::string step(Domain domain, const std::string& op, const std::string& left,
                          const std::string& right) {
    static constexpr std::array<Words, 8> kNames{{{"+", "add"},
                                                  {"-", "subtract"},
                                                  {"*", "multiply"},
                                                  {"/", "divide"},
                                                  {"%", "modulo"},
                                                  {"mod", "modulo"},
                                                  {"rem", "modulo"},
                                                  {"**", "power"}}};
    const std::string arguments = left + ", " + right + ")";
    if (domain == Domain::integer) return "sidl_" + word(kNames, op) + "(_check, " + arguments;
    if (domain == Domain::complex) return "sidl_complex_" + word(kNames, op) + "(" + arguments;
    if (op == "**") return "sidl_real_power(" + arguments;
    return in_parentheses(left) + " " + op + " " + in_parentheses(right);
  }

  // What follows the first comparison compares its truth.
  std::string comparison(const Expression& e) const {
    std::string text = compare(e.operators(0), e.operands(0), e.operands(1));
    for (int i = 1; i < e.operators_size(); ++i) {
      text = "!" + in_parentheses(text) + " " + e.operators(i) + " !" +
             in_parentheses(value(e.operands(i + 1)));
    }
    return text;
  }

  std::string compare(const std::string& op, const Expression& left,
                      const Expression& right) const {
    const Domain domain = std::max(domain_of(left), domain_of(right));
    const std::string negation = op == "!=" ? "!" : "";
    if (is_null(left) || is_null(right)) return value(left) + " " + op + " " + value(right);
    switch (domain) {
      case Domain::condition:
        return "!" + in_parentheses(value(left)) + " " + op + " !" + in_parentheses(value(right));
      case Domain::real:
        return "sidl_is_" + word(kRelations, op) + "(_check, " + real(left) + ", " + real(right) +
               ")";
      case Domain::complex:
        return negation + "sidl_complex_is_equal(_check, " + complex(left) + ", " + complex(right) +
               ")";
      case Domain::string:
        return negation + "sidl_string_is_equal(" + value(left) + ", " + value(right) + ")";
      case Domain::character:
        return "sidl_byte(" + value(left) + ") " + op + " sidl_byte(" + value(right) + ")";
      default:
        return in_parentheses(value(left)) + " " + op + " " + in_parentheses(value(right));
    }
  }

  // ---- calls of methods

  // "self->d_epv->f_size(self, "
  std::string called(const codegen::ContractCallee& callee) const {
    if (callee.slot != nullptr) {
      return "self->d_epv->f_" + scope_.index.slot_name(*callee.slot) + "(self, ";
    }
    const std::string symbol = Namer::symbol(callee.holder->name());
    return "((const struct " + symbol + "__sepv*)sidl_static_epv(&" + symbol +
           "__info, sidl_check_ex(_check)))->f_" + callee.method->long_name() + "(";
  }

  std::string argument(const ir::Argument& parameter, const Expression& e) const {
    const TypeRef& type = parameter.type();
    const std::string c_type = codegen::ior_parameter_type(type, ir::Argument::IN);
    switch (domain_of(type.kind())) {
      case Domain::integer:
        return "(" + c_type + ")" + in_parentheses(value(e));
      case Domain::real:
        return type.kind() == TypeRef::DOUBLE ? real(e) : "(float)" + in_parentheses(real(e));
      case Domain::complex:
        return type.kind() == TypeRef::DCOMPLEX ? complex(e) : "sidl_narrowed(" + complex(e) + ")";
      case Domain::pointer:
        if (type.kind() == TypeRef::CLASS || type.kind() == TypeRef::INTERFACE) {
          return "(" + c_type + ")sidl_check_cast(_check, " + value(e) + ", &" +
                 Namer::symbol(type.name()) + "__info)";
        }
        return "(" + c_type + ")" + value(e);
      case Domain::structure:
        return e.kind() == Expression::CALL
                   ? "(struct " + Namer::symbol(type.name()) + "__data[1]){" + value(e) + "}"
                   : value(e);
      default:
        return value(e);
    }
  }

  std::string call(const Expression& e) const {
    const codegen::ContractCallee callee =
        codegen::contract_callee(scope_.index, scope_.type, scope_.declared_in, e.text());
    std::vector<std::string> arguments;
    for (int i = 0; i < e.operands_size(); ++i) {
      arguments.push_back(argument(callee.method->arguments(i), e.operands(i)));
    }
    arguments.emplace_back("sidl_check_ex(_check)");
    const std::string text = called(callee) + codegen::join(arguments) + ")";
    const TypeRef& result = callee.method->result();
    const std::string cast = "(" + codegen::ior_value_type(result) + ")";
    switch (result.kind()) {
      case TypeRef::STRING:
        return "sidl_check_string(_check, " + text + ")";
      case TypeRef::ARRAY:
        return cast + "sidl_check_array(_check, " + text + ")";
      case TypeRef::CLASS:
      case TypeRef::INTERFACE:
        return cast + "sidl_check_object_result(_check, " + text + ")";
      default:
        return text;
    }
  }

  // ---- built-in functions

  std::string builtin(const Expression& e) const {
    const std::string& name = e.text();
    const Expression& first = e.operands(0);
    if (name == "all" || name == "any" || name == "none" || name == "count") {
      const std::string text = "(_check, " + operand(first.operands(0)) + ", sidl_relation_" +
                               word(kRelations, first.operators(0)) + ", " +
                               operand(first.operands(1)) + ")";
      return name == "none" ? "!sidl_any" + text : "sidl_" + name + text;
    }
    if (name == "dimen" || name == "size") return "sidl_" + name + "(" + value(first) + ")";
    if (name == "lower" || name == "upper" || name == "stride") {
      return "sidl_" + name + "(_check, " + value(first) + ", " + value(e.operands(1)) + ")";
    }
    if (name == "nearEqual") {
      return "sidl_is_near(_check, " + operand(first) + ", " + operand(e.operands(1)) + ", " +
             real(e.operands(2)) + ")";
    }
    if (name == "range") {
      return "sidl_in_range(_check, " + operand(first) + ", " + real(e.operands(1)) + ", " +
             real(e.operands(2)) + ", " + (e.operands_size() > 3 ? real(e.operands(3)) : "0.0") +
             ")";
    }
    if (name == "irange") {
      return "sidl_in_integer_range(_check, " + operand(first) + ", " + value(e.operands(1)) +
             ", " + value(e.operands(2)) + ")";
    }
    return of_all_elements(e);
  }

  std::string of_all_elements(const Expression& e) const {
    static constexpr std::array<Words, 5> kIntegers{{{"min", "sidl_least_integer"},
                                                     {"max", "sidl_greatest_integer"},
                                                     {"sum", "sidl_sum_of_integers"},
                                                     {"nonDecr", "sidl_does_not_decrease"},
                                                     {"nonIncr", "sidl_does_not_increase"}}};
    static constexpr std::array<Words, 3> kReals{
        {{"min", "sidl_least"}, {"max", "sidl_greatest"}, {"sum", "sidl_sum"}}};
    const std::string argument = "(_check, " + value(e.operands(0)) + ")";
    switch (domain_of(e)) {
      case Domain::real:
        return word(kReals, e.text()) + argument;
      case Domain::complex:
        return "sidl_complex_sum" + argument;
      default:
        return word(kIntegers, e.text()) + argument;
    }
  }

  const ClauseScope& scope_;
};

}  // namespace

bool is_array(const ir::TypeRef& type) {
  return type.kind() == TypeRef::ARRAY || type.kind() == TypeRef::RARRAY;
}

std::string c_condition(const ClauseScope& scope, const ir::Expression& expression) {
  return Writer(scope).value(expression);
}

}  // namespace shinar::backends::ior
