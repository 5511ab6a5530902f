#include "frontend/word_lexer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "frontend/doc_comment.hpp"

namespace shinar {
namespace {

using grammar::SidlLexer;
using Keywords = std::unordered_map<std::string_view, std::size_t>;

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_word(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
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
    default:
      return 0;
  }
}

// Length of the closed comment at the beginning of the text; 0 if there is none.
std::size_t comment_length(std::string_view text) {
  if (!text.starts_with("/*")) return 0;
  const std::size_t end = text.find("*/", 2);
  return end == std::string_view::npos ? 0 : end + 2;
}

}  // namespace

// Behind blanks and comments that nobody asks for.
std::size_t WordLexer::skip_plain(std::size_t at) const {
  const std::string_view text = bytes_.text();
  while (at < text.size()) {
    if (is_blank(text[at])) {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find_first_of("\r\n", at), text.size());
    } else {
      const std::size_t length = comment_length(text.substr(at));
      if (length == 0 || is_doc_comment(text.substr(at, length))) break;
      at += length;
    }
  }
  return at;
}

std::unique_ptr<antlr4::Token> WordLexer::take(std::size_t type, std::size_t channel,
                                               std::size_t length) {
  const std::size_t start = bytes_.index();
  bytes_.seek(start + length);
  return std::make_unique<antlr4::CommonToken>(
      std::pair<antlr4::TokenSource*, antlr4::CharStream*>(this, &bytes_), type, channel, start,
      start + length - 1);
}

std::unique_ptr<antlr4::Token> WordLexer::nextToken() {
  const std::size_t at = skip_plain(bytes_.index());
  bytes_.seek(at);
  const std::string_view text = bytes_.text().substr(at);
  if (text.empty()) return SidlLexer::nextToken();
  if (is_letter(text.front())) {
    std::size_t length = 1;
    while (length < text.size() && is_word(text[length])) ++length;
    // "implements-all" and its like are one token.
    if (text.substr(length, 1) == "-") return SidlLexer::nextToken();
    const auto found = keywords(*this).find(text.substr(0, length));
    const std::size_t type = found == keywords(*this).end() ? size_t{ID} : found->second;
    return take(type, antlr4::Token::DEFAULT_CHANNEL, length);
  }
  if (const std::size_t type = punctuation(text.front())) {
    return take(type, antlr4::Token::DEFAULT_CHANNEL, 1);
  }
  if (const std::size_t length = comment_length(text)) {
    return take(COMMENT, antlr4::Token::HIDDEN_CHANNEL, length);
  }
  return SidlLexer::nextToken();
}

}  // namespace shinar
