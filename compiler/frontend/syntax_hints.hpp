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

// What may have been meant by a token of the type `found` in the enclosing rules; or nothing.
std::string_view syntax_hint(antlr4::ParserRuleContext* context, size_t before, size_t found);

}  // namespace shinar
