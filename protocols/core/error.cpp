#include "error.hpp"

#include "sidl_printable.h"

namespace shinar::wire {
namespace {

std::string visible(const std::string& text, bool has_lines) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    char escape[SIDL_ESCAPE_SIZE];
    const std::size_t length = sidl_escape(text.data() + at, text.size() - at, escape);
    const bool stays = *escape == '\0' || (has_lines && (text[at] == '\n' || text[at] == '\t'));
    result += stays ? text.substr(at, length) : escape;
    at += length;
  }
  return result;
}

}  // namespace

std::string printable(const std::string& text) {
  return visible(text, true);
}

std::string in_one_line(const std::string& text) {
  return visible(text, false);
}

}  // namespace shinar::wire
