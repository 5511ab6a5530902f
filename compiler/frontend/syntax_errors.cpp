#include "frontend/syntax_errors.hpp"

#include <array>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

#include "diagnostics/spelling.hpp"
#include "diagnostics/utf8.hpp"
#include "frontend/limits.hpp"
#include "frontend/statement_words.hpp"
#include "frontend/syntax_hints.hpp"
#include "frontend/token_spans.hpp"

namespace shinar {
namespace {

using grammar::SidlParser;
using TokenSet = std::set<size_t>;

bool is_keyword(size_t type) {
  return type >= SidlParser::ABSTRACT && type <= SidlParser::XOR;
}

// Whether what follows the word follows names in lists: then it is meant as one, also on its own
// line.
bool is_in_list(TokenWindow& tokens, antlr4::Token* found) {
  if (!is_keyword(found->getType())) return false;
  switch (tokens.at(found->getTokenIndex() + 1).getType()) {
    case SidlParser::COMMA:
    case SidlParser::ASSIGN:
    case SidlParser::RBRACE:
    case SidlParser::RPAREN:
      return true;
    default:
      return false;
  }
}

std::string unquoted(antlr4::Parser* parser, size_t type) {
  const std::string literal = parser->getVocabulary().getLiteralName(type);
  return literal.size() > 2 ? literal.substr(1, literal.size() - 2) : literal;
}

// The name of a rule, for messages about what is missing after it; empty: use the enclosing rule's.
std::string_view noun(size_t rule) {
  switch (rule) {
    case SidlParser::RuleRequireStatement:
      return "the require statement";
    case SidlParser::RuleImportStatement:
      return "the import statement";
    case SidlParser::RuleStructMember:
      return "the struct member";
    case SidlParser::RuleMethod:
      return "the method";
    case SidlParser::RuleAssertion:
      return "the assertion";
    default:
      return "";
  }
}

std::string described(antlr4::ParserRuleContext* context) {
  for (antlr4::RuleContext* rule = context; rule != nullptr;
       rule = dynamic_cast<antlr4::RuleContext*>(rule->parent)) {
    const std::string_view name = noun(rule->getRuleIndex());
    if (name.empty()) continue;
    auto* method = dynamic_cast<SidlParser::MethodContext*>(rule);
    if (method == nullptr || method->name == nullptr) return std::string(name);
    return std::string(name) + " '" + method->name->getText() + "'";
  }
  return {};
}

// Expected tokens with a common name in messages, recognised by the first one.
struct Family {
  std::initializer_list<std::string_view> names;
  std::initializer_list<size_t> members;
  bool has_basic_types = false;
};

const std::array<Family, 6>& families() {
  using P = SidlParser;
  static const std::array<Family, 6> list = {{
      {{"a package", "class", "interface", "struct", "enum"},
       {P::PACKAGE, P::CLASS, P::INTERFACE, P::STRUCT, P::ENUM, P::FINAL, P::ABSTRACT, P::ATTRIB,
        P::REQUIRE, P::IMPORT}},
      {{"a method"},
       {P::ONEWAY, P::LOCAL, P::STATIC, P::ABSTRACT, P::FINAL, P::NONBLOCKING, P::COPY, P::ATTRIB,
        P::VOID, P::ARRAY, P::ID, P::DOT, P::INVARIANT, P::REQUIRE, P::ENSURE},
       true},
      {{"a type"}, {P::BOOL, P::ARRAY, P::RARRAY, P::VOID, P::ID, P::DOT}, true},
      {{"'in'", "'out'", "'inout'"}, {P::IN, P::OUT, P::INOUT, P::COPY, P::ATTRIB}},
      {{"an expression"},
       {P::TILDE, P::NOT, P::IS, P::PLUS, P::MINUS, P::ID, P::INTEGER, P::FLOAT, P::STRING,
        P::CHARACTER, P::TRUE, P::FALSE, P::NULL_LITERAL, P::PURE, P::RESULT, P::LBRACE,
        P::LPAREN}},
      {{"an operator"},
       {P::POWER, P::IMPLIES, P::IFF,   P::OR,      P::XOR, P::AND, P::AMP,   P::BAR, P::CARET,
        P::EQ,    P::NE,      P::LT,    P::GT,      P::LE,  P::GE,  P::SHL,   P::SHR, P::PLUS,
        P::MINUS, P::STAR,    P::SLASH, P::PERCENT, P::MOD, P::REM, P::LPAREN}},
  }};
  return list;
}

std::string token_name(antlr4::Parser* parser, size_t type) {
  switch (type) {
    case SidlParser::ID:
      return "a name";
    case SidlParser::INTEGER:
    case SidlParser::FLOAT:
      return "a number";
    case SidlParser::STRING:
      return "a string";
    case SidlParser::EXTENSION:
      return "an extension like [Ext]";
    case antlr4::Token::EOF:
      return "the end of the file";
    default:
      return "'" + unquoted(parser, type) + "'";
  }
}

// The names of expected tokens, families first.
std::vector<std::string> in_words(antlr4::Parser* parser, TokenSet expected) {
  std::vector<std::string> words;
  for (const Family& family : families()) {
    if (!expected.contains(*family.members.begin())) continue;
    words.insert(words.end(), family.names.begin(), family.names.end());
    for (size_t member : family.members) expected.erase(member);
    if (family.has_basic_types) std::erase_if(expected, is_basic_type);
  }
  if (words.empty()) {
    // If a body may begin here, what may precede it only distracts.
    if (expected.contains(SidlParser::LBRACE)) return {"'{'"};
    if (expected.contains(SidlParser::DOT) && expected.size() > 1) expected.erase(SidlParser::DOT);
    if (expected.contains(SidlParser::LPAREN)) expected.erase(SidlParser::EXTENSION);
    // A version number is any of three tokens.
    if (expected.erase(SidlParser::VERSION_STRING) > 0) {
      return {"a version number like 1.0"};
    }
  }
  std::set<std::string> once(words.begin(), words.end());
  for (size_t type : expected) {
    if (type == antlr4::Token::EOF && !words.empty()) continue;
    std::string name = token_name(parser, type);
    if (once.insert(name).second) words.push_back(std::move(name));
  }
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::optional<std::string> meant_keyword(antlr4::Parser* parser, const std::string& word,
                                         const TokenSet& expected) {
  std::vector<std::string> keywords;
  for (size_t type : expected) {
    if (is_keyword(type)) keywords.push_back(unquoted(parser, type));
  }
  return closest(word, keywords);
}

}  // namespace

Span SyntaxErrors::span_of(antlr4::Token* token) const {
  return token_span(source_, token);
}

Span SyntaxErrors::span_after_previous(antlr4::Token* token) const {
  const size_t index = token->getTokenIndex();
  if (index == 0) return span_of(token);
  const std::uint32_t end = span_of(&tokens_.at(index - 1)).end;
  return {source_.id(), end, end};
}

std::string SyntaxErrors::shown(antlr4::Token* token) const {
  if (token->getType() == antlr4::Token::EOF) return "the end of the file";
  return in_quotes(shortened(token->getText()));
}

Diagnostic& SyntaxErrors::missing_semicolon(antlr4::Parser* parser, antlr4::Token* found) {
  const Span span = span_after_previous(found);
  const std::string where = described(parser->getContext());
  return diagnostics_
      .report(Code::Expected, span, "expected ';'" + (where.empty() ? "" : " after " + where))
      .suggest(span, ";");
}

// True if an earlier error in the same statement explains this one.
bool SyntaxErrors::is_consequence(antlr4::Token* found) const {
  const auto* token = static_cast<const WindowToken*>(found);
  if (token->after_bad_text) return true;
  const size_t begin = std::max(size_t{token->statement}, fresh_from_);
  return last_error_ && *last_error_ >= begin && *last_error_ < token->getTokenIndex();
}

void SyntaxErrors::mark_broken(antlr4::Token* found) {
  last_error_ = found->getTokenIndex();
  if (++errors_ <= limits::kErrors) return;
  diagnostics_.give_up();
  throw antlr4::ParseCancellationException("too many errors");
}

// Mistakes with messages of their own.
bool SyntaxErrors::special_case(antlr4::Parser* parser, antlr4::Token* found) {
  const size_t type = found->getType();
  const size_t rule = parser->getContext()->getRuleIndex();
  if (rule == SidlParser::RuleArrayType && type == SidlParser::ARRAY) {
    diagnostics_.report(Code::Unexpected, span_of(found),
                        "there are no arrays of arrays; write array<type,2> for two dimensions");
    return true;
  }
  const bool implements = type == SidlParser::IMPLEMENTS || type == SidlParser::IMPLEMENTS_ALL;
  if (rule == SidlParser::RuleInterfaceType && implements) {
    diagnostics_
        .report(Code::Unexpected, span_of(found),
                "an interface extends other interfaces; only classes implement them")
        .suggest(span_of(found), "extends");
    return true;
  }
  return false;
}

void SyntaxErrors::explain(antlr4::Parser* parser, antlr4::Token* found,
                           const antlr4::misc::IntervalSet& set) {
  const bool silent = is_consequence(found);
  mark_broken(found);
  const size_t type = found->getType();
  stay_ = set.contains(size_t{SidlParser::SEMI}) && may_follow_semicolon(found);
  if (!silent && !special_case(parser, found) && !foreign(found)) {
    hint(parser, found, describe(parser, found, set));
  }
  // On the same line something else may be missing.
  const bool is_intact = stay_ && (indent(found) || !is_member_keyword(type));
  if (!is_intact) items_.damage();
}

// A keyword of another language: the error is at this word rather than after it.
bool SyntaxErrors::foreign(antlr4::Token* found) {
  const size_t index = found->getTokenIndex();
  const size_t type = found->getType();
  const auto complain = [&](antlr4::Token* token) {
    if (token->getType() != SidlParser::ID) return false;
    const std::string_view hint = foreign_word(token->getText());
    if (hint.empty()) return false;
    diagnostics_.report(Code::Unexpected, span_of(token),
                        shown(token) + " is not a SIDL keyword: " + std::string(hint));
    return true;
  };
  if (complain(found)) return true;
  // If the statement or list continues correctly, the word before is an ordinary name.
  switch (type) {
    case SidlParser::SEMI:
    case SidlParser::COMMA:
    case SidlParser::LPAREN:
    case SidlParser::RPAREN:
    case SidlParser::LBRACE:
    case SidlParser::ASSIGN:
      return false;
    default:
      return index > 0 && complain(&tokens_.at(index - 1));
  }
}

void SyntaxErrors::hint(antlr4::Parser* parser, antlr4::Token* found, Diagnostic& report) {
  if (report.fix && found->getType() == SidlParser::ID) return;  // there is a better suggestion
  const size_t index = found->getTokenIndex();
  const size_t before = index == 0 ? 0 : tokens_.at(index - 1).getType();
  const bool is_end = found->getType() == antlr4::Token::EOF;
  const size_t after = is_end ? 0 : tokens_.at(index + 1).getType();
  const std::string_view hint =
      syntax_hint(parser->getContext(), {before, found->getType(), after});
  if (!hint.empty()) report.note(std::nullopt, std::string(hint));
}

Diagnostic& SyntaxErrors::describe(antlr4::Parser* parser, antlr4::Token* found,
                                   const antlr4::misc::IntervalSet& set) {
  TokenSet expected;
  bool expects_keyword = false;
  for (ssize_t type : set.toList()) expected.insert(static_cast<size_t>(type));
  // Where `version` is allowed as a name it need not be mentioned.
  if (expected.contains(SidlParser::ID)) expected.erase(SidlParser::VERSION);
  for (size_t type : expected) expects_keyword = expects_keyword || is_keyword(type);
  const size_t type = found->getType();
  const bool joins = joins_lines(found) && !is_in_list(tokens_, found);
  if (is_keyword(type) && !joins && expected.contains(SidlParser::ID) && !expects_keyword) {
    return diagnostics_.report(
        Code::KeywordAsName, span_of(found),
        shown(found) + " is a word of the SIDL language and cannot be a name");
  }
  if (expected.contains(SidlParser::SEMI)) {
    if (const auto word = meant_keyword(parser, found->getText(), expected);
        word && type == SidlParser::ID) {
      stay_ = false;
      return diagnostics_
          .report(Code::Unexpected, span_of(found),
                  "unexpected " + shown(found) + "; did you mean '" + *word + "'?")
          .suggest(span_of(found), *word);
    }
    return missing_semicolon(parser, found);
  }
  const std::string message =
      "expected " + joined(in_words(parser, expected)) + (joins ? " before " : ", found ");
  // What is missing at the end of a line is reported there, not on the next one.
  const bool is_before = joins || type == antlr4::Token::EOF;
  const Span place = is_before ? span_after_previous(found) : span_of(found);
  Diagnostic& report = diagnostics_.report(Code::Expected, place, message + shown(found));
  if (type != SidlParser::ID) return report;
  if (const auto word = meant_keyword(parser, found->getText(), expected)) {
    report.message += "; did you mean '" + *word + "'?";
    report.suggest(span_of(found), *word);
  }
  return report;
}

// An assertion without the word that begins its clause.
void SyntaxErrors::miss_clause(antlr4::Token* found, const antlr4::misc::IntervalSet& expected) {
  const bool silent = is_consequence(found);
  mark_broken(found);
  items_.damage();
  if (silent || foreign(found)) return;
  const bool is_first = expected.contains(size_t{SidlParser::INVARIANT});
  const std::string words = is_first ? "'invariant'" : "'require' or 'ensure'";
  diagnostics_.report(Code::Expected, span_of(found),
                      "expected " + words + " before the assertion, found " + shown(found));
}

void SyntaxErrors::reportNoViableAlternative(antlr4::Parser* parser,
                                             const antlr4::NoViableAltException& error) {
  explain(parser, error.getOffendingToken(), error.getExpectedTokens());
}

void SyntaxErrors::reportInputMismatch(antlr4::Parser* parser,
                                       const antlr4::InputMismatchException& error) {
  explain(parser, error.getOffendingToken(), error.getExpectedTokens());
}

void SyntaxErrors::reportUnwantedToken(antlr4::Parser* parser) {
  if (inErrorRecoveryMode(parser)) return;
  beginErrorCondition(parser);
  antlr4::Token* found = parser->getCurrentToken();
  const antlr4::misc::IntervalSet expected = getExpectedTokens(parser);
  const size_t type = found->getType();
  const bool may_be_name = is_keyword(type) && expected.contains(size_t{SidlParser::ID});
  if (may_be_name || type == antlr4::Token::EOF || joins_lines(found)) {
    explain(parser, found, expected);
    return;
  }
  const bool silent = is_consequence(found);
  mark_broken(found);
  items_.damage();
  if (silent || foreign(found)) return;
  hint(parser, found,
       diagnostics_.report(Code::Unexpected, span_of(found), "unexpected " + shown(found)));
}

void SyntaxErrors::reportMissingToken(antlr4::Parser* parser) {
  if (inErrorRecoveryMode(parser)) return;
  beginErrorCondition(parser);
  explain(parser, parser->getCurrentToken(), getExpectedTokens(parser));
}

}  // namespace shinar
