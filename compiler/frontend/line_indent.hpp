// In: a text, and where a token begins.
// Out: how far the token is indented, if it is the first one of its line.
#pragma once

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
  for (; begin < at; ++begin) column = text[begin] == '\t' ? (column / kTab + 1) * kTab : column + 1;
  return column;
}

}  // namespace shinar
