#include "driver/unified_diff.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace shinar::driver {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t kContext = 3;
// Maximum distance, in lines, at which equal lines are found.
constexpr std::size_t kFurthest = 200;
constexpr std::string_view kNoNewline = "\n\\ No newline at end of file\n";

// Including their line terminators.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// Lines [begin, end) of one text correspond to [other, other_end) of the other.
struct Change {
  std::size_t begin;
  std::size_t end;
  std::size_t other;
  std::size_t other_end;
};

// Blank lines are too common to match.
bool is_match(std::string_view a, std::string_view b) {
  return a == b && a.find_first_not_of(" \t\r\n") != std::string_view::npos;
}

// The nearest pair of equal lines, counted from a place where they differ.
std::pair<std::size_t, std::size_t> next_match(const Lines& a, std::size_t i, const Lines& b,
                                               std::size_t j) {
  for (std::size_t sum = 1; sum <= kFurthest; ++sum) {
    for (std::size_t x = 0; x <= sum; ++x) {
      const std::size_t y = sum - x;
      if (i + x < a.size() && j + y < b.size() && is_match(a[i + x], b[j + y])) {
        return {i + x, j + y};
      }
    }
  }
  return {std::min(i + kFurthest, a.size()), std::min(j + kFurthest, b.size())};
}

std::vector<Change> changes(const Lines& a, const Lines& b) {
  std::vector<Change> list;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i;
      ++j;
      continue;
    }
    const auto [next_i, next_j] = next_match(a, i, b, j);
    const bool goes_on = !list.empty() && list.back().end == i && list.back().other_end == j;
    if (goes_on) {
      list.back().end = next_i;
      list.back().other_end = next_j;
    } else {
      list.push_back({i, next_i, j, next_j});
    }
    i = next_i;
    j = next_j;
  }
  return list;
}

void put(char mark, std::string_view line, std::string& out) {
  out += mark;
  if (line.ends_with('\n')) {
    out += line;
  } else {
    out += std::string(line) + std::string(kNoNewline);
  }
}

std::string range(std::size_t begin, std::size_t end) {
  // An empty range is named by the line before it.
  const std::size_t first = begin == end ? begin : begin + 1;
  return std::to_string(first) + "," + std::to_string(end - begin);
}

// The changes [first, last) and the lines around them.
void put_hunk(const std::vector<Change>& list, std::size_t first, std::size_t last, const Lines& a,
              const Lines& b, std::string& out) {
  const std::size_t before = std::min(kContext, list[first].begin);
  const std::size_t after = std::min(kContext, a.size() - list[last - 1].end);
  const std::size_t begin = list[first].begin - before;
  const std::size_t end = list[last - 1].end + after;
  out += "@@ -" + range(begin, end) + " +" +
         range(list[first].other - before, list[last - 1].other_end + after) + " @@\n";
  std::size_t at = begin;
  for (std::size_t k = first; k < last; ++k) {
    for (; at < list[k].begin; ++at) put(' ', a[at], out);
    for (; at < list[k].end; ++at) put('-', a[at], out);
    for (std::size_t j = list[k].other; j < list[k].other_end; ++j) put('+', b[j], out);
  }
  for (; at < end; ++at) put(' ', a[at], out);
}

}  // namespace

std::string unified_diff(const std::string& name, std::string_view before, std::string_view after) {
  const Lines a = lines_of(before);
  const Lines b = lines_of(after);
  const std::vector<Change> list = changes(a, b);
  if (list.empty()) return {};
  std::string out = "--- " + name + "\n+++ " + name + "\n";
  for (std::size_t first = 0; first < list.size();) {
    std::size_t last = first + 1;
    while (last < list.size() && list[last].begin - list[last - 1].end <= 2 * kContext) ++last;
    put_hunk(list, first, last, a, b, out);
    first = last;
  }
  return out;
}

}  // namespace shinar::driver
