// In: the bytes of a source.
// Out: exactly the tokens of the generated lexer, many times faster: handwritten, except that
// fractions, quoted characters and byte order marks are left to the generated one. A test compares
// the two.
//
// Exists only for speed: ANTLR's lexer interprets an automaton character by character, and would
// take most of sidlc's time.
#pragma once

#include <cstdint>
#include <string_view>

#include "frontend/antlr.hpp"
#include "frontend/char_stream.hpp"

namespace shinar {

// The bytes [begin, end) of a token and its type. A doc comment is a lexeme of type COMMENT; other
// comments are skipped.
struct Lexeme {
  std::uint32_t type = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

class WordLexer {
 public:
  explicit WordLexer(std::string_view text);

  // At the end of the text the type is always kEnd, antlr4::Token::EOF in 32 bits.
  Lexeme next();
  static constexpr std::uint32_t kEnd = static_cast<std::uint32_t>(antlr4::Token::EOF);

  // The token source for ANTLR.
  antlr4::TokenSource& source() { return generated_; }

 private:
  std::size_t skip_plain(std::size_t at) const;
  Lexeme by_hand(std::size_t at) const;
  Lexeme word(std::size_t at) const;
  Lexeme comment(std::size_t at) const;
  Lexeme string(std::size_t at) const;
  Lexeme number(std::size_t at) const;
  Lexeme extension(std::size_t at) const;
  Lexeme foreign(std::size_t at) const;
  Lexeme take(std::size_t type, std::size_t at, std::size_t length) const;

  std::string_view text_;
  std::size_t at_ = 0;
  ByteStream bytes_;
  grammar::SidlLexer generated_;
};

}  // namespace shinar
