#include "frontend/word_lexer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "frontend/doc_comment.hpp"

namespace shinar {
namespace {

using grammar::SidlLexer;
using Keywords = std::unordered_map<std::string_view, std::size_t>;

// Left to the generated lexer; no token has the type 0.
constexpr Lexeme kNone{};

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_foreign(char c) {
  return (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool is_word(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}

// The keywords, from the generated tables.
const Keywords& keywords(const SidlLexer& lexer) {
  static const Keywords table = [&] {
    static std::array<std::string, SidlLexer::XOR + 1> texts;
    Keywords words;
    for (std::size_t type = SidlLexer::ABSTRACT; type <= SidlLexer::XOR; ++type) {
      texts[type] = lexer.getVocabulary().getLiteralName(type);
      words.emplace(std::string_view(texts[type]).substr(1, texts[type].size() - 2), type);
    }
    return words;
  }();
  return table;
}

std::size_t longest_keyword() {
  return std::string_view("implements-all").size();
}

// Single-character tokens that are no prefix of a longer one.
std::size_t punctuation(char c) {
  switch (c) {
    case '{':
      return SidlLexer::LBRACE;
    case '}':
      return SidlLexer::RBRACE;
    case '(':
      return SidlLexer::LPAREN;
    case ')':
      return SidlLexer::RPAREN;
    case ';':
      return SidlLexer::SEMI;
    case ',':
      return SidlLexer::COMMA;
    case ':':
      return SidlLexer::COLON;
    case '+':
      return SidlLexer::PLUS;
    case '-':
      return SidlLexer::MINUS;
    case '&':
      return SidlLexer::AMP;
    case '|':
      return SidlLexer::BAR;
    case '^':
      return SidlLexer::CARET;
    case '~':
      return SidlLexer::TILDE;
    default:
      return 0;
  }
}

struct Spelling {
  std::string_view text;
  std::size_t type;
};

// Longer ones precede their prefixes.
constexpr auto kOperators = std::to_array<Spelling>({{"<<<", SidlLexer::SHL},
                                                     {"<=", SidlLexer::LE},
                                                     {"<", SidlLexer::LT},
                                                     {">>>", SidlLexer::SHR},
                                                     {">=", SidlLexer::GE},
                                                     {">", SidlLexer::GT},
                                                     {"==", SidlLexer::EQ},
                                                     {"=", SidlLexer::ASSIGN},
                                                     {"!=", SidlLexer::NE},
                                                     {"**", SidlLexer::POWER},
                                                     {"*", SidlLexer::STAR},
                                                     {"%attrib", SidlLexer::ATTRIB},
                                                     {"%", SidlLexer::PERCENT}});

// Words with a hyphen, by their first half.
constexpr auto kHyphenated = std::to_array<Spelling>({{"implements-all", SidlLexer::IMPLEMENTS_ALL},
                                                      {"row-major", SidlLexer::ROW_MAJOR},
                                                      {"column-major", SidlLexer::COLUMN_MAJOR}});

// Length of the closed comment at the beginning of the text; 0 if there is none.
std::size_t comment_length(std::string_view text) {
  if (!text.starts_with("/*")) return 0;
  const std::size_t end = text.find("*/", 2);
  return end == std::string_view::npos ? 0 : end + 2;
}

}  // namespace

WordLexer::WordLexer(std::string_view text) : text_(text), bytes_(text), generated_(&bytes_) {
  generated_.removeErrorListeners();
}

// Skips blanks and plain comments.
std::size_t WordLexer::skip_plain(std::size_t at) const {
  while (at < text_.size()) {
    if (is_blank(text_[at])) {
      ++at;
    } else if (text_[at] != '/') {
      break;
    } else if (text_.substr(at, 2) == "//") {
      at = std::min(text_.find_first_of("\r\n", at), text_.size());
    } else {
      const std::size_t length = comment_length(text_.substr(at));
      if (length == 0 || is_doc_comment(text_.substr(at, length))) break;
      at += length;
    }
  }
  return at;
}

Lexeme WordLexer::take(std::size_t type, std::size_t at, std::size_t length) const {
  return {static_cast<std::uint32_t>(type), static_cast<std::uint32_t>(at),
          static_cast<std::uint32_t>(at + length)};
}

Lexeme WordLexer::word(std::size_t at) const {
  std::size_t end = at + 1;
  while (end < text_.size() && is_word(text_[end])) ++end;
  const std::size_t length = end - at;
  if (end < text_.size() && text_[end] == '-') {
    for (const Spelling& whole : kHyphenated) {
      const bool is_half = whole.text.find('-') == length;
      if (is_half && text_.substr(at, whole.text.size()) == whole.text) {
        return take(whole.type, at, whole.text.size());
      }
    }
  }
  if (length > longest_keyword()) return take(SidlLexer::ID, at, length);
  const Keywords& words = keywords(generated_);
  const auto found = words.find(text_.substr(at, length));
  return take(found == words.end() ? size_t{SidlLexer::ID} : found->second, at, length);
}

// Plain ones were skipped before. An unclosed one extends to the end of the text.
Lexeme WordLexer::comment(std::size_t at) const {
  const std::size_t length = comment_length(text_.substr(at));
  if (length == 0) return take(SidlLexer::BAD_COMMENT, at, text_.size() - at);
  return take(SidlLexer::COMMENT, at, length);
}

Lexeme WordLexer::string(std::size_t at) const {
  std::size_t end = at + 1;
  while (end < text_.size() && !is_line_end(text_[end])) {
    if (text_[end] == '"') return take(SidlLexer::STRING, at, end + 1 - at);
    const bool escapes = text_[end] == '\\';
    // A backslash at the end of a line is not an escape and not part of a string.
    if (escapes && (end + 1 == text_.size() || is_line_end(text_[end + 1]))) break;
    end += escapes ? 2 : 1;
  }
  return take(SidlLexer::BAD_STRING, at, end - at);
}

Lexeme WordLexer::number(std::size_t at) const {
  std::size_t end = at + 1;
  while (end < text_.size() && is_digit(text_[end])) ++end;
  const char next = end < text_.size() ? text_[end] : ' ';
  if (next == '.' || is_letter(next)) return kNone;
  return take(SidlLexer::INTEGER, at, end - at);
}

Lexeme WordLexer::extension(std::size_t at) const {
  std::size_t end = at + 1;
  while (end < text_.size() && is_word(text_[end])) ++end;
  const bool closed = end > at + 1 && end < text_.size() && text_[end] == ']';
  return closed ? take(SidlLexer::EXTENSION, at, end + 1 - at) : take(SidlLexer::BAD_TEXT, at, 1);
}

// Consecutive non-ASCII characters form one token; a byte order mark is not a token.
Lexeme WordLexer::foreign(std::size_t at) const {
  std::size_t end = at;
  while (end < text_.size() && is_foreign(text_[end])) ++end;
  if (text_.substr(at, end - at) == "\xEF\xBB\xBF") return kNone;
  return take(SidlLexer::BAD_TEXT, at, end - at);
}

Lexeme WordLexer::by_hand(std::size_t at) const {
  const char first = text_[at];
  if (is_letter(first)) return word(at);
  if (const std::size_t type = punctuation(first)) return take(type, at, 1);
  if (is_digit(first)) return number(at);
  if (is_foreign(first)) return foreign(at);
  const std::string_view rest = text_.substr(at);
  if (first == '/') return rest.starts_with("/*") ? comment(at) : take(SidlLexer::SLASH, at, 1);
  if (first == '"') return string(at);
  if (first == '[') return extension(at);
  if (first == '\'') return kNone;
  if (first == '.') {
    const bool is_number = rest.size() > 1 && is_digit(rest[1]);
    return is_number ? kNone : take(SidlLexer::DOT, at, 1);
  }
  for (const Spelling& symbol : kOperators) {
    if (rest.starts_with(symbol.text)) return take(symbol.type, at, symbol.text.size());
  }
  return take(SidlLexer::BAD_TEXT, at, 1);
}

Lexeme WordLexer::next() {
  while (true) {
    at_ = skip_plain(at_);
    if (at_ == text_.size()) return take(kEnd, at_, 0);
    Lexeme lexeme = by_hand(at_);
    if (lexeme.type == 0) {
      bytes_.seek(at_);
      const std::unique_ptr<antlr4::Token> token = generated_.nextToken();
      if (token->getType() == antlr4::Token::EOF) return take(kEnd, at_ = text_.size(), 0);
      lexeme = take(token->getType(), token->getStartIndex(),
                    token->getStopIndex() + 1 - token->getStartIndex());
    }
    at_ = lexeme.end;
    // After a byte order mark the generated lexer may return any comment.
    const bool plain = lexeme.type == SidlLexer::COMMENT &&
                       !is_doc_comment(text_.substr(lexeme.begin, lexeme.end - lexeme.begin));
    if (!plain) return lexeme;
  }
}

}  // namespace shinar
