#include "codegen/line_wrap.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace shinar::codegen {
namespace {

// Brackets that are open at some place of the code; `column` is where their content begins.
struct Bracket {
  std::size_t column;
};

struct Break {
  std::size_t position;  // index of the first character of the next line
  std::vector<Bracket> open;
};

bool is_fixed(std::string_view code) {
  return code.empty() || code.starts_with("//") || code.starts_with("/*") ||
         code.starts_with("*") || code.starts_with("#");
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

// The first bracket that opens a list of parameters or arguments, not a cast.
std::size_t find_argument_list(std::string_view line) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    const char before = line[i - 1];
    const bool is_name = std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '_';
    if (line[i] == '(' && (is_name || before == ')')) return i;
  }
  return std::string_view::npos;
}

// "const struct A a = {" or "extern struct A a;": the declared name goes to a line of its own.
std::string wrap_at_name(std::string_view line, std::size_t indent, std::size_t width) {
  const std::size_t declarator_end = std::min(line.find(" = "), line.size());
  const std::size_t space = line.rfind(' ', declarator_end - 1);
  if (space == std::string_view::npos || space <= indent || space > width) return std::string(line);
  return std::string(line.substr(0, space)) + '\n' + std::string(indent + 4, ' ') +
         std::string(line.substr(space + 1));
}

}  // namespace

std::string wrap_code(std::string_view line, std::size_t width) {
  const std::size_t indent = indentation(line);
  if (line.size() <= width || is_fixed(line.substr(indent))) return std::string(line);
  Wrapped aligned = wrap_aligned(std::string(line), {}, width);
  if (aligned.fits) return aligned.text;
  // Too little room right of the bracket: begin a new line behind the first one instead.
  const std::size_t bracket = find_argument_list(line);
  if (bracket == std::string_view::npos || bracket + 1 > width) {
    return wrap_at_name(line, indent, width);
  }
  const std::string rest = std::string(indent + 4, ' ') + std::string(line.substr(bracket + 1));
  const Wrapped continued = wrap_aligned(rest, {{indent + 4}}, width);
  return std::string(line.substr(0, bracket + 1)) + '\n' + continued.text;
}

std::string wrap_prose(std::string_view text, std::size_t width) {
  std::string result;
  std::size_t column = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    while (i < text.size() && std::isspace(static_cast<unsigned char>(text[i])) != 0) ++i;
    std::size_t end = i;
    while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) == 0) ++end;
    if (end == i) break;
    if (column > 0 && column + 1 + (end - i) > width) {
      result += '\n';
      column = 0;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += text.substr(i, end - i);
    column += end - i;
    i = end;
  }
  return result;
}

}  // namespace shinar::codegen
