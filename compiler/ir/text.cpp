#include "ir/text.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

namespace shinar::ir {
namespace {

// Precedence from loose to tight, as the rules of the grammar nest.
constexpr int kNonAssociative = 1;
constexpr int kUnary = 11;
constexpr int kAtom = 12;
constexpr std::pair<std::string_view, int> kOperators[] = {
    {"implies", kNonAssociative},
    {"iff", kNonAssociative},
    {"or", 2},
    {"xor", 2},
    {"and", 3},
    {"&", 4},
    {"|", 4},
    {"^", 4},
    {"==", 5},
    {"!=", 5},
    {"<", 6},
    {">", 6},
    {"<=", 6},
    {">=", 6},
    {"<<<", 7},
    {">>>", 7},
    {"+", 8},
    {"-", 8},
    {"*", 9},
    {"/", 9},
    {"%", 9},
    {"mod", 9},
    {"rem", 9},
    {"**", 10},
};

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

int precedence(const Expression& expression) {
  if (expression.kind() == Expression::UNARY) return kUnary;
  if (expression.kind() != Expression::CHAIN || expression.operators_size() == 0) return kAtom;
  return ir::precedence(expression.operators(0));
}

class ExpressionWriter {
 public:
  explicit ExpressionWriter(const std::vector<std::string_view>& variables)
      : variables_(variables) {}

  void write(const Expression& expression);
  std::string take() { return std::move(out_); }

 private:
  void operand(const Expression& operand, bool in_parentheses);
  void unary(const Expression& expression);
  void chain(const Expression& expression);
  void call(const Expression& expression);

  const std::vector<std::string_view>& variables_;
  std::string out_;
};

void ExpressionWriter::write(const Expression& expression) {
  switch (expression.kind()) {
    case Expression::VARIABLE:
      if (expression.index() < variables_.size()) out_ += variables_[expression.index()];
      break;
    case Expression::RESULT:
      out_ += "result";
      break;
    case Expression::UNARY:
      unary(expression);
      break;
    case Expression::CHAIN:
      chain(expression);
      break;
    case Expression::CALL:
    case Expression::BUILTIN:
      call(expression);
      break;
    default:
      out_ += expression.text();
      break;
  }
}

void ExpressionWriter::operand(const Expression& operand, bool in_parentheses) {
  if (in_parentheses) out_ += '(';
  write(operand);
  if (in_parentheses) out_ += ')';
}

void ExpressionWriter::unary(const Expression& expression) {
  for (const std::string& sign : expression.operators()) {
    const bool is_word = !sign.empty() && std::isalpha(static_cast<unsigned char>(sign[0])) != 0;
    out_ += sign + (is_word ? " " : "");
  }
  for (const Expression& item : expression.operands()) operand(item, precedence(item) < kUnary);
}

// An operand of the chain's own level must keep its parentheses: it would join the chain otherwise.
void ExpressionWriter::chain(const Expression& expression) {
  const int level = precedence(expression);
  for (int i = 0; i < expression.operands_size(); ++i) {
    const bool has_operator = i > 0 && i <= expression.operators_size();
    if (has_operator) out_ += " " + expression.operators(i - 1) + " ";
    operand(expression.operands(i), precedence(expression.operands(i)) <= level);
  }
}

void ExpressionWriter::call(const Expression& expression) {
  out_ += expression.text() + "(";
  for (int i = 0; i < expression.operands_size(); ++i) {
    if (i > 0) out_ += ", ";
    write(expression.operands(i));
  }
  out_ += ")";
}

std::string array_text(const TypeRef& type, const NameOf& name_of) {
  if (!type.has_element()) return "array<>";
  const bool raw = type.kind() == TypeRef::RARRAY;
  const bool ordered = !raw && type.order() != TypeRef::ANY_ORDER;
  std::string result = raw ? "rarray<" : "array<";
  result += type_text(type.element(), name_of);
  if (type.dimension() != 1 || ordered) result += "," + std::to_string(type.dimension());
  if (ordered) result += type.order() == TypeRef::ROW_MAJOR ? ",row-major" : ",column-major";
  return result + ">";
}

}  // namespace

int precedence(std::string_view op) {
  const auto* found = std::ranges::find(kOperators, op, &std::pair<std::string_view, int>::first);
  return found == std::end(kOperators) ? 0 : found->second;
}

std::string string_literal(std::string_view text) {
  static constexpr std::string_view kDigits = "01234567";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (is_control(c)) {
      result += {'\\', kDigits[byte >> 6U], kDigits[byte >> 3U & 7U], kDigits[byte & 7U]};
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string comment_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '/' && result.ends_with('*')) result += ' ';
    if (c == '\n' || c == '\t' || !is_control(c)) result += c;
  }
  return result;
}

std::string_view basic_text(TypeRef::Kind kind) {
  switch (kind) {
#define SIDL_BASIC_TYPE(identifier, token, kind, name, number, bytes, alignment) \
  case TypeRef::kind:                                                            \
    return name;
#include "frontend/basic_types.def"
#undef SIDL_BASIC_TYPE
    default:
      return "void";
  }
}

std::string type_text(const TypeRef& type, const NameOf& name_of) {
  if (!type.name().empty()) return name_of(type.name());
  switch (type.kind()) {
    case TypeRef::ARRAY:
    case TypeRef::RARRAY:
      return array_text(type, name_of);
    default:
      return std::string(basic_text(type.kind()));
  }
}

std::string type_text(const TypeRef& type) {
  return type_text(type, [](const std::string& name) { return name; });
}

std::string expression_text(const Expression& expression,
                            const std::vector<std::string_view>& variables) {
  ExpressionWriter writer(variables);
  writer.write(expression);
  return writer.take();
}

std::string declared_text(const TypeRef& type, const std::string& name, const NameOf& name_of,
                          const std::vector<std::string_view>& variables) {
  std::string result = type_text(type, name_of) + " " + name;
  if (type.kind() != TypeRef::RARRAY) return result;
  result += "(";
  for (int i = 0; i < type.extents_size(); ++i) {
    result += (i > 0 ? ", " : "") + expression_text(type.extents(i), variables);
  }
  return result + ")";
}

std::string_view mode_text(Argument::Mode mode) {
  if (mode == Argument::OUT) return "out";
  return mode == Argument::INOUT ? "inout" : "in";
}

}  // namespace shinar::ir
