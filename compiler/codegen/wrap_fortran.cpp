#include <algorithm>
#include <optional>

#include "codegen/line_wrap.hpp"

namespace shinar::codegen {
namespace {

constexpr std::size_t kFortranContinuation = 4;
constexpr std::string_view kCut = "'// &";

// Where to break `line`: after a comma, before a blank or after a bracket, in this order of
// preference, outside of strings, as far right as leaves space for " &".
std::optional<std::size_t> find_break(std::string_view line, std::size_t begin, std::size_t width) {
  std::optional<std::size_t> comma;
  std::optional<std::size_t> blank;
  std::optional<std::size_t> bracket;
  bool quoted = begin != 0 && line[begin - 1] == '\'';
  for (std::size_t i = begin; i < line.size() && i + 2 <= width; ++i) {
    if (line[i] == '\'') quoted = !quoted;
    if (quoted) continue;
    if (line[i] == ',' && i + 3 <= width) comma = i + 1;
    if (line[i] == ' ') blank = i;
    if (line[i] == '(' && i + 3 <= width) bracket = i + 1;
  }
  if (comma) return comma;
  return blank ? blank : bracket;
}

std::string wrap_comment(std::string_view line, std::size_t first, std::size_t width) {
  const std::string indent(line.substr(0, first));
  const bool is_doc = line.substr(first).starts_with("!>") || line.substr(first).starts_with("!!");
  const std::string prefix = indent + (is_doc ? "!! " : "! ");
  std::string result;
  std::string_view rest = line;  // after `begin`: not on earlier lines yet
  std::string begin;
  while (begin.size() + rest.size() > width) {
    const std::string window = begin + std::string(rest.substr(0, width + 1 - begin.size()));
    const std::size_t at = window.rfind(' ');
    if (at == std::string::npos || at <= prefix.size()) break;
    result += window.substr(0, at) + "\n";
    rest.remove_prefix(at + 1 - begin.size());
    begin = prefix;
  }
  return result.append(begin).append(rest);
}

// The statement `code` on lines indented by `indent`, continuation lines a little more.
std::string wrap_statement(std::size_t indent, std::string_view code, std::size_t width) {
  std::string result;
  std::string line = std::string(indent, ' ') + std::string(code);
  while (line.size() > width) {
    const std::string next(indent + kFortranContinuation, ' ');
    if (const auto at = find_break(line, line.find_first_not_of(' ') + 1, width)) {
      result += line.substr(0, *at) + " &\n";
      line = next + line.substr(line.find_first_not_of(' ', *at));
    } else {
      // A string of long names is split into two.
      const std::size_t cut = width - kCut.size();
      if (std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(cut), '\'') % 2 == 0)
        break;
      result += line.substr(0, cut) + std::string(kCut) + "\n";
      line = next + "'" + line.substr(cut);
    }
  }
  return result + line;
}

}  // namespace

std::string wrap_fortran(std::string_view line, std::size_t width) {
  const std::size_t first = line.find_first_not_of(' ');
  if (line.size() <= width || first == std::string_view::npos) return std::string(line);
  // Splicer marks are found by their lines.
  if (line.find("DO-NOT-DELETE") != std::string_view::npos) return std::string(line);
  if (line[first] == '!') return wrap_comment(line, first, width);
  return wrap_statement(first, line.substr(first), width);
}

}  // namespace shinar::codegen
