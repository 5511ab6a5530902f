#include "driver/explain.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "diagnostics/codes.hpp"

namespace shinar::driver {

std::string explain(const std::string& code) {
  std::string_view digits = code;
  if (digits.starts_with("SIDL") || digits.starts_with("sidl")) digits.remove_prefix(4);
  unsigned number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end) return {};
  const auto found = std::ranges::find(all_codes(), number, &CodeInfo::number);
  if (found == all_codes().end()) return {};
  return code_text(found->code) + " (" + std::string(found->name) + ", " +
         (found->severity == Severity::Error ? "an error" : "a warning") +
         "): " + std::string(found->summary) + "\n";
}

}  // namespace shinar::driver
