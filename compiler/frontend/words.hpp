// In: a piece of text from elsewhere than a SIDL file.
// Out: whether a SIDL file could have it in such a place.
#pragma once

#include <string_view>

namespace shinar {

bool is_name(std::string_view text);            // of a package, a type, or what is in one
bool is_attribute_name(std::string_view text);  // which may be a keyword
bool is_extension(std::string_view text);       // of a method, without the brackets

bool is_literal(std::string_view text);        // 1, 2.5, "a", 'c', true, false, null, {0, -1}
bool is_extent_number(std::string_view text);  // an integer, perhaps with a sign

}  // namespace shinar
