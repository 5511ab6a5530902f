// In: text that may or may not be UTF-8.
// Out: where its characters begin and end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shinar {

// Length of the UTF-8 sequence that begins at i; 0 if it is invalid.
std::size_t utf8_length(std::string_view text, std::size_t i);

// A safe form of the character at i, whose length is added to i: \n, \x1b, \u202e, or \xff for a
// byte that is not UTF-8; the character itself if it does not control terminals.
std::string visible_at(std::string_view text, std::size_t& i);

// The text with characters that control terminals escaped; newlines and tabs stay.
std::string printable(std::string_view text);

// The same for a text that is part of one line, such as a name.
std::string in_one_line(std::string_view text);

// The same for JSON, whose meaning does not change.
std::string printable_json(std::string_view json);

// For quoting in messages: the beginning of a long text, and "…".
std::string shortened(std::string_view text);

}  // namespace shinar
