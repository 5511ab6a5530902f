// In: the atoms of a file without syntax errors.
// Out: logical lines, before long ones are broken: a heading, a method, an assertion, a member, an
// enumerator, a closing brace, a separate comment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/format_atoms.hpp"

namespace shinar::formatting {

struct Line {
  enum class Kind : std::uint8_t { Plain, Heading, Method, Assertion, Comment };
  Kind kind = Kind::Plain;
  std::size_t level = 0;  // of indentation
  bool blank_before = false;
  std::vector<Atom> atoms;
};

std::vector<Line> group_lines(const std::vector<Atom>& atoms);

}  // namespace shinar::formatting
