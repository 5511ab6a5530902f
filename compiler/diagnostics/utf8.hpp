// In: text that may or may not be UTF-8.
// Out: where its characters begin and end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shinar {

// Length of the UTF-8 sequence that begins at i; 0 when there is none.
std::size_t utf8_length(std::string_view text, std::size_t i);

// What is written for the character at i, of which the length is added to i: \n, \x1b, \u202e, \xff
// for a byte that is no UTF-8; or the character itself, if it is one that acts on no terminal.
std::string visible_at(std::string_view text, std::size_t& i);

// The text with what would act on a terminal made visible; ends of lines and tabs stay.
std::string printable(std::string_view text);

// The same of what is part of one line, as names are.
std::string in_one_line(std::string_view text);

// The same of JSON, which stays what it is.
std::string printable_json(std::string_view json);

// What a message quotes: the beginning of a long text, and "…".
std::string shortened(std::string_view text);

}  // namespace shinar
