// In: the lines of a file.
// Out: its text: indentation, blanks between tokens, and breaks in long lines.
#pragma once

#include <string>
#include <vector>

#include "frontend/format_lines.hpp"

namespace shinar::formatting {

std::string print_lines(const std::vector<Line>& lines);

}  // namespace shinar::formatting
