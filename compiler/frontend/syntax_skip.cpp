// What the parser skips after an error, to find where it can continue.

#include "frontend/line_indent.hpp"
#include "frontend/statement_words.hpp"
#include "frontend/syntax_errors.hpp"

namespace shinar {
namespace {

using grammar::SidlParser;

// Lookahead in tokens. Statements are shorter; a long invalid file must not be read repeatedly as a
// whole.
constexpr size_t kFar = 1024;

bool is_sign_or_number(size_t type) {
  return type == SidlParser::PLUS || type == SidlParser::MINUS || type == SidlParser::INTEGER ||
         type == SidlParser::FLOAT;
}

}  // namespace

std::optional<std::uint32_t> SyntaxErrors::indent(const antlr4::Token* token) const {
  return line_indent(source_.text(), token->getStartIndex());
}

// Whether the token begins a line within a statement.
bool SyntaxErrors::joins_lines(const antlr4::Token* found) const {
  const size_t index = found->getTokenIndex();
  if (index == 0 || !indent(found)) return false;
  const size_t before = tokens_.at(index - 1).getType();
  return before != SidlParser::SEMI && before != SidlParser::LBRACE && before != SidlParser::RBRACE;
}

bool SyntaxErrors::may_follow_semicolon(const antlr4::Token* found) const {
  const size_t type = found->getType();
  return (indent(found) && shinar::begins_statement(type)) || is_member_keyword(type) ||
         type == SidlParser::RBRACE || type == antlr4::Token::EOF;
}

// The parser is at the beginning or end of a statement: further errors are independent.
void SyntaxErrors::resume(antlr4::Parser* parser) {
  fresh_from_ = tokens_.index();
  endErrorCondition(parser);
}

// Skipped tokens are not needed, and may be most of a long file.
void SyntaxErrors::consume() {
  constexpr size_t kOften = 4096;
  tokens_.consume();
  const size_t index = tokens_.index();
  if (index % kOften == 0) tokens_.forget(index - kOften, index - TokenWindow::kBlock);
}

// Braces around a list of attributes or a complex number: a part of a statement, not its end.
bool SyntaxErrors::opens_list(size_t index) {
  const bool has_attributes = index > 0 && tokens_.at(index - 1).getType() == SidlParser::ATTRIB;
  return has_attributes || is_sign_or_number(tokens_.at(index + 1).getType());
}

// Whether a statement begins there although the one at `before` has not ended: on its own line,
// indented no more than that one.
bool SyntaxErrors::begins_statement(const antlr4::Token* token, size_t before) const {
  if (!shinar::begins_statement(token->getType())) return false;
  const std::optional<std::uint32_t> column = indent(token);
  return column && *column <= indent_around(source_.text(), before);
}

// Whether the ';' before the token stands for a ',' within parentheses: what follows closes them.
bool SyntaxErrors::is_in_parentheses(size_t index) {
  std::size_t depth = 0;
  for (const size_t end = index + kFar; index < end; ++index) {
    switch (tokens_.at(index).getType()) {
      case SidlParser::LPAREN:
        ++depth;
        break;
      case SidlParser::RPAREN:
        if (depth-- == 0) return true;
        break;
      case SidlParser::SEMI:
      case SidlParser::LBRACE:
      case SidlParser::RBRACE:
      case antlr4::Token::EOF:
        return false;
      default:
        break;
    }
  }
  return false;
}

// Skips past the ';' or block that ends a statement, or to what ends it otherwise: where a type is
// expected, the next type; a clause.
void SyntaxErrors::skip_statement(const antlr4::Token* start, bool is_type) {
  const size_t place = start->getStartIndex();
  const size_t first = start->getTokenIndex();
  std::size_t depth = 0;
  std::size_t parentheses = 0;
  const auto count = [&](size_t type) {
    if (type == SidlParser::LPAREN) ++parentheses;
    if (type == SidlParser::RPAREN && parentheses > 0) --parentheses;
  };
  for (size_t index = first; index < tokens_.index(); ++index) {
    const size_t type = tokens_.at(index).getType();
    if (type == SidlParser::LBRACE) ++depth;
    if (type == SidlParser::RBRACE && depth > 0) --depth;
    count(type);
  }
  bool in_list = depth > 0;  // there are no other braces in a statement
  while (true) {
    const size_t type = tokens_.LA(1);
    if (type == antlr4::Token::EOF || (depth == 0 && type == SidlParser::RBRACE)) return;
    const bool can_begin = depth == 0 && tokens_.index() > first;
    if (can_begin && (begins_clause(type) || (is_type && is_type_keyword(type)))) return;
    if (can_begin && begins_statement(tokens_.LT(1), place)) return;
    if (type == SidlParser::LBRACE && depth++ == 0) in_list = opens_list(tokens_.index());
    count(type);
    consume();
    const bool is_end = type == SidlParser::SEMI && depth == 0;
    if (is_end && (parentheses == 0 || !is_in_parentheses(tokens_.index()))) return;
    if (type == SidlParser::RBRACE && --depth == 0 && !in_list) break;
  }
  if (tokens_.LA(1) == SidlParser::SEMI) consume();
}

// Whether the statement after a clause has begun is an assertion rather than the next method.
bool SyntaxErrors::at_assertion() {
  const size_t first = tokens_.LA(1);
  if (first != SidlParser::ID) {
    return first != antlr4::Token::EOF && first != SidlParser::RBRACE &&
           !shinar::begins_statement(first);
  }
  ssize_t at = 2;
  while (tokens_.LA(at) == SidlParser::DOT && tokens_.LA(at + 1) == SidlParser::ID) at += 2;
  return !is_name_token(tokens_.LA(at));
}

// With the clauses that belong to it.
void SyntaxErrors::skip_method(const antlr4::Token* start) {
  skip_statement(start);
  if (at_lost_assertion()) skip_assertions();
  skip_clauses();
}

void SyntaxErrors::skip_clauses() {
  while (begins_clause(tokens_.LA(1))) skip_assertions();
}

void SyntaxErrors::skip_assertions() {
  do {
    skip_statement(tokens_.LT(1));
  } while (at_assertion());
}

// Whether an assertion is where a method belongs: the word before it is missing or damaged.
bool SyntaxErrors::at_lost_assertion() {
  if (!at_assertion()) return false;
  size_t before = 0;
  for (size_t index = tokens_.index(); index < tokens_.index() + kFar; ++index) {
    const size_t type = tokens_.at(index).getType();
    const bool is_over = type == SidlParser::SEMI || type == SidlParser::LBRACE ||
                         type == SidlParser::RBRACE || type == antlr4::Token::EOF ||
                         type == SidlParser::IN || type == SidlParser::OUT ||
                         type == SidlParser::INOUT || begins_clause(type);
    if (is_over) return false;
    const bool is_named = type == SidlParser::COLON && index == tokens_.index() + 1 &&
                          !is_member_keyword(tokens_.at(index + 1).getType()) &&
                          tokens_.at(index + 1).getType() != SidlParser::COLON;
    const bool is_greater = type == SidlParser::GT && index == tokens_.index() + 1;
    const bool is_less = before == SidlParser::LT && is_sign_or_number(type);
    if (is_named || is_greater || is_less || is_only_in_assertions(type)) return true;
    before = type;
  }
  return false;
}

bool SyntaxErrors::at_enumerators_end() {
  const size_t type = tokens_.LA(1);
  const size_t next = tokens_.LA(2);
  return type == SidlParser::RBRACE || type == antlr4::Token::EOF ||
         (type == SidlParser::COMMA && (is_name_token(next) || next == SidlParser::RBRACE));
}

// Skips to the ',' before another enumerator, or to the end. A line end counts as a ','.
void SyntaxErrors::skip_enumerators() {
  std::size_t depth = 0;
  while (tokens_.LA(1) != antlr4::Token::EOF && (depth > 0 || !at_enumerators_end())) {
    if (depth == 0 && is_name_token(tokens_.LA(1)) && indent(tokens_.LT(1))) {
      return tokens_.insert(SidlParser::COMMA);
    }
    if (tokens_.LA(1) == SidlParser::LBRACE) ++depth;
    if (tokens_.LA(1) == SidlParser::RBRACE) --depth;
    consume();
  }
}

// Whether a type begins, or the words before one.
bool SyntaxErrors::begins_type(size_t index) {
  constexpr size_t kFew = 64;
  for (const size_t end = index + kFew; index < end;) {
    const size_t type = tokens_.at(index).getType();
    if (is_type_keyword(type)) return true;
    if (type == SidlParser::ATTRIB) {
      while (index < end && tokens_.at(index).getType() != SidlParser::RBRACE) ++index;
    } else if (type != SidlParser::FINAL && type != SidlParser::ABSTRACT) {
      return false;
    }
    ++index;
  }
  return false;
}

// Whether the text after the brace may be the contents of such a type.
bool SyntaxErrors::fits(size_t keyword, size_t brace) {
  const size_t first = tokens_.at(brace + 1).getType();
  const size_t second = tokens_.at(brace + 2).getType();
  const bool is_enumerator =
      is_name_token(first) &&
      (second == SidlParser::COMMA || second == SidlParser::ASSIGN || second == SidlParser::RBRACE);
  if (first == SidlParser::RBRACE) return true;
  if (keyword == SidlParser::ENUM) return is_enumerator;
  if (keyword == SidlParser::PACKAGE) return begins_type(brace + 1);
  size_t at = brace + 1;
  const auto type = [&] { return tokens_.at(at).getType(); };
  while (type() != SidlParser::SEMI && type() != SidlParser::LPAREN &&
         type() != SidlParser::LBRACE && at < brace + kFar) {
    ++at;
  }
  const size_t end = keyword == SidlParser::STRUCT ? SidlParser::SEMI : SidlParser::LPAREN;
  return !is_enumerator && !is_type_keyword(first) && type() == end;
}

bool SyntaxErrors::holds_types(size_t brace) {
  return tokens_.at(brace + 1).getType() != SidlParser::RBRACE && fits(SidlParser::PACKAGE, brace);
}

bool SyntaxErrors::holds_members(size_t brace) {
  return tokens_.at(brace + 1).getType() != SidlParser::RBRACE &&
         (fits(SidlParser::CLASS, brace) || fits(SidlParser::STRUCT, brace) ||
          fits(SidlParser::ENUM, brace));
}

// Skips to the '{' of a type, from within its head. False, without moving, if it has none. Of two
// keywords on one line the one that fits the contents counts.
bool SyntaxErrors::seek_block(size_t keyword) {
  const size_t begin = tokens_.index();
  std::optional<size_t> other;
  for (size_t index = begin; index < begin + kFar; ++index) {
    const WindowToken& token = tokens_.at(index);
    const size_t type = token.getType();
    const bool is_type = is_type_keyword(type);
    const bool is_over = type == antlr4::Token::EOF || type == SidlParser::SEMI ||
                         type == SidlParser::RBRACE || (indent(&token) && begins_type(index));
    if (is_over) return false;
    if (is_type) other = type;
    if (type != SidlParser::LBRACE || opens_list(index)) continue;
    const bool is_package = keyword == SidlParser::PACKAGE;
    if (is_package ? holds_members(index) : holds_types(index)) return false;
    if (other && fits(*other, index) && !fits(keyword, index)) return false;
    tokens_.seek(index);
    return true;
  }
  return false;
}

// Skips to the keyword of a type, from the words before it.
bool SyntaxErrors::seek_type() {
  const size_t begin = tokens_.index();
  for (size_t index = begin; index < begin + kFar; ++index) {
    const size_t type = tokens_.at(index).getType();
    if (type == antlr4::Token::EOF || type == SidlParser::SEMI) return false;
    if (type == SidlParser::LBRACE && !opens_list(index)) return false;
    if (!is_type_keyword(type)) continue;
    tokens_.seek(index);
    return true;
  }
  return false;
}

// A block of types whose package keyword is missing: the parser continues before its name, as if
// there were one.
bool SyntaxErrors::is_lost_package() {
  const size_t begin = tokens_.index();
  size_t brace = begin;
  for (;; ++brace) {
    const size_t type = tokens_.at(brace).getType();
    if (type == SidlParser::LBRACE) break;
    if (type == antlr4::Token::EOF || type == SidlParser::SEMI || type == SidlParser::RBRACE ||
        is_type_keyword(type) || brace > begin + kFar) {
      return false;
    }
  }
  if (!holds_types(brace)) return false;
  size_t name = brace;
  const auto before = [&](size_t type) {
    return name > begin && tokens_.at(name - 1).getType() == type;
  };
  if (before(SidlParser::INTEGER) || before(SidlParser::FLOAT) ||
      before(SidlParser::VERSION_STRING)) {
    --name;
  }
  if (before(SidlParser::VERSION)) --name;
  if (before(SidlParser::ID)) --name;
  while (before(SidlParser::DOT) && name > begin + 1) name -= 2;
  tokens_.seek(name);
  tokens_.insert(SidlParser::PACKAGE);
  return true;
}

// At the end of the file its first tokens may have been freed.
void SyntaxErrors::skip_type(const antlr4::Token* start) {
  if (tokens_.LA(1) == antlr4::Token::EOF) return;
  const size_t index = tokens_.index();
  const bool has_keyword = is_type_keyword(start->getType()) && index > start->getTokenIndex();
  if (has_keyword) tokens_.seek(start->getTokenIndex() + 1);
  if (has_keyword && is_lost_package()) return;
  tokens_.seek(index);
  skip_statement(start, true);
}

}  // namespace shinar
