#include "frontend/token_check.hpp"

#include <utility>

#include "frontend/word_lexer.hpp"

namespace shinar {
namespace {

using grammar::SidlLexer;

// The parser is recursive: each level of braces, parentheses or prefix operators costs stack,
// and a dotted name is a chain of packages.
constexpr int kMaxDepth = 100;

bool is_prefix_operator(size_t type) {
  return type == SidlLexer::PLUS || type == SidlLexer::MINUS || type == SidlLexer::TILDE ||
         type == SidlLexer::NOT || type == SidlLexer::IS;
}

// Follows braces, parentheses, runs of prefix operators and dotted names.
class DepthGauge {
 public:
  // False when the token goes one level too deep.
  bool accept(size_t type) {
    run_ = is_prefix_operator(type) ? run_ + 1 : 0;
    if (type == SidlLexer::DOT) ++dots_;
    if (type != SidlLexer::DOT && type != SidlLexer::ID) dots_ = 0;
    if (type == SidlLexer::LBRACE || type == SidlLexer::LPAREN) ++depth_;
    if (type == SidlLexer::RBRACE || type == SidlLexer::RPAREN) --depth_;
    return depth_ <= kMaxDepth && run_ <= kMaxDepth && dots_ <= kMaxDepth;
  }

 private:
  int depth_ = 0;
  int run_ = 0;
  int dots_ = 0;
};

void report_unknown(Span span, const std::string& text, Diagnostics& diagnostics) {
  if (text == "[") {
    diagnostics.report(Code::UnknownCharacter, span, "unexpected '['")
        .note(std::nullopt, "the extension of an overload is written like [Ext], without spaces");
    return;
  }
  if (text == "'") {
    diagnostics.report(Code::UnclosedString, span, "the character literal is not closed");
    return;
  }
  std::string hint;
  if (text == "_") hint = " (a name begins with a letter)";
  if ((static_cast<unsigned char>(text.front()) & 0x80U) != 0) hint = " (names are plain ASCII)";
  diagnostics.report(Code::UnknownCharacter, span, "unexpected '" + text + "'" + hint);
}

}  // namespace

bool check_tokens(const Source& source, Diagnostics& diagnostics) {
  bool usable = true;
  bool bracket_open = false;  // reported, and its ']' need not be
  DepthGauge gauge;
  WordLexer lexer(source.text());
  for (Lexeme lexeme = lexer.next(); lexeme.type != WordLexer::kEnd; lexeme = lexer.next()) {
    const Span span{source.id(), lexeme.begin, lexeme.end};
    if (!gauge.accept(lexeme.type)) {
      diagnostics.report(Code::TooDeep, span,
                         "nested more than " + std::to_string(kMaxDepth) + " levels deep");
      return false;
    }
    if (lexeme.type == SidlLexer::BAD_COMMENT) {
      diagnostics.report(Code::UnclosedComment, Span{span.file, span.begin, span.begin + 2},
                         "the comment is not closed");
      usable = false;
    } else if (lexeme.type == SidlLexer::BAD_STRING) {
      diagnostics.report(Code::UnclosedString, span, "the string is not closed");
      usable = false;
    } else if (lexeme.type == SidlLexer::BAD_TEXT) {
      const std::string text(source.text().substr(span.begin, span.end - span.begin));
      const bool closes = std::exchange(bracket_open, text == "[") && text == "]";
      if (!closes) report_unknown(span, text, diagnostics);
    }
  }
  return usable;
}

}  // namespace shinar
