// How the parser continues after an error.

#include <utility>

#include "frontend/rules.hpp"
#include "frontend/statement_words.hpp"
#include "frontend/syntax_errors.hpp"

namespace shinar {
namespace {

using antlr4::misc::IntervalSet;
using grammar::SidlParser;

bool is_body(const antlr4::RuleContext* context) {
  return context != nullptr && shinar::is_body(context->getRuleIndex());
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

void SyntaxErrors::recover(antlr4::Parser* parser, std::exception_ptr error) {
  const bool stay = std::exchange(stay_, false);
  antlr4::ParserRuleContext* context = parser->getContext();
  bool found = true;
  switch (context->getRuleIndex()) {
    case SidlParser::RuleRequireStatement:
    case SidlParser::RuleImportStatement:
    case SidlParser::RuleStructMember:
    case SidlParser::RuleAssertion: {
      if (stay) break;
      // If its first words are wrong they may have begun another clause.
      const bool is_begin = last_error_ && *last_error_ <= context->start->getTokenIndex() + 1;
      skip_statement(context->start);
      if (is_begin && at_assertion()) skip_assertions();
      break;
    }
    case SidlParser::RuleInvariantClause:
    case SidlParser::RuleRequireClause:
    case SidlParser::RuleEnsureClause:
      skip_statement(context->start);
      if (at_assertion()) skip_assertions();
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
  const size_t type = tokens_.LA(1);
  const bool is_fine = next.contains(antlr4::Token::EPSILON) || next.contains(type);
  // A ';' before the clauses of a method is inserted where it is missing.
  const bool is_before_clause =
      begins_clause(type) && indent(tokens_.LT(1)) && next.contains(size_t{SidlParser::SEMI});
  if (is_fine || is_before_clause || singleTokenDeletion(parser) != nullptr) return;
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
  const size_t rule = parser->getContext()->getRuleIndex();
  const bool is_object = rule == SidlParser::RuleClassType || rule == SidlParser::RuleInterfaceType;
  const bool is_type = next.contains(size_t{SidlParser::PACKAGE});
  for (bool is_more = false;; is_more = true) {
    antlr4::Token* const found = parser->getCurrentToken();
    const size_t type = found->getType();
    const bool is_assertion = is_object && at_lost_assertion();
    const bool is_fine = next.contains(type) && !is_assertion;
    if (is_fine || type == antlr4::Token::EOF) return;
    const bool is_clause = is_assertion || (is_object && begins_clause(type));
    const bool is_block = is_type_keyword(type) || type == SidlParser::LBRACE || is_clause;
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
      // reported; of clauses behind an error, none, as their method is what was wrong.
      const bool is_next = is_type_keyword(type) && holder_ == parser->getContext();
      const bool is_rest =
          is_clause ? is_more || fresh_from_ == tokens_.index() : is_more && !indent(found);
      if (is_next || is_rest) {
        items_.damage();
      } else if (is_assertion) {
        miss_clause(found, next);
      } else {
        explain(parser, found, parser->getExpectedTokens());
      }
      if (is_type_keyword(type)) holder_ = parser->getContext();
      stay_ = false;
      if (is_clause) {
        if (is_assertion) skip_assertions();
        skip_clauses();
      } else if (!is_type || !is_lost_package()) {
        skip_statement(found, is_type);
      }
      resume(parser);
    }
  }
}

void SyntaxErrors::sync_enum(antlr4::Parser* parser, const IntervalSet& next) {
  const bool is_list = next.contains(size_t{SidlParser::COMMA});
  const size_t type = tokens_.LA(1);
  const size_t second = tokens_.LA(2);
  if (is_list ? at_enumerators_end() : next.contains(type)) return;
  if (is_list && is_name_token(type) && indent(tokens_.LT(1))) {
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
