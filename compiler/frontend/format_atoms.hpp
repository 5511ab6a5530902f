// In: the text of a SIDL file.
// Out: its tokens and comments, in text order, with the line ends between them: everything except
// blanks.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/word_lexer.hpp"

namespace shinar::formatting {

struct Atom {
  enum class Kind : std::uint8_t { Token, LineComment, BlockComment, DocComment };
  Kind kind = Kind::Token;
  std::uint32_t type = 0;        // of a token
  std::string_view text;         // without the end of its line
  std::size_t lines_before = 0;  // line ends between the atom before and this one
  bool ends_line = false;        // a line end, or the end of the file, follows

  bool is_comment() const { return kind != Kind::Token; }
  bool is(std::size_t token) const { return kind == Kind::Token && type == token; }
};

std::vector<Atom> read_atoms(std::string_view text);

}  // namespace shinar::formatting
