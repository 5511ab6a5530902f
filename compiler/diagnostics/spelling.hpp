// In: an unknown word and the words that would have been possible.
// Out: the one the user most likely meant, if any is close enough.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace shinar {

// Letters to insert, delete, change or swap to turn one word into the other, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b);

std::optional<std::string> closest(std::string_view word, std::span<const std::string> candidates);

}  // namespace shinar
