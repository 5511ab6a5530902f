// In: the bytes of a source.
// Out: exactly the tokens of the generated lexer, several times as fast: blanks, comments, words
// and the commonest punctuation, most of any text, are read by hand; everything else is left to it.
// A test compares the two.
#pragma once

#include <memory>

#include "frontend/antlr.hpp"
#include "frontend/char_stream.hpp"

namespace shinar {

class WordLexer final : public grammar::SidlLexer {
 public:
  explicit WordLexer(ByteStream& bytes) : SidlLexer(&bytes), bytes_(bytes) {}

  std::unique_ptr<antlr4::Token> nextToken() override;

 private:
  std::size_t skip_plain(std::size_t at) const;
  std::unique_ptr<antlr4::Token> take(std::size_t type, std::size_t channel, std::size_t length);

  ByteStream& bytes_;
};

}  // namespace shinar
