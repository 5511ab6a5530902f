#include "frontend/token_check.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "diagnostics/utf8.hpp"
#include "frontend/limits.hpp"
#include "frontend/text_check.hpp"
#include "frontend/word_lexer.hpp"

namespace shinar {
namespace {

using grammar::SidlLexer;

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
    return depth_ <= limits::kNesting && run_ <= limits::kNesting && dots_ <= limits::kNesting;
  }

 private:
  int depth_ = 0;
  int run_ = 0;
  int dots_ = 0;
};

bool is_limited(std::uint32_t type) {
  return type == SidlLexer::ID || type == SidlLexer::INTEGER || type == SidlLexer::FLOAT ||
         type == SidlLexer::VERSION_STRING || type == SidlLexer::EXTENSION;
}

// Reported by check_text.
bool is_reported(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0 || is_control(text[i])) return true;
    i += length;
  }
  return false;
}

// What means something in other languages.
struct Foreign {
  std::string_view text;
  std::string_view note;
};
constexpr auto kForeign = std::to_array<Foreign>({
    {"[",
     "the extension of an overload is written like [Ext], without spaces; an array is "
     "array<type,1>"},
    {"#", "a comment begins with //, and packages are imported by 'import name;'"},
    {"@", "attributes are written like %attrib{name}"},
    {"!", "a condition is negated with the word 'not'; '!=' compares values"},
    {"?", "there is no conditional operator: write 'a implies b', or two clauses"},
});

void report_unknown(Span span, const std::string& text, Diagnostics& diagnostics) {
  if (is_reported(text)) return;
  if (text == "'") {
    diagnostics.report(Code::UnclosedString, span,
                       "missing closing quote of the character literal");
    return;
  }
  const auto* const known = std::ranges::find(kForeign, text, &Foreign::text);
  if (known != kForeign.end()) {
    diagnostics.report(Code::UnknownCharacter, span, "unexpected '" + text + "'")
        .note(std::nullopt, std::string(known->note));
    return;
  }
  std::string hint;
  if (text == "_") hint = " (a name must begin with a letter)";
  if ((static_cast<unsigned char>(text.front()) & 0x80U) != 0) hint = " (names must be ASCII)";
  diagnostics.report(Code::UnknownCharacter, span,
                     "unexpected " + in_quotes(shortened(text)) + hint);
}

// Checks a single token. False if the parser must not see it.
bool check_token(const Lexeme& lexeme, const Source& source, Diagnostics& diagnostics) {
  const Span span{source.id(), lexeme.begin, lexeme.end};
  if (lexeme.type == SidlLexer::BAD_COMMENT) {
    diagnostics.report(Code::UnclosedComment, Span{span.file, span.begin, span.begin + 2},
                       "missing */ at the end of the comment");
  }
  if (lexeme.type == SidlLexer::BAD_STRING) {
    diagnostics.report(Code::UnclosedString, span, "missing closing quote of the string");
  }
  if (is_limited(lexeme.type) && lexeme.end - lexeme.begin > limits::kName) {
    const std::string what = lexeme.type == SidlLexer::ID ? "name" : "number";
    diagnostics.report(Code::TooLong, span,
                       "the " + what + " has " + std::to_string(lexeme.end - lexeme.begin) +
                           " characters; the limit is " + std::to_string(limits::kName));
    return false;
  }
  return true;
}

}  // namespace

bool check_tokens(const Source& source, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  bool usable = true;
  bool bracket_open = false;  // reported; its ']' is not
  DepthGauge gauge;
  WordLexer lexer(source.text());
  for (Lexeme lexeme = lexer.next(); lexeme.type != WordLexer::kEnd; lexeme = lexer.next()) {
    const Span span{source.id(), lexeme.begin, lexeme.end};
    if (!gauge.accept(lexeme.type)) {
      diagnostics.report(Code::TooDeep, span,
                         "nested more than " + std::to_string(limits::kNesting) + " levels deep");
      return false;
    }
    if (!check_token(lexeme, source, diagnostics)) usable = false;
    if (lexeme.type == SidlLexer::BAD_TEXT) {
      const std::string text(source.text().substr(span.begin, span.end - span.begin));
      const bool closes = std::exchange(bracket_open, text == "[") && text == "]";
      if (!closes) report_unknown(span, text, diagnostics);
    }
    if (diagnostics.error_count() > errors + limits::kErrors) {
      diagnostics.give_up();
      return false;
    }
  }
  return usable;
}

}  // namespace shinar
