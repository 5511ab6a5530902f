#include "frontend/doc_comment.hpp"

#include <algorithm>

namespace shinar {
namespace {

constexpr std::string_view kBlank = " \t\f\v";

std::string_view without_trailing_blanks(std::string_view line) {
  const std::size_t last = line.find_last_not_of(kBlank);
  return last == std::string_view::npos ? std::string_view{} : line.substr(0, last + 1);
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(kBlank), line.size());
}

// "   * text" ▶ " text": one star, where the line begins with it.
std::string_view without_star(std::string_view line) {
  const std::size_t start = indentation(line);
  return start < line.size() && line[start] == '*' ? line.substr(start + 1) : line;
}

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t end = text.find_first_of("\r\n");
    lines.push_back(without_trailing_blanks(text.substr(0, end)));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + (text.substr(end, 2) == "\r\n" ? 2 : 1));
  }
}

bool is_doc_comment(std::string_view comment) {
  return comment.size() > 4 && comment.starts_with("/**");  // "/**/" is an empty plain comment
}

std::string clean_doc_comment(std::string_view comment) {
  comment.remove_prefix(3);
  comment.remove_suffix(2);
  std::vector<std::string_view> lines = split_lines(comment);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // The first line has no star of its own, but "/***" and "/****" are common.
    while (i == 0 && !lines[0].empty() && lines[0].front() == '*') lines[0].remove_prefix(1);
    if (i > 0) lines[i] = without_star(lines[i]);
  }
  std::size_t common = std::string_view::npos;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (!lines[i].empty()) common = std::min(common, indentation(lines[i]));
  }
  lines[0].remove_prefix(indentation(lines[0]));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    lines[i].remove_prefix(std::min(common, lines[i].size()));
    // A closing "**/" leaves a line of stars.
    if (i + 1 == lines.size() && lines[i].find_first_not_of("*") == std::string_view::npos) {
      lines[i] = {};
    }
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  std::string text;
  for (std::string_view line : lines) {
    if (text.empty() && line.empty()) continue;
    if (!text.empty()) text += '\n';
    text += line;
  }
  return text;
}

}  // namespace shinar
