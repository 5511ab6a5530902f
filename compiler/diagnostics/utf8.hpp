// In: text that may or may not be UTF-8.
// Out: where its characters begin and end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shinar {

// Length of the UTF-8 sequence that begins at i; 0 when there is none.
std::size_t utf8_length(std::string_view text, std::size_t i);

// What a message quotes: the beginning of a long text, and "…".
std::string shortened(std::string_view text);

}  // namespace shinar
