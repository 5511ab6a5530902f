// In: ANTLR's view of a syntax error: a parser state, a token and a set of expected tokens.
// Out: one diagnostic in a person's words, and a parser that goes on behind the broken statement.
#pragma once

#include <exception>
#include <set>
#include <string>

#include "diagnostics/diagnostic.hpp"
#include "frontend/antlr.hpp"
#include "frontend/token_window.hpp"

namespace shinar {

class SyntaxErrors final : public antlr4::DefaultErrorStrategy {
 public:
  SyntaxErrors(const Source& source, TokenWindow& tokens, Diagnostics& diagnostics)
      : source_(source), tokens_(tokens), diagnostics_(diagnostics) {}

 protected:
  void reportNoViableAlternative(antlr4::Parser* parser,
                                 const antlr4::NoViableAltException& error) override;
  void reportInputMismatch(antlr4::Parser* parser,
                           const antlr4::InputMismatchException& error) override;
  void reportUnwantedToken(antlr4::Parser* parser) override;
  void reportMissingToken(antlr4::Parser* parser) override;
  void recover(antlr4::Parser* parser, std::exception_ptr error) override;
  void sync(antlr4::Parser* parser) override;
  void consumeUntil(antlr4::Parser* parser, const antlr4::misc::IntervalSet& set) override;

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
  bool special_case(antlr4::Parser* parser, antlr4::Token* found);
  Diagnostic& missing_semicolon(antlr4::Parser* parser, antlr4::Token* found);
  void note_open_brace(Diagnostic& report) const;
  std::string shown(antlr4::Token* token) const;
  Span span_of(antlr4::Token* token) const;
  Span span_after_previous(antlr4::Token* token) const;

  const Source& source_;
  TokenWindow& tokens_;
  Diagnostics& diagnostics_;
  std::set<size_t> broken_;  // indices of the tokens at which errors were found
  bool reported_ = false;
  bool stay_ = false;  // the error was a missing ';': the next statement is intact
};

}  // namespace shinar
