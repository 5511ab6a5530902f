#include "json_text.hpp"

#include <array>
#include <cstdint>
#include <cstdio>

#include "sidl_printable.h"

namespace shinar::wire {

std::string json_text(std::string_view text, std::size_t most) {
  std::string result = "\"";
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t code = 0;
    const std::size_t length = ::sidl_read_character(text.data() + at, text.size() - at, &code);
    const std::size_t taken = length == 0 ? 1 : length;
    if (at + taken > most) return result + "\u2026\"";
    std::array<char, 16> escape{};
    std::snprintf(escape.data(), escape.size(), "\\u%04x", code & 0xFFFFu);
    if (length == 0) {
      result += "\\ufffd";
    } else if (code == '"' || code == '\\') {
      result.append("\\").append(1, static_cast<char>(code));
    } else if (::sidl_is_control(code)) {
      result += escape.data();
    } else {
      result += text.substr(at, taken);
    }
    at += taken;
  }
  return result + "\"";
}

std::string json_texts(std::span<const std::string> texts) {
  std::string result = "[";
  for (const std::string& each : texts) {
    result += (result.size() == 1 ? "" : ",") + json_text(each);
  }
  return result + "]";
}

}  // namespace shinar::wire
