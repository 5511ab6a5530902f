#include "codegen/line_wrap.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace shinar::codegen {
namespace {

constexpr std::size_t kContinuation = 2;

// A bracket that is open at some point of the code; `column` is where its content begins.
struct Bracket {
  std::size_t column;
};

struct Break {
  std::size_t position;  // index of the first character of the next line
  std::vector<Bracket> open;
};

// In a continued comment, unlike in a statement, a blank follows the star.
bool is_fixed(std::string_view code) {
  return code.empty() || code.starts_with("//") || code.starts_with("/*") ||
         code.starts_with("* ") || code.starts_with("*/") || code == "*" || code.starts_with("#") ||
         code.starts_with("}  // ");
}

// Where to break `line`: after a comma, in the outermost brackets possible, as far right as
// possible. `open` are the brackets left open by the lines before.
std::optional<Break> find_break(std::string_view line, std::vector<Bracket> open,
                                std::size_t width) {
  std::optional<Break> best;
  char quote = 0;
  for (std::size_t i = 0; i < line.size() && i <= width; ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\') {
        ++i;
      } else if (c == quote) {
        quote = 0;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '{' || c == '[') {
      open.push_back({i + 1});
    } else if ((c == ')' || c == '}' || c == ']') && !open.empty()) {
      open.pop_back();
    } else if (c == ',' && i + 2 < line.size() && line[i + 1] == ' ' && i < width &&
               !open.empty() && (!best || open.size() <= best->open.size())) {
      best = Break{i + 2, open};
    }
  }
  return best;
}

std::size_t indentation(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? line.size() : first;
}

std::string_view without_trailing_space(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

struct Wrapped {
  std::string text;
  bool fits = true;
};

Wrapped wrap_aligned(std::string line, std::vector<Bracket> open, std::size_t width) {
  Wrapped result;
  while (line.size() > width) {
    const std::optional<Break> at = find_break(line, open, width);
    if (!at || at->position <= indentation(line)) break;
    result.text += without_trailing_space(std::string_view(line).substr(0, at->position));
    result.text += '\n';
    line = std::string(at->open.back().column, ' ') + line.substr(at->position);
    open = at->open;
  }
  result.fits = line.size() <= width;
  result.text += line;
  return result;
}

// The first bracket that opens a list of parameters or arguments, not a cast, and is no text.
std::size_t find_argument_list(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote != 0) {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == quote) {
        quote = 0;
      }
      continue;
    }
    if (line[i] == '"') quote = line[i];
    if (line[i] != '(' || i == 0) continue;
    const char before = line[i - 1];
    const bool is_name = std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '_';
    if (is_name || before == ')' || before == '>') return i;
  }
  return std::string_view::npos;
}

// Breaks the line at `end`; the rest, from `next`, is indented more.
std::string break_at(std::string_view line, std::size_t end, std::size_t next) {
  return std::string(line.substr(0, end)) + '\n' +
         std::string(indentation(line) + kContinuation, ' ') + std::string(line.substr(next));
}

// "int32_t x =" with the rest on a second line, if it fits there.
std::optional<std::string> break_at_assignment(std::string_view line, std::size_t width) {
  const std::size_t assignment = line.find(" = ");
  if (assignment >= line.find_first_of("({") || !line.ends_with(';')) return std::nullopt;
  std::string broken = break_at(line, assignment + 2, assignment + 3);
  const std::size_t second_line = broken.size() - broken.find('\n') - 1;
  if (second_line > width) return std::nullopt;
  return broken;
}

bool is_literal(std::string_view code) {
  return code.starts_with('"');
}

// "const struct A a = {" or "extern struct A a;": moves the declared name to its own line.
std::string break_at_name(std::string_view line, std::size_t width) {
  if (is_literal(line.substr(indentation(line)))) return std::string(line);
  const std::size_t declarator_end = std::min(line.find(" = "), line.size());
  const std::size_t space = line.rfind(' ', declarator_end - 1);
  if (space == std::string_view::npos || space <= indentation(line) || space > width) {
    return std::string(line);
  }
  return break_at(line, space, space + 1);
}

// How many lines a break after the bracket must save: few in a call, more in a declaration, where
// aligned parameters are more readable.
std::ptrdiff_t worthwhile(std::string_view line, std::size_t bracket) {
  const std::string_view before = line.substr(indentation(line), bracket - indentation(line));
  const bool is_call = line.ends_with(';') && (before.find(' ') == std::string_view::npos ||
                                               before.starts_with("return ") ||
                                               before.find(" = ") != std::string_view::npos ||
                                               line.find('{', bracket) != std::string_view::npos);
  return is_call ? 1 : 3;
}

std::ptrdiff_t line_breaks(std::string_view text) {
  return std::count(text.begin(), text.end(), '\n');
}

// After commas; nothing if the line has none where it would help.
std::optional<std::string> break_in_brackets(std::string_view line, std::size_t width) {
  const Wrapped aligned = wrap_aligned(std::string(line), {}, width);
  const std::size_t bracket = find_argument_list(line);
  if (bracket == std::string_view::npos || bracket + 1 > width) {
    if (aligned.fits) return aligned.text;
    return std::nullopt;
  }
  // If there is little space right of the bracket, a line break after it is better.
  const std::size_t column = indentation(line) + kContinuation;
  const std::string rest = std::string(column, ' ') + std::string(line.substr(bracket + 1));
  const Wrapped behind = wrap_aligned(rest, {{column}}, width);
  const std::ptrdiff_t saved = line_breaks(aligned.text) - line_breaks(behind.text) - 1;
  if (aligned.fits && !(behind.fits && saved >= worthwhile(line, bracket))) return aligned.text;
  return std::string(line.substr(0, bracket + 1)) + '\n' + behind.text;
}

}  // namespace

std::string wrap_code(std::string_view line, std::size_t width) {
  if (line.size() <= width || is_fixed(line.substr(indentation(line)))) return std::string(line);
  if (std::optional<std::string> broken = break_at_assignment(line, width)) return *broken;
  return break_in_brackets(line, width).value_or(break_at_name(line, width));
}

std::string wrap_python(std::string_view line, std::size_t width) {
  if (line.size() <= width || line.substr(indentation(line)).starts_with('#')) {
    return std::string(line);
  }
  return break_in_brackets(line, width).value_or(std::string(line));
}

std::string wrap_prose(std::string_view line, std::size_t width) {
  if (line.size() <= width) return std::string(line);
  const std::string_view indent = line.substr(0, indentation(line));
  const std::size_t space = line.rfind(' ', width);
  if (space == std::string_view::npos || space < indent.size()) return std::string(line);
  const std::string rest = std::string(indent) + std::string(line.substr(space + 1));
  return std::string(without_trailing_space(line.substr(0, space))) + '\n' +
         wrap_prose(rest, width);
}

}  // namespace shinar::codegen
