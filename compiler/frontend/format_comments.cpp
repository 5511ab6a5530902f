#include "frontend/format_comments.hpp"

#include <algorithm>
#include <vector>

#include "frontend/doc_comment.hpp"

namespace shinar::formatting {
namespace {

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t\f\v"), line.size());
}

bool has_star(std::string_view line) {
  const std::size_t start = indentation(line);
  return start < line.size() && line[start] == '*';
}

bool is_end(std::string_view line) {
  return line.substr(indentation(line)) == "*/";
}

// Joins lines with "
// ".
std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    if (!text.empty()) text += '\n';
    text += line;
  }
  return text;
}

std::vector<std::string> with_stars(const std::vector<std::string_view>& lines,
                                    std::size_t indent) {
  std::vector<std::string> result{std::string(lines.front())};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string_view line = lines[i].substr(indentation(lines[i]));
    result.push_back(line.empty() ? "" : std::string(indent + 1, ' ') + std::string(line));
  }
  return result;
}

// A doc comment without stars: its text is aligned with that of the first line.
std::vector<std::string> without_stars(const std::vector<std::string_view>& lines,
                                       std::size_t indent) {
  std::size_t common = std::string_view::npos;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (!lines[i].empty() && !is_end(lines[i])) {
      common = std::min(common, indentation(lines[i]));
    }
  }
  std::vector<std::string> result{std::string(lines.front())};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (is_end(lines[i])) {
      result.push_back(std::string(indent + 1, ' ') + "*/");
      continue;
    }
    const std::string_view line = lines[i].substr(std::min(common, lines[i].size()));
    result.push_back(line.empty() ? "" : std::string(indent + 4, ' ') + std::string(line));
  }
  return result;
}

}  // namespace

std::string comment_in_place(std::string_view comment) {
  std::vector<std::string> lines;
  for (std::string_view line : split_lines(comment)) lines.emplace_back(line);
  return joined(lines);
}

std::string comment_at(std::string_view comment, std::size_t indent) {
  const std::vector<std::string_view> lines = split_lines(comment);
  const auto rest = lines.begin() + 1;
  const bool stars = std::all_of(
      rest, lines.end(), [](std::string_view line) { return line.empty() || has_star(line); });
  if (stars) return joined(with_stars(lines, indent));
  // If only some lines have a star it is not clear what belongs together.
  const bool some = std::any_of(
      rest, lines.end(), [](std::string_view line) { return has_star(line) && !is_end(line); });
  if (is_doc_comment(comment) && !some) return joined(without_stars(lines, indent));
  return comment_in_place(comment);
}

}  // namespace shinar::formatting
