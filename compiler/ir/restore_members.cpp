// Methods, types of arguments, results and members, contracts, attributes.
#include <memory>
#include <optional>
#include <utility>

#include "diagnostics/diagnostic.hpp"
#include "frontend/words.hpp"
#include "ir/expression_form.hpp"
#include "ir/restore_parts.hpp"
#include "ir/text.hpp"

namespace shinar::ir {
namespace {

std::optional<ast::Basic> basic_of(TypeRef::Kind type) {
  switch (type) {
#define SIDL_BASIC_TYPE(identifier, token, kind, name, number, bytes, alignment) \
  case TypeRef::kind:                                                            \
    return ast::Basic::identifier;
#include "frontend/basic_types.def"
#undef SIDL_BASIC_TYPE
    default:
      return std::nullopt;
  }
}

}  // namespace

// ---- methods ------------------------------------------------------------------------------------

ast::Method Restorer::method(const Method& from, bool in_class) {
  ast::Method result;
  result.doc = comment_text(from.doc());
  put("  ");
  result.attributes = attributes(from.attributes());
  word(from.local(), ast::Word::Local, "local", result.attributes);
  word(from.oneway(), ast::Word::Oneway, "oneway", result.attributes);
  word(from.nonblocking(), ast::Word::Nonblocking, "nonblocking", result.attributes);
  word(from.is_static(), ast::Word::Static, "static", result.attributes);
  // In an interface it goes without saying.
  word(from.abstract() && in_class, ast::Word::Abstract, "abstract", result.attributes);
  word(from.final(), ast::Word::Final, "final", result.attributes);
  word(from.copy(), ast::Word::Copy, "copy", result.attributes);
  if (from.result().kind() == TypeRef::VOID) {
    result.result.span = put("void");
  } else {
    result.result = type_ref(from.result());
  }
  put(" ");
  result.name = name(from.name());
  if (!from.extension().empty()) {
    if (!is_extension(from.extension())) fault(in_quotes(from.extension()) + " is no extension");
    result.extension = ast::Name{from.extension(), put("[" + from.extension() + "]")};
  }
  put("(");
  const Names variables = names_of(from.arguments());
  for (const Argument& item : from.arguments()) {
    if (!result.arguments.empty()) put(", ");
    result.arguments.push_back(argument(item, variables));
  }
  put(")");
  if (from.throws_size() > 0) {
    put(" throws ");
    result.throws = type_names(from.throws());
  }
  if (from.has_from()) result.from = from_clause(from);
  end_line(";");
  clause(ast::Clause::Kind::Require, "require", from.require(), variables, false, result.clauses);
  clause(ast::Clause::Kind::Ensure, "ensure", from.ensure(), variables, from.is_pure(),
         result.clauses);
  return result;
}

ast::Argument Restorer::argument(const Argument& from, const Names& variables) {
  ast::Argument result;
  const std::uint32_t begin = here();
  result.attributes = attributes(from.attributes());
  word(from.copy(), ast::Word::Copy, "copy", result.attributes);
  result.direction = from.mode() == Argument::IN    ? ast::Direction::In
                     : from.mode() == Argument::OUT ? ast::Direction::Out
                                                    : ast::Direction::InOut;
  put(mode_text(from.mode()));
  put(" ");
  Variable variable = this->variable(from.type(), from.name(), variables);
  result.type = std::move(variable.type);
  result.raw = std::move(variable.raw);
  result.name = std::move(variable.name);
  result.span = since(begin);
  return result;
}

// "from .demo.Shape.area[Exact]"
ast::FromClause Restorer::from_clause(const Method& method) {
  ast::FromClause result;
  put(" ");
  const std::uint32_t begin = here();
  put("from ");
  result.name = type_name(method.from().interface());
  put(".");
  const std::string& inherited = method.from().long_name();
  const bool has_extension =
      inherited.starts_with(method.name()) && inherited.size() > method.name().size();
  result.name.parts.push_back(name(has_extension ? method.name() : inherited));
  result.name.span.end = here();
  if (has_extension) {
    const std::string extension = inherited.substr(method.name().size());
    if (!is_extension(extension)) fault(in_quotes(extension) + " is no extension");
    result.extension = ast::Name{extension, put("[" + extension + "]")};
  }
  result.span = since(begin);
  return result;
}

// ---- type references ----------------------------------------------------------------------------

Restorer::Variable Restorer::variable(const TypeRef& type, const std::string& name,
                                      const Names& variables) {
  Variable result;
  if (type.kind() == TypeRef::RARRAY) {
    result.raw = std::make_unique<ast::RawArray>(raw_array(type, name, variables, result.name));
    return result;
  }
  result.type = type_ref(type);
  put(" ");
  result.name = this->name(name);
  return result;
}

ast::TypeRef Restorer::type_ref(const TypeRef& from) {
  if (from.kind() == TypeRef::ARRAY) return array(from);
  ast::TypeRef result;
  if (const auto basic = basic_of(from.kind())) {
    result.kind = ast::TypeRef::Kind::Basic;
    result.basic = *basic;
    result.span = put(basic_text(from.kind()));
    return result;
  }
  if (from.name().empty()) fault("a type is none");
  result.kind = ast::TypeRef::Kind::Named;
  result.name = type_name(from.name());
  result.span = result.name.span;
  return result;
}

ast::TypeRef Restorer::array(const TypeRef& from) {
  ast::TypeRef result;
  result.kind = ast::TypeRef::Kind::Array;
  result.array = std::make_unique<ast::ArrayType>();
  const std::uint32_t begin = here();
  put("array<");
  if (from.has_element()) {
    const bool is_array = from.element().has_element() || from.element().kind() == TypeRef::ARRAY;
    if (is_array) fault("an array holds arrays");
    result.array->element = is_array ? ast::TypeRef() : type_ref(from.element());
    put(",");
    result.array->dimension = number(from.dimension(), put(std::to_string(from.dimension())));
    if (from.order() != TypeRef::ANY_ORDER) {
      const bool is_row = from.order() == TypeRef::ROW_MAJOR;
      put(",");
      result.array->order = is_row ? ast::Order::RowMajor : ast::Order::ColumnMajor;
      result.array->order_span = put(is_row ? "row-major" : "column-major");
    }
  }
  put(">");
  result.span = since(begin);
  return result;
}

// "rarray<double,2> a(n, m)": type and name in one.
ast::RawArray Restorer::raw_array(const TypeRef& from, const std::string& name,
                                  const Names& variables, ast::Name& to) {
  ast::RawArray result;
  const std::uint32_t begin = here();
  put("rarray<");
  const auto basic = basic_of(from.element().kind());
  if (!basic) fault("a raw array holds what is no basic type");
  result.element = basic.value_or(ast::Basic::Int);
  put(basic_text(from.element().kind()));
  put(",");
  result.dimension = number(from.dimension(), put(std::to_string(from.dimension())));
  put("> ");
  to = this->name(name);
  put("(");
  for (const Expression& item : from.extents()) {
    if (!result.extents.empty()) put(", ");
    if (!is_extent(item)) fault("a raw array has an extent that is none");
    result.extents.push_back(expression(item, variables, put(expression_text(item, variables))));
  }
  put(")");
  result.span = since(begin);
  return result;
}

// ---- contracts ----------------------------------------------------------------------------------

void Restorer::clause(ast::Clause::Kind kind, std::string_view keyword,
                      const google::protobuf::RepeatedPtrField<Assertion>& assertions,
                      const Names& variables, bool is_pure, std::vector<ast::Clause>& to) {
  if (assertions.empty() && !is_pure) return;
  ast::Clause& result = to.emplace_back();
  result.kind = kind;
  put("    ");
  result.keyword = put(keyword);
  end_line("");
  for (const Assertion& from : assertions) {
    ast::Assertion& assertion = result.assertions.emplace_back();
    put("      ");
    const std::uint32_t begin = here();
    if (!from.name().empty()) {
      assertion.name = name(from.name());
      put(": ");
    }
    if (!is_condition(from.expression())) fault("an expression has no sense");
    assertion.expression = expression(from.expression(), variables,
                                      put(expression_text(from.expression(), variables)));
    put(";");
    assertion.span = since(begin);
    end_line("");
  }
  if (!is_pure) return;
  ast::Assertion& purity = result.assertions.emplace_back();
  put("      ");
  purity.span = put("is pure;");
  purity.expression.kind = ast::Expression::Kind::Unary;
  purity.expression.text = "is";
  purity.expression.span = purity.span;
  ast::Expression& pure = purity.expression.operands.emplace_back();
  pure.text = "pure";
  pure.span = purity.span;
  end_line("");
}

// Every part of an expression has the place of the whole, `span`.
ast::Expression Restorer::expression(const Expression& from, const Names& variables, Place span) {
  using Kind = ast::Expression::Kind;
  ast::Expression result;
  result.span = span;
  result.text = from.text();
  switch (from.kind()) {
    case Expression::VARIABLE:
      result.kind = Kind::Name;
      if (from.index() < variables.size()) result.text = variables[from.index()];
      break;
    case Expression::RESULT:
      result.text = "result";
      break;
    case Expression::UNARY:
      result.kind = Kind::Unary;
      if (from.operators_size() == 1) result.text = from.operators(0);
      break;
    case Expression::CHAIN:
      result.kind = Kind::Chain;
      result.operators.assign(from.operators().begin(), from.operators().end());
      break;
    case Expression::CALL:
    case Expression::BUILTIN:
      result.kind = Kind::Call;
      break;
    default:
      if (from.text().starts_with('{')) result.kind = Kind::Complex;
      break;
  }
  for (const Expression& item : from.operands()) {
    result.operands.push_back(expression(item, variables, span));
  }
  return result;
}

// ---- attributes ---------------------------------------------------------------------------------

std::vector<ast::Attribute> Restorer::attributes(
    const google::protobuf::RepeatedPtrField<Attribute>& entries) {
  if (entries.empty()) return {};
  ast::Attribute list;
  list.word = ast::Word::Attrib;
  const std::uint32_t begin = here();
  put("%attrib{");
  for (const Attribute& from : entries) {
    if (!list.entries.empty()) put(", ");
    if (!is_attribute_name(from.key())) fault(in_quotes(from.key()) + " is no name");
    ast::AttribEntry& entry = list.entries.emplace_back();
    entry.key = {from.key(), put(from.key())};
    if (!from.has_value()) continue;
    put(" = ");
    entry.value = string_literal(from.value());
    put(*entry.value);
  }
  put("}");
  list.span = since(begin);
  put(" ");
  std::vector<ast::Attribute> result;
  result.push_back(std::move(list));
  return result;
}

void Restorer::word(bool is_there, ast::Word word, std::string_view text,
                    std::vector<ast::Attribute>& attributes) {
  if (!is_there) return;
  attributes.push_back({word, put(text), {}});
  put(" ");
}

}  // namespace shinar::ir
