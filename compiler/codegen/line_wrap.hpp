// In: one line of C, C++, Java, Python or Fortran code of any length.
// Out: the same code on lines of at most 100 columns, broken after commas and aligned with the
// bracket they belong to, like the formatter does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shinar::codegen {

inline constexpr std::size_t kLineWidth = 100;

// Breaks `line` (no newline in it) where it is too long; comments and preprocessor lines stay.
std::string wrap_code(std::string_view line, std::size_t width = kLineWidth);

// The same for Python's code, where a statement goes on only in brackets.
std::string wrap_python(std::string_view line, std::size_t width = kLineWidth);

// A line of a text, at blanks.
std::string wrap_prose(std::string_view line, std::size_t width = kLineWidth);

// The same for Fortran: continued lines end in '&', comments are split into several.
std::string wrap_fortran(std::string_view line, std::size_t width = kLineWidth);

}  // namespace shinar::codegen
