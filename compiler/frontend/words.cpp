#include "frontend/words.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "frontend/limits.hpp"
#include "frontend/text_check.hpp"
#include "frontend/word_lexer.hpp"

namespace shinar {
namespace {

using L = grammar::SidlLexer;

bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_word_part(char c) {
  return is_word_start(c) || (c >= '0' && c <= '9') || c == '_';
}

// 'version' is a keyword at the head of a package only.
std::unordered_set<std::string> make_keywords() {
  std::unordered_set<std::string> words;
  const L lexer(nullptr);
  for (std::size_t type = L::ABSTRACT; type <= L::XOR; ++type) {
    const std::string quoted(lexer.getVocabulary().getLiteralName(type));
    if (type != L::VERSION) words.insert(quoted.substr(1, quoted.size() - 2));
  }
  return words;
}

bool is_number(std::uint32_t type) {
  return type == L::INTEGER || type == L::FLOAT;
}

bool is_sign(std::uint32_t type) {
  return type == L::PLUS || type == L::MINUS;
}

// None of a text that no SIDL file could have.
std::vector<std::uint32_t> token_types(std::string_view text) {
  if (std::ranges::any_of(text, is_control)) return {};
  std::vector<std::uint32_t> types;
  WordLexer lexer(text);
  for (Lexeme lexeme = lexer.next(); lexeme.type != WordLexer::kEnd; lexeme = lexer.next()) {
    if (lexeme.end - lexeme.begin > limits::kName && is_number(lexeme.type)) return {};
    types.push_back(lexeme.type);
  }
  return types;
}

}  // namespace

bool is_attribute_name(std::string_view text) {
  return is_extension(text) && is_word_start(text.front());
}

bool is_name(std::string_view text) {
  static const std::unordered_set<std::string> kKeywords = make_keywords();
  return is_attribute_name(text) && !kKeywords.contains(std::string(text));
}

bool is_extension(std::string_view text) {
  return !text.empty() && text.size() <= limits::kName && std::ranges::all_of(text, is_word_part);
}

bool is_literal(std::string_view text) {
  std::vector<std::uint32_t> types = token_types(text);
  if (types.size() > 1) {
    std::erase_if(types, is_sign);
    return types.size() == 5 && types[0] == L::LBRACE && is_number(types[1]) &&
           types[2] == L::COMMA && is_number(types[3]) && types[4] == L::RBRACE;
  }
  static constexpr auto kAlone = std::to_array<std::uint32_t>(
      {L::INTEGER, L::FLOAT, L::STRING, L::CHARACTER, L::TRUE, L::FALSE, L::NULL_LITERAL});
  return types.size() == 1 && std::ranges::find(kAlone, types.front()) != kAlone.end();
}

bool is_extent_number(std::string_view text) {
  const std::vector<std::uint32_t> types = token_types(text);
  return !types.empty() && types.size() < 3 && types.back() == L::INTEGER &&
         (types.size() == 1 || is_sign(types.front()));
}

}  // namespace shinar
