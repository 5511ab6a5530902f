#include "frontend/tree_reader.hpp"

#include <charconv>
#include <stdexcept>

#include "frontend/doc_comment.hpp"
#include "frontend/token_spans.hpp"
#include "frontend/token_window.hpp"

namespace shinar {
namespace {

ast::Basic basic(Tree::PrimitiveContext* tree) {
  switch (tree->start->getType()) {
#define SIDL_BASIC_TYPE(identifier, token, kind, name, number, bytes, alignment) \
  case Tree::token:                                                              \
    return ast::Basic::identifier;
#include "frontend/basic_types.def"
#undef SIDL_BASIC_TYPE
    default:
      throw std::logic_error("the grammar has a basic type that is in no row of basic_types.def");
  }
}

ast::Word word(size_t token_type) {
  switch (token_type) {
    case Tree::FINAL:
      return ast::Word::Final;
    case Tree::ABSTRACT:
      return ast::Word::Abstract;
    case Tree::ONEWAY:
      return ast::Word::Oneway;
    case Tree::LOCAL:
      return ast::Word::Local;
    case Tree::STATIC:
      return ast::Word::Static;
    case Tree::NONBLOCKING:
      return ast::Word::Nonblocking;
    case Tree::COPY:
      return ast::Word::Copy;
    default:
      return ast::Word::Attrib;
  }
}

}  // namespace

Span TreeReader::span(const antlr4::Token* token) const {
  return token_span(source_, token);
}

Span TreeReader::span(const antlr4::ParserRuleContext* tree) const {
  const Span first = span(tree->start);
  return {first.file, first.begin, tree->stop == nullptr ? first.end : span(tree->stop).end};
}

std::string TreeReader::text(Span span) const {
  return std::string(source_.text().substr(span.begin, span.end - span.begin));
}

std::string TreeReader::doc(const antlr4::ParserRuleContext* tree) const {
  const WindowToken::Range place = static_cast<const WindowToken*>(tree->start)->doc;
  if (place.begin == place.end) return {};
  return clean_doc_comment(source_.text().substr(place.begin, place.end - place.begin));
}

ast::Name TreeReader::name(const antlr4::Token* token) const {
  if (token == nullptr) return {};
  const Span place = span(token);
  return {text(place), place};
}

ast::Name TreeReader::extension(const antlr4::Token* token) const {
  ast::Name name = this->name(token);
  name.text = name.text.substr(1, name.text.size() - 2);
  return name;
}

ast::ScopedName TreeReader::scoped_name(Tree::ScopedNameContext* tree) const {
  ast::ScopedName name;
  name.span = span(tree);
  name.absolute = tree->absolute != nullptr;
  for (const antlr4::Token* part : tree->parts) name.parts.push_back(this->name(part));
  return name;
}

std::vector<ast::ScopedName> TreeReader::name_list(Tree::NameListContext* tree) const {
  std::vector<ast::ScopedName> names;
  if (tree == nullptr) return names;
  for (Tree::ScopedNameContext* name : tree->names) names.push_back(scoped_name(name));
  return names;
}

std::optional<ast::Version> TreeReader::version(Tree::VersionClauseContext* tree) const {
  if (tree == nullptr) return std::nullopt;
  const Span place = span(tree->value);
  return ast::Version{text(place), place};
}

// Decimal, 0x… or 0…, with an optional sign and an optional suffix.
ast::Integer TreeReader::number(Span place) const {
  ast::Integer result;
  result.span = place;
  std::string digits = text(place);
  std::erase_if(digits, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.erase(0, 1);
  if (digits.ends_with('l') || digits.ends_with('L')) {
    result.long_suffix = true;
    digits.pop_back();
  }
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.erase(0, 2);
  } else if (digits.size() > 1 && digits.front() == '0') {
    base = 8;
  }
  if (negative) digits.insert(digits.begin(), '-');
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, result.value, base);
  result.in_range = error == std::errc() && stop == end;
  if (!result.in_range) {
    const bool octal = base == 8 && error == std::errc();
    diagnostics_.report(
        Code::NumberRange, place,
        "'" + text(place) +
            (octal ? "' begins with 0 but is not an octal number" : "' does not fit in 64 bits"));
  }
  return result;
}

ast::Integer TreeReader::integer(Tree::IntegerContext* tree) const {
  return number(span(tree));
}

ast::TypeRef TreeReader::type(Tree::TypeContext* tree) const {
  if (tree->array != nullptr) return array(tree->array);
  ast::TypeRef type;
  type.span = span(tree);
  if (tree->basic != nullptr) {
    type.kind = ast::TypeRef::Kind::Basic;
    type.basic = basic(tree->basic);
  } else {
    type.kind = ast::TypeRef::Kind::Named;
    type.name = scoped_name(tree->named);
  }
  return type;
}

ast::TypeRef TreeReader::array(Tree::ArrayTypeContext* tree) const {
  ast::TypeRef type;
  type.kind = ast::TypeRef::Kind::Array;
  type.span = span(tree);
  type.array = std::make_unique<ast::ArrayType>();
  ast::ArrayType& array = *type.array;
  if (auto* primitive = tree->basic) {
    array.element.emplace();
    array.element->kind = ast::TypeRef::Kind::Basic;
    array.element->basic = basic(primitive);
    array.element->span = span(primitive);
  } else if (auto* name = tree->named) {
    array.element.emplace();
    array.element->kind = ast::TypeRef::Kind::Named;
    array.element->name = scoped_name(name);
    array.element->span = span(name);
  }
  if (auto* dimension = tree->dimension) array.dimension = integer(dimension);
  if (auto* order = tree->order) {
    const bool row = order->start->getType() == Tree::ROW_MAJOR;
    array.order = row ? ast::Order::RowMajor : ast::Order::ColumnMajor;
    array.order_span = span(order);
  }
  return type;
}

ast::RawArray TreeReader::raw_array(Tree::RarrayContext* tree) const {
  ast::RawArray raw;
  raw.span = span(tree);
  raw.element = basic(tree->basic);
  if (auto* dimension = tree->dimension) raw.dimension = integer(dimension);
  for (Tree::ExtentContext* extent : tree->extents) raw.extents.push_back(expression(extent));
  return raw;
}

ast::Attribute TreeReader::attribute(antlr4::Token* first, Tree::AttributeListContext* list) const {
  if (list == nullptr) return {word(first->getType()), span(first), {}};
  ast::Attribute attribute{ast::Word::Attrib, span(list), {}};
  for (Tree::AttributeContext* entry : list->entries) {
    ast::AttribEntry item{name(entry->start), std::nullopt};
    if (entry->value != nullptr) item.value = text(span(entry->value));
    attribute.entries.push_back(std::move(item));
  }
  return attribute;
}

}  // namespace shinar
