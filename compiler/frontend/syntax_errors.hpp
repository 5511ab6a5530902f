// In: ANTLR's view of a syntax error: a parser state, a token and a set of expected tokens.
// Out: one diagnostic in plain words, and a parser that continues after the broken statement.
//
// Braces match already (brace_balance), so the parser always knows which body it is in. An error
// drops the innermost part that can be left out: an assertion, a member, an import; the head of a
// type up to its brace, after which its body is read; anything else in the place of a member or
// type. The parser is told what was dropped (ItemParser::damage).
#pragma once

#include <deque>
#include <exception>
#include <optional>
#include <string>

#include "diagnostics/diagnostic.hpp"
#include "frontend/antlr.hpp"
#include "frontend/item_parser.hpp"
#include "frontend/token_window.hpp"

namespace shinar {

class SyntaxErrors final : public antlr4::DefaultErrorStrategy {
 public:
  SyntaxErrors(const Source& source, TokenWindow& tokens, ItemParser& items,
               Diagnostics& diagnostics)
      : source_(source), tokens_(tokens), items_(items), diagnostics_(diagnostics) {}

 protected:
  void reportNoViableAlternative(antlr4::Parser* parser,
                                 const antlr4::NoViableAltException& error) override;
  void reportInputMismatch(antlr4::Parser* parser,
                           const antlr4::InputMismatchException& error) override;
  void reportUnwantedToken(antlr4::Parser* parser) override;
  void reportMissingToken(antlr4::Parser* parser) override;
  void recover(antlr4::Parser* parser, std::exception_ptr error) override;
  antlr4::Token* recoverInline(antlr4::Parser* parser) override;
  void reportMatch(antlr4::Parser* parser) override;
  bool singleTokenInsertion(antlr4::Parser* parser) override;
  antlr4::Token* singleTokenDeletion(antlr4::Parser* parser) override;
  antlr4::Token* getMissingSymbol(antlr4::Parser* parser) override;
  void sync(antlr4::Parser* parser) override;

 private:
  void explain(antlr4::Parser* parser, antlr4::Token* found,
               const antlr4::misc::IntervalSet& expected);
  Diagnostic& describe(antlr4::Parser* parser, antlr4::Token* found,
                       const antlr4::misc::IntervalSet& expected);
  bool foreign(antlr4::Token* found);
  void hint(antlr4::Parser* parser, antlr4::Token* found, Diagnostic& report);
  bool is_consequence(antlr4::Token* found) const;
  // Throws ParseCancellationException if that makes too many of them.
  void mark_broken(antlr4::Token* found);
  void miss_clause(antlr4::Token* found, const antlr4::misc::IntervalSet& expected);
  bool special_case(antlr4::Parser* parser, antlr4::Token* found);
  Diagnostic& missing_semicolon(antlr4::Parser* parser, antlr4::Token* found);
  std::string shown(antlr4::Token* token) const;
  Span span_of(antlr4::Token* token) const;
  Span span_after_previous(antlr4::Token* token) const;

  // ---- recovery (syntax_recovery.cpp, syntax_skip.cpp) ----
  void sync_body(antlr4::Parser* parser, const antlr4::misc::IntervalSet& next);
  void sync_enum(antlr4::Parser* parser, const antlr4::misc::IntervalSet& next);
  void sync_head(antlr4::Parser* parser, const antlr4::misc::IntervalSet& next);
  void sync_statement(antlr4::Parser* parser, const antlr4::misc::IntervalSet& next);
  void resume(antlr4::Parser* parser);
  void consume();
  void skip_statement(const antlr4::Token* start, bool is_type = false);
  void skip_type(const antlr4::Token* start);
  void skip_method(const antlr4::Token* start);
  void skip_clauses();
  void skip_assertions();
  void skip_enumerators();
  bool seek_block(size_t keyword);
  bool seek_type();
  bool at_enumerators_end();
  bool at_assertion();
  bool at_lost_assertion();
  bool is_in_parentheses(size_t index);
  bool opens_list(size_t index);
  bool joins_lines(const antlr4::Token* found) const;
  bool may_follow_semicolon(const antlr4::Token* found) const;
  bool fits(size_t keyword, size_t brace);
  bool holds_members(size_t brace);
  bool holds_types(size_t brace);
  bool begins_type(size_t index);
  std::optional<std::uint32_t> indent(const antlr4::Token* token) const;
  bool begins_statement(const antlr4::Token* token, size_t before) const;
  bool is_lost_package();

  const Source& source_;
  TokenWindow& tokens_;
  ItemParser& items_;
  Diagnostics& diagnostics_;
  std::deque<WindowToken> missing_;
  std::optional<size_t> last_error_;  // index of the token at which it was found
  size_t fresh_from_ = 0;             // index of the token at which the parser went on after it
  std::size_t errors_ = 0;
  const antlr4::ParserRuleContext* holder_ = nullptr;  // the last type in which another one stood
  bool stay_ = false;  // the error was a missing ';': both statements are intact
};

}  // namespace shinar
