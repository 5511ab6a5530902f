// In: words and constructs in an invalid text that are from another language.
// Out: the SIDL equivalent. The tables are in syntax_hints.cpp; add a line there, and a pair of
// files to tests/errors.
#pragma once

#include <cstddef>
#include <string_view>

#include "frontend/antlr.hpp"

namespace shinar {

// What to write instead of a word that other languages have and SIDL does not; or nothing.
std::string_view foreign_word(std::string_view word);

// Types of tokens.
struct Surroundings {
  size_t before = 0;
  size_t found = 0;  // where the error is
  size_t after = 0;
};

// What may have been meant in the enclosing rules; or nothing.
std::string_view syntax_hint(antlr4::ParserRuleContext* context, const Surroundings& at);

}  // namespace shinar
