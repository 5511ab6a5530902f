// How the parser continues after an error.

#include <array>
#include <utility>

#include "frontend/line_indent.hpp"
#include "frontend/rules.hpp"
#include "frontend/statement_words.hpp"
#include "frontend/syntax_errors.hpp"

namespace shinar {
namespace {

using antlr4::misc::IntervalSet;
using grammar::SidlParser;

// Lookahead in tokens. Statements are shorter; a long invalid file must not be read repeatedly as a
// whole.
constexpr size_t kFar = 1024;

bool is_body(const antlr4::RuleContext* context) {
  return context != nullptr && shinar::is_body(context->getRuleIndex());
}

bool is_name(size_t type) {
  return type == SidlParser::ID || type == SidlParser::VERSION;
}

bool is_sign_or_number(size_t type) {
  return type == SidlParser::PLUS || type == SidlParser::MINUS || type == SidlParser::INTEGER ||
         type == SidlParser::FLOAT;
}

// The keyword of the type whose head or body is read.
size_t keyword_of(const antlr4::RuleContext* context) {
  return static_cast<const antlr4::ParserRuleContext*>(context)->start->getType();
}

antlr4::atn::ATNState* state_of(antlr4::Parser* parser) {
  return parser->getATN().states[parser->getState()];
}

// Whether the parser's state, in which one token is expected, accepts this one.
bool wants(antlr4::Parser* parser, size_t type) {
  return parser->getATN().nextTokens(state_of(parser)).contains(type);
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

// ---- skipping -----------------------------------------------------------------------------------

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

// Skips past the ';' or block that ends a statement, or to what ends it otherwise: where a type is
// expected, the next type.
void SyntaxErrors::skip_statement(const antlr4::Token* start, bool is_type) {
  const size_t place = start->getStartIndex();
  const size_t first = start->getTokenIndex();
  std::size_t depth = 0;
  for (size_t index = first; index < tokens_.index(); ++index) {
    const size_t type = tokens_.at(index).getType();
    if (type == SidlParser::LBRACE) ++depth;
    if (type == SidlParser::RBRACE && depth > 0) --depth;
  }
  bool in_list = depth > 0;  // there are no other braces in a statement
  while (true) {
    const size_t type = tokens_.LA(1);
    if (type == antlr4::Token::EOF || (depth == 0 && type == SidlParser::RBRACE)) return;
    const bool can_begin = depth == 0 && tokens_.index() > first;
    if (can_begin && is_type && is_type_keyword(type)) return;
    if (can_begin && begins_statement(tokens_.LT(1), place)) return;
    if (type == SidlParser::LBRACE && depth++ == 0) in_list = opens_list(tokens_.index());
    consume();
    if (type == SidlParser::SEMI && depth == 0) return;
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
  return !is_name(tokens_.LA(at));
}

// With the clauses that belong to it.
void SyntaxErrors::skip_method(const antlr4::Token* start) {
  skip_statement(start);
  while (tokens_.LA(1) == SidlParser::REQUIRE || tokens_.LA(1) == SidlParser::ENSURE) {
    do {
      skip_statement(tokens_.LT(1));
    } while (at_assertion());
  }
}

bool SyntaxErrors::at_enumerators_end() {
  const size_t type = tokens_.LA(1);
  const size_t next = tokens_.LA(2);
  return type == SidlParser::RBRACE || type == antlr4::Token::EOF ||
         (type == SidlParser::COMMA && (is_name(next) || next == SidlParser::RBRACE));
}

// Skips to the ',' before another enumerator, or to the end. A line end counts as a ','.
void SyntaxErrors::skip_enumerators() {
  std::size_t depth = 0;
  while (tokens_.LA(1) != antlr4::Token::EOF && (depth > 0 || !at_enumerators_end())) {
    if (depth == 0 && is_name(tokens_.LA(1)) && indent(tokens_.LT(1))) {
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
      is_name(first) &&
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

// ---- ANTLR's hooks ------------------------------------------------------------------------------

void SyntaxErrors::recover(antlr4::Parser* parser, std::exception_ptr error) {
  const bool stay = std::exchange(stay_, false);
  antlr4::ParserRuleContext* context = parser->getContext();
  bool found = true;
  switch (context->getRuleIndex()) {
    case SidlParser::RuleRequireStatement:
    case SidlParser::RuleImportStatement:
    case SidlParser::RuleStructMember:
    case SidlParser::RuleAssertion:
    case SidlParser::RuleInvariantClause:
    case SidlParser::RuleRequireClause:
    case SidlParser::RuleEnsureClause:
      if (!stay) skip_statement(context->start);
      break;
    case SidlParser::RuleMethod:
      if (!stay) skip_method(context->start);
      break;
    case SidlParser::RuleEnumerator:
      skip_enumerators();
      break;
    case SidlParser::RuleUserType:
      skip_type(context->start);
      break;
    case SidlParser::RuleFile:
      while (tokens_.LA(1) != antlr4::Token::EOF) consume();
      break;
    case SidlParser::RuleTypeAttribute:
      found = seek_type();
      break;
    default:
      found = is_body(static_cast<antlr4::RuleContext*>(context->parent)) &&
              seek_block(keyword_of(static_cast<antlr4::RuleContext*>(context->parent)));
      break;
  }
  // The calling rule can handle it better.
  if (!found) std::rethrow_exception(error);
  resume(parser);
}

// After the head of a type its body is read, whatever is wrong with the head.
antlr4::Token* SyntaxErrors::recoverInline(antlr4::Parser* parser) {
  try {
    return DefaultErrorStrategy::recoverInline(parser);
  } catch (const antlr4::InputMismatchException& error) {
    const bool is_head = is_body(parser->getContext()) && !wants(parser, SidlParser::RBRACE);
    if (!is_head) throw;
    reportError(parser, error);
    if (!seek_block(keyword_of(parser->getContext()))) throw;
    resume(parser);
    if (!wants(parser, SidlParser::LBRACE)) return getMissingSymbol(parser);
    antlr4::Token* const brace = tokens_.LT(1);
    parser->consume();
    return brace;
  }
}

// What an inserted brace ends may have been longer.
void SyntaxErrors::reportMatch(antlr4::Parser* parser) {
  DefaultErrorStrategy::reportMatch(parser);
  const WindowToken& token = tokens_.current();
  const bool is_missing = token.range().begin == token.range().end;
  if (is_missing && token.getType() == SidlParser::RBRACE) items_.damage();
}

// Braces match, and lines are independent: an error must not join two of them.
antlr4::Token* SyntaxErrors::singleTokenDeletion(antlr4::Parser* parser) {
  const antlr4::Token* const found = parser->getCurrentToken();
  const size_t type = found->getType();
  const bool is_kept = type == SidlParser::LBRACE || type == SidlParser::RBRACE ||
                       is_type_keyword(type) || indent(found) || indent(tokens_.LT(2));
  return is_kept ? nullptr : DefaultErrorStrategy::singleTokenDeletion(parser);
}

bool SyntaxErrors::singleTokenInsertion(antlr4::Parser* parser) {
  const bool is_brace = wants(parser, SidlParser::LBRACE) || wants(parser, SidlParser::RBRACE);
  const bool is_midst = wants(parser, SidlParser::SEMI) && !may_follow_semicolon(tokens_.LT(1));
  return !is_brace && !is_midst && DefaultErrorStrategy::singleTokenInsertion(parser);
}

// A zero-width token.
antlr4::Token* SyntaxErrors::getMissingSymbol(antlr4::Parser* parser) {
  const antlr4::Token* const next = parser->getCurrentToken();
  const auto type = static_cast<std::uint32_t>(getExpectedTokens(parser).getMinElement());
  const auto place = static_cast<std::uint32_t>(next->getStartIndex());
  return &missing_.emplace_back(tokens_, Lexeme{type, place, place},
                                static_cast<std::uint32_t>(next->getTokenIndex()));
}

void SyntaxErrors::sync(antlr4::Parser* parser) {
  const antlr4::ParserRuleContext* context = parser->getContext();
  const bool is_file = context->getRuleIndex() == SidlParser::RuleFile;
  if (inErrorRecoveryMode(parser)) return;
  const IntervalSet next = parser->getATN().nextTokens(state_of(parser));
  if (!is_file && !is_body(context)) return sync_statement(parser, next);
  if (context->getRuleIndex() == SidlParser::RuleEnumType) {
    sync_enum(parser, next);
  } else if (is_file || next.contains(size_t{SidlParser::RBRACE})) {
    sync_body(parser, next);
  } else {
    sync_head(parser, next);
  }
}

// Unlike ANTLR, which may search for a token that can follow any enclosing rule.
void SyntaxErrors::sync_statement(antlr4::Parser* parser, const IntervalSet& next) {
  const bool is_fine = next.contains(antlr4::Token::EPSILON) || next.contains(tokens_.LA(1));
  if (is_fine || singleTokenDeletion(parser) != nullptr) return;
  throw antlr4::InputMismatchException(parser);
}

void SyntaxErrors::sync_head(antlr4::Parser* parser, const IntervalSet& next) {
  try {
    sync_statement(parser, next);
  } catch (const antlr4::InputMismatchException& error) {
    reportError(parser, error);
    if (!seek_block(keyword_of(parser->getContext()))) throw;
    resume(parser);
  }
}

// Drops what is in the place of a member or type, statement by statement; a single token if what
// follows it is valid there.
void SyntaxErrors::sync_body(antlr4::Parser* parser, const IntervalSet& next) {
  for (bool is_more = false; !next.contains(tokens_.LA(1)) && tokens_.LA(1) != antlr4::Token::EOF;
       is_more = true) {
    antlr4::Token* const found = parser->getCurrentToken();
    const size_t type = found->getType();
    const bool is_block = is_type_keyword(type) || type == SidlParser::LBRACE;
    const size_t second = tokens_.LA(2);
    const bool is_alone = type == SidlParser::RBRACE ||
                          (!is_block && second != antlr4::Token::EOF && next.contains(second));
    if (is_alone) {
      reportUnwantedToken(parser);
      consume();
      endErrorCondition(parser);
    } else {
      beginErrorCondition(parser);
      // Of several types within another one, and of several errors on a line, only the first is
      // reported.
      const bool is_next = is_type_keyword(type) && holder_ == parser->getContext();
      if (is_next || (is_more && !indent(found))) {
        items_.damage();
      } else {
        explain(parser, found, parser->getExpectedTokens());
      }
      if (is_type_keyword(type)) holder_ = parser->getContext();
      stay_ = false;
      const bool is_type = next.contains(size_t{SidlParser::PACKAGE});
      if (!is_type || !is_lost_package()) skip_statement(found, is_type);
      resume(parser);
    }
  }
}

void SyntaxErrors::sync_enum(antlr4::Parser* parser, const IntervalSet& next) {
  const bool is_list = next.contains(size_t{SidlParser::COMMA});
  const size_t type = tokens_.LA(1);
  const size_t second = tokens_.LA(2);
  if (is_list ? at_enumerators_end() : next.contains(type)) return;
  if (is_list && is_name(type) && indent(tokens_.LT(1))) {
    beginErrorCondition(parser);
    explain(parser, parser->getCurrentToken(), IntervalSet::of(SidlParser::COMMA));
    tokens_.insert(SidlParser::COMMA);
    return resume(parser);
  }
  if (type != SidlParser::COMMA && next.contains(second)) {
    reportUnwantedToken(parser);
    consume();
  } else if (is_list && type == SidlParser::COMMA) {
    beginErrorCondition(parser);
    explain(parser, tokens_.LT(2), IntervalSet::of(SidlParser::ID));
    consume();
  } else {
    beginErrorCondition(parser);
    explain(parser, parser->getCurrentToken(), parser->getExpectedTokens());
  }
  skip_enumerators();
  if (!is_list && tokens_.LA(1) == SidlParser::COMMA) consume();
  resume(parser);
}

}  // namespace shinar
