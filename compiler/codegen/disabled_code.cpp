#include "codegen/disabled_code.hpp"

#include "codegen/unwritten_code.hpp"

namespace shinar::codegen {
namespace {

// What disabled lines begin with in languages that cannot skip text.
std::string_view mark_of(CommentStyle style) {
  if (style == CommentStyle::python) return "#| ";
  if (style == CommentStyle::java) return "//| ";
  return style == CommentStyle::fortran ? "!| " : "";
}

// Java reads \u escapes in comments, too, where they may be malformed or end the line: each gets a
// bar behind its backslash when the line is disabled, and loses it when the line is enabled.
std::string with_bars(std::string_view line, bool added) {
  std::string result;
  for (std::size_t at = 0; at < line.size(); ++at) {
    result += line[at];
    if (line[at] != '\\') continue;
    const std::size_t letter = line.find_first_not_of('|', at + 1);
    if (letter == std::string_view::npos || line[letter] != 'u') continue;
    if (added) {
      result += '|';
    } else if (line[at + 1] == '|') {
      ++at;
    }
  }
  return result;
}

bool is_disabled(std::string_view text, std::string_view mark) {
  for (; !text.empty(); text.remove_prefix(first_line(text).size())) {
    const std::string_view line = first_line(text);
    if (!line.starts_with(mark) && !is_blank_text(line)) return false;
  }
  return true;
}

}  // namespace

std::string disabled(std::string_view text, CommentStyle style) {
  const std::string code = enabled(text, style);
  const bool is_java = style == CommentStyle::java;
  std::string result;
  for (std::string_view left = code; !left.empty(); left.remove_prefix(first_line(left).size())) {
    const std::string_view line = first_line(left);
    if (!is_blank_text(line)) result += mark_of(style);
    result += is_java ? with_bars(line, true) : std::string(line);
  }
  return result;
}

std::string enabled(std::string_view text, CommentStyle style) {
  const std::string_view mark = mark_of(style);
  if (mark.empty() || !is_disabled(text, mark)) return std::string(text);
  const bool is_java = style == CommentStyle::java;
  std::string result;
  for (; !text.empty(); text.remove_prefix(first_line(text).size())) {
    std::string_view line = first_line(text);
    if (line.starts_with(mark)) line.remove_prefix(mark.size());
    result += is_java ? with_bars(line, false) : std::string(line);
  }
  return result;
}

}  // namespace shinar::codegen
