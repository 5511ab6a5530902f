/**
 * Texts in JSON.
 */
#ifndef SHINAR_CORE_JSON_TEXT_HPP
#define SHINAR_CORE_JSON_TEXT_HPP

#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace shinar::wire {

/**
 * In quotes; in one line, and nothing in it controls a terminal. Bytes that are no UTF-8 become
 * U+FFFD. What is longer than `most` bytes ends with "…".
 */
std::string json_text(std::string_view text,
                      std::size_t most = std::numeric_limits<std::size_t>::max());

/** [ … ] */
std::string json_texts(std::span<const std::string> texts);

}  // namespace shinar::wire
#endif
