#include "codegen/doc_comment.hpp"

#include <algorithm>

#include "codegen/splicers.hpp"

namespace shinar::codegen {
namespace {

constexpr std::size_t kOneLine = 90;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

std::string comment_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    // Neither "*/" nor "/*" (-Wcomment) may appear.
    const bool mark = !result.empty() &&
                      ((c == '/' && result.back() == '*') || (c == '*' && result.back() == '/'));
    if (mark) result += ' ';
    if (c != '\r') result += c;
  }
  return without_marks(std::move(result));
}

void emit_doc(Printer& printer, std::string_view doc) {
  const std::string text = comment_text(trimmed(doc));
  if (text.empty()) return;
  if (text.find('\n') == std::string::npos && text.size() <= kOneLine) {
    printer.line("/** " + text + " */");
    return;
  }
  printer.line("/**");
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view content = std::string_view(text).substr(at, end - at);
    const std::size_t last = content.find_last_not_of(" \t");
    printer.line(last == std::string_view::npos ? std::string(" *")
                                                : " * " + std::string(content.substr(0, last + 1)));
    at = end + 1;
  }
  printer.line(" */");
}

}  // namespace shinar::codegen
