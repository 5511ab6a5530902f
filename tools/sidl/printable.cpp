#include "printable.hpp"

#include <cstdio>

#include "sidl_printable.h"

namespace sidl_tool {
namespace {

std::string visible(const std::string& text, bool has_lines) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    char escape[SIDL_ESCAPE_SIZE];
    const std::size_t length = sidl_escape(text.data() + at, text.size() - at, escape);
    const bool stays = *escape == '\0' || (has_lines && text[at] == '\n');
    result += stays ? text.substr(at, length) : escape;
    at += length;
  }
  return result;
}

}  // namespace

std::string printable(const std::string& text) {
  return visible(text, true);
}

void put_printable(const std::string& text) {
  std::fputs(printable(text).c_str(), stdout);
}

std::string indented(const std::string& text) {
  std::string result;
  for (const char c : printable(text)) {
    result += c;
    if (c == '\n') result += "  ";
  }
  return result;
}

std::string in_one_line(const std::string& text) {
  return visible(text, false);
}

std::string printable_json(const std::string& json) {
  std::string result;
  for (std::size_t at = 0; at < json.size();) {
    std::uint32_t code = 0;
    const std::size_t length = sidl_read_character(json.data() + at, json.size() - at, &code);
    const std::size_t taken = length == 0 ? 1 : length;
    char escape[SIDL_ESCAPE_SIZE];
    std::snprintf(escape, sizeof escape, "\\u%04x", code & 0xFFFFu);
    result += sidl_is_control(code) ? escape : json.substr(at, taken);
    at += taken;
  }
  return result;
}

}  // namespace sidl_tool
