// In: a text, and where a token begins.
// Out: the indentation of the token, if it is the first of its line; the indentation of its line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace shinar {

inline std::optional<std::uint32_t> line_indent(std::string_view text, std::size_t at) {
  constexpr std::uint32_t kTab = 8;
  std::size_t begin = at;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  if (begin > 0 && text[begin - 1] != '\n' && text[begin - 1] != '\r') return std::nullopt;
  std::uint32_t column = 0;
  for (; begin < at; ++begin)
    column = text[begin] == '\t' ? (column / kTab + 1) * kTab : column + 1;
  return column;
}

// Of the line the token is in; of a very long one, 0.
inline std::uint32_t indent_around(std::string_view text, std::size_t at) {
  constexpr std::size_t kLong = 4096;
  const std::size_t from = at < kLong ? 0 : at - kLong;
  const std::size_t end = text.substr(from, at - from).find_last_of("\r\n");
  if (end == std::string_view::npos && from > 0) return 0;
  const std::size_t begin = end == std::string_view::npos ? 0 : from + end + 1;
  return *line_indent(text, std::min(text.find_first_not_of(" \t", begin), at));
}

}  // namespace shinar
