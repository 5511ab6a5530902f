#include "diagnostics/utf8.hpp"

namespace shinar {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

}  // namespace

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
