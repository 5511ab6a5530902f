#include "frontend/text_check.hpp"

#include <cstdio>
#include <limits>

#include "diagnostics/utf8.hpp"

namespace shinar {
namespace {

// Spans are 32 bits wide; the limit keeps every offset, and the end of file, within them.
constexpr std::size_t kMaxFileSize = std::numeric_limits<std::uint32_t>::max() / 2;

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && (byte < '\t' || byte > '\r')) || byte == 0x7F;
}

std::string hex(char c) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

bool check_text(const Source& source, Diagnostics& diagnostics) {
  const std::string_view text = source.text();
  if (text.size() > kMaxFileSize) {
    diagnostics.report(Code::CannotRead, std::nullopt,
                       "'" + source.name() + "' is larger than 2 GiB");
    return false;
  }
  std::size_t length = 0;
  for (std::size_t i = 0; i < text.size(); i += length) {
    length = utf8_length(text, i);
    const auto at = static_cast<std::uint32_t>(i);
    const Span span{source.id(), at, at + 1};
    if (length == 0) {
      diagnostics.report(Code::InvalidUtf8, span,
                         "the byte " + hex(text[i]) + " is not valid UTF-8 here");
      return false;
    }
    if (is_control(text[i])) {
      diagnostics.report(Code::ControlCharacter, span,
                         "the file holds the control character " + hex(text[i]));
      return false;
    }
  }
  return true;
}

}  // namespace shinar
