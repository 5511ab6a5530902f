#include "frontend/format.hpp"

#include <stdexcept>

#include "frontend/format_print.hpp"
#include "frontend/parse.hpp"

namespace shinar {
namespace {

// Lost or joined tokens would not be noticed at once, so the result is always checked.
bool same_tokens(std::string_view a, std::string_view b) {
  WordLexer first(a);
  WordLexer second(b);
  while (true) {
    Lexeme x = first.next();
    Lexeme y = second.next();
    if (x.type != y.type) return false;
    if (x.type == WordLexer::kEnd) return true;
    const bool is_comment = x.type == grammar::SidlLexer::COMMENT;
    if (!is_comment && a.substr(x.begin, x.end - x.begin) != b.substr(y.begin, y.end - y.begin)) {
      return false;
    }
  }
}

}  // namespace

std::optional<std::string> format(const Source& source, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  parse(source, diagnostics);
  if (diagnostics.error_count() > errors) return std::nullopt;
  const std::string_view text = source.text();
  std::string result =
      formatting::print_lines(formatting::group_lines(formatting::read_atoms(text)));
  if (!same_tokens(text, result))
    throw std::logic_error("formatting would change " + source.name());
  return result;
}

}  // namespace shinar
