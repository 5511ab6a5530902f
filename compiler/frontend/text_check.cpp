#include "frontend/text_check.hpp"

#include <cstdio>
#include <utility>

#include "diagnostics/utf8.hpp"
#include "frontend/limits.hpp"

namespace shinar {

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && (byte < '\t' || byte > '\r')) || byte == 0x7F;
}

namespace {

std::string hex(char c) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

bool check_text(const Source& source, Diagnostics& diagnostics) {
  const std::string_view text = source.text();
  if (text.size() > limits::kFileBytes) {
    diagnostics.report(Code::CannotRead, std::nullopt,
                       "'" + source.name() + "' is larger than " +
                           std::to_string(limits::kFileMegabytes) + " MiB");
    return false;
  }
  bool is_invalid = false;
  bool has_controls = false;
  std::size_t length = 0;
  for (std::size_t i = 0; i < text.size(); i += length) {
    const bool is_plain = text[i] >= ' ' && text[i] < 0x7F;
    length = is_plain ? 1 : utf8_length(text, i);
    if (is_plain) continue;
    const auto at = static_cast<std::uint32_t>(i);
    const Span span{source.id(), at, at + 1};
    if (length == 0) {
      length = 1;
      if (std::exchange(is_invalid, true)) continue;
      diagnostics.report(Code::InvalidUtf8, span,
                         "the byte " + hex(text[i]) + " is not valid UTF-8 here");
    } else if (is_control(text[i])) {
      if (!std::exchange(has_controls, true)) {
        diagnostics.report(Code::ControlCharacter, span,
                           "the file contains the control character " + hex(text[i]));
      }
      if (text[i] == '\0') return false;
    }
  }
  return true;
}

}  // namespace shinar
