#include "sema/versions.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "sema/context.hpp"

namespace shinar::sema {
namespace {

std::optional<std::vector<std::uint32_t>> groups(const std::string& text) {
  std::vector<std::uint32_t> result;
  const char* at = text.data();
  const char* end = at + text.size();
  while (true) {
    std::uint32_t number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return std::nullopt;
    result.push_back(number);
    if (stop == end) break;
    if (*stop != '.') return std::nullopt;
    at = stop + 1;
  }
  while (!result.empty() && result.back() == 0) result.pop_back();
  return result;
}

}  // namespace

bool check_version(const ast::Version& version, Diagnostics& diagnostics) {
  if (groups(version.text)) return true;
  diagnostics.report(
      Code::BadVersion, version.span,
      in_quotes(version.text) + " is not a version: write numbers and dots, like 1.0");
  return false;
}

bool same_version(const std::string& a, const std::string& b) {
  return groups(a) == groups(b);
}

bool earlier_version(const std::string& a, const std::string& b) {
  return groups(a) < groups(b);
}

}  // namespace shinar::sema
