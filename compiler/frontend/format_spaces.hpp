// In: a line of tokens and comments.
// Out: where blanks go between them, and where a long line may be broken.
#pragma once

#include <vector>

#include "frontend/format_lines.hpp"

namespace shinar::formatting {

// What precedes an atom of the line.
struct Spacing {
  bool space = false;
  bool may_break = false;
  bool in_parentheses = false;
};

std::vector<Spacing> spaces_of(const Line& line);

}  // namespace shinar::formatting
