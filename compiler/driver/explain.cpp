#include "driver/explain.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "diagnostics/codes.hpp"
#include "driver/diagnostics_page.hpp"

namespace shinar::driver {
namespace {

const CodeInfo* find(std::string_view digits) {
  if (digits.starts_with("SIDL") || digits.starts_with("sidl")) digits.remove_prefix(4);
  unsigned number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end) return nullptr;
  const auto found = std::ranges::find(all_codes(), number, &CodeInfo::number);
  return found == all_codes().end() ? nullptr : &*found;
}

// The section of the page between its heading and the next one.
std::string_view section(std::string_view heading) {
  const std::string_view page = diagnostics_page();
  const std::size_t start = page.find(heading);
  if (start == std::string_view::npos) return {};
  const std::string_view rest = page.substr(start + heading.size());
  return rest.substr(0, std::min(rest.find("\n### "), rest.find("\n## ")));
}

// Markdown for a terminal: fenced text is indented instead.
std::string plain(std::string_view text) {
  std::string result;
  bool is_code = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line == "```") {
      is_code = !is_code;
    } else {
      result += (is_code && !line.empty() ? "    " : "") + std::string(line) + "\n";
    }
  }
  return result;
}

}  // namespace

std::string explain(const std::string& code) {
  const CodeInfo* found = find(code);
  if (found == nullptr) return {};
  const std::string title = code_text(found->code) + " " + std::string(found->name) + "\n";
  const std::string_view text = section("### " + title);
  return title + (text.empty() ? "\n" + std::string(found->summary) + "\n" : plain(text));
}

}  // namespace shinar::driver
