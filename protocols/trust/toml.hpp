/**
 * toml++, of which nothing is linked: the only way to it, also of `sidl launch`.
 *
 * toml++ limits how deep values are nested in brackets, but not of how many parts a key is, and
 * calls itself for each of them; so that is limited here, before it sees the text.
 */
#ifndef SHINAR_TRUST_TOML_HPP
#define SHINAR_TRUST_TOML_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace shinar {

/** Where the string ends that begins at `at`, with the quotes that close it. */
inline std::size_t end_of_toml_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool has_lines = text.substr(at, 3) == three;
  for (at += has_lines ? 3 : 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (!has_lines && (text[at] == quote || text[at] == '\n')) {
      return at + 1;  // a line that ends is an error, which toml++ reports
    } else if (has_lines && text.substr(at, 3) == three) {
      at += 3;
      for (int more = 0; more < 2 && at < text.size() && text[at] == quote; ++more) ++at;
      return at;
    }
  }
  return text.size();
}

/** Where tables and lists are nested deeper than `deepest`; npos if nowhere. */
inline std::size_t find_too_deep_toml(std::string_view text, std::size_t deepest) {
  std::vector<std::size_t> around;  // the open brackets: how deep each of them is
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = end_of_toml_string(text, at) - 1;
    } else if (c == '#') {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (c == '.') {
      ++depth;
    } else if (c == '[' || c == '{') {
      around.push_back(depth++);
    } else if ((c == ']' || c == '}') && !around.empty()) {
      depth = around.back();
      around.pop_back();
    } else if (c == ',' || (c == '\n' && around.empty())) {
      depth = around.empty() ? 0 : around.back() + 1;
    }
    if (depth > deepest) return at;
  }
  return std::string_view::npos;
}

/** Throws toml::parse_error, with the line. `file` is for messages. */
inline toml::table parse_toml(std::string_view text, const std::string& file) {
  constexpr std::size_t deepest = 256;  // as toml++'s limit for values
  const std::size_t deep = find_too_deep_toml(text, deepest);
  if (deep == std::string_view::npos) return toml::parse(text, file);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(deep), '\n');
  throw toml::parse_error("tables and lists are nested more than 256 deep",
                          toml::source_position{static_cast<toml::source_index>(line), 1});
}

}  // namespace shinar
#endif
