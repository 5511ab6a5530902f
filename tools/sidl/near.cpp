#include "near.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "printable.hpp"

namespace sidl_tool {
namespace {

/** Levenshtein distance, ignoring case. */
std::size_t distance(const std::string& a, const std::string& b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  constexpr std::size_t most_names = 3;
  constexpr std::size_t longest = 100;  // of names that are compared: they may come from anywhere
  if (name.size() > longest) return "";
  const std::size_t most = name.size() < 4 ? 1 : std::max<std::size_t>(2, name.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& each : candidates) {
    if (each.size() > longest) continue;
    const std::size_t far = distance(name, each);
    const bool begins = !name.empty() && each.rfind(name, 0) == 0;
    if (begins || far <= most) near.emplace_back(far, each);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  const auto farther = [&](const auto& each) { return each.first > near.front().first; };
  near.erase(std::find_if(near.begin(), near.end(), farther), near.end());
  if (near.size() > most_names) near.resize(most_names);
  std::string text;
  for (std::size_t i = 0; i < near.size(); ++i) {
    text += i == 0 ? "" : i + 1 == near.size() ? " or " : ", ";
    text += "'" + in_one_line(near[i].second) + "'";
  }
  return text.empty() ? text : " (did you mean " + text + "?)";
}

}  // namespace sidl_tool
