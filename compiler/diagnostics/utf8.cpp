#include "diagnostics/utf8.hpp"

#include <cstdio>

namespace shinar {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

// The code point of the sequence at i, of this length.
unsigned code_at(std::string_view text, std::size_t i, std::size_t length) {
  unsigned code = byte_at(text, i);
  if (length > 1) code &= 0x7FU >> length;
  for (std::size_t k = 1; k < length; ++k) code = code << 6 | (byte_at(text, i + k) & 0x3FU);
  return code;
}

// As sidl_is_control() of the runtime: C0, DEL and C1; bidirectional controls; separators.
bool is_control(unsigned code) {
  const auto within = [code](unsigned low, unsigned high) { return code >= low && code <= high; };
  return code < 0x20 || within(0x7F, 0x9F) || code == 0x61C || within(0x200E, 0x200F) ||
         within(0x2028, 0x202E) || within(0x2066, 0x2069);
}

std::string hexadecimal(const char* before, unsigned code, int digits) {
  char text[16];
  std::snprintf(text, sizeof text, "%s%0*x", before, digits, code);
  return text;
}

}  // namespace

std::string visible_at(std::string_view text, std::size_t& i) {
  const std::size_t length = utf8_length(text, i);
  const std::size_t at = i;
  i += length == 0 ? 1 : length;
  if (length == 0) return hexadecimal("\\x", byte_at(text, at), 2);
  const unsigned code = code_at(text, at, length);
  if (!is_control(code)) return std::string(text.substr(at, length));
  if (code == '\n') return "\\n";
  return length == 1 ? hexadecimal("\\x", code, 2) : hexadecimal("\\u", code, 4);
}

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::string shown = visible_at(text, i);
    result += c == '\n' || c == '\t' ? std::string(1, c) : shown;
  }
  return result;
}

std::string in_one_line(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) result += visible_at(text, i);
  return result;
}

std::string printable_json(std::string_view json) {
  std::string result;
  for (std::size_t i = 0; i < json.size();) {
    const std::size_t length = utf8_length(json, i);
    const unsigned code = code_at(json, i, length);
    const bool acts = length > 0 && code != '\n' && is_control(code);
    result += acts ? hexadecimal("\\u", code, 4) : json.substr(i, length == 0 ? 1 : length);
    i += length == 0 ? 1 : length;
  }
  return result;
}

// RFC 3629; the ranges are table 3-7 of the Unicode standard.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const unsigned first = byte_at(text, i);
  if (first < 0x80) return 1;
  const auto continues = [&](std::size_t k, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte_at(text, i + k) >= low && byte_at(text, i + k) <= high;
  };
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0U : 0x80U;
    const unsigned high = first == 0xED ? 0x9FU : 0xBFU;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90U : 0x80U;
    const unsigned high = first == 0xF4 ? 0x8FU : 0xBFU;
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  if (text.size() <= kLongest) return std::string(text);
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace shinar
