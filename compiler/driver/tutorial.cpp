#include "driver/tutorial.hpp"

#include <algorithm>
#include <cctype>

namespace shinar::driver {
namespace {

constexpr std::string_view kPackage = "stats";

std::string_view page_in(std::string_view language) {
  if (language == "c") return tutorial_c();
  if (language == "cxx") return tutorial_cxx();
  if (language == "fortran") return tutorial_fortran();
  if (language == "java") return tutorial_java();
  if (language == "python") return tutorial_python();
  return {};
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// The package by its new name, be it a part of others: stats_Sample, libstats.so.
std::string with_name(std::string_view text, std::string_view name) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = std::min(text.find(kPackage, at), text.size());
    result += text.substr(at, found - at);
    at = found + kPackage.size();
    if (found == text.size()) break;
    const bool is_within = found > 0 && is_letter(text[found - 1]) && !result.ends_with("lib");
    const bool goes_on = at < text.size() && is_letter(text[at]);
    result += is_within || goes_on ? kPackage : name;
  }
  return result;
}

bool is_file_name(std::string_view word) {
  const auto is_of_one = [](char c) {
    return is_letter(c) || c == '_' || c == '-' || c == '/' || c == '.';
  };
  return word.find('.') != std::string_view::npos && !word.starts_with('.') &&
         std::ranges::all_of(word, is_of_one);
}

// The file that a paragraph speaks of: the last one it names if it ends with a colon behind that,
// else the first. Empty: none.
std::string file_in(std::string_view prose) {
  std::string first;
  std::string last;
  for (std::size_t at = prose.find('`'); at != std::string_view::npos; at = prose.find('`', at)) {
    const std::size_t end = prose.find('`', at + 1);
    if (end == std::string_view::npos) break;
    const std::string_view word = prose.substr(at + 1, end - at - 1);
    at = end + 1;
    if (!is_file_name(word)) continue;
    last = word;
    if (first.empty()) first = word;
  }
  const std::size_t end = prose.find_last_not_of(" \n");
  return end != std::string_view::npos && prose[end] == ':' ? last : first;
}

// As tests/test_tutorials.py reads a page.
class Reader {
 public:
  explicit Reader(Tutorial& to) : to_(to) {}

  void read(std::string_view page) {
    constexpr std::string_view fence = "```";
    while (!page.empty()) {
      const std::string_view line = page.substr(0, std::min(page.find('\n'), page.size() - 1) + 1);
      page.remove_prefix(line.size());
      if (!line.starts_with(fence)) {
        (is_code_ ? code_ : prose_) += line;
      } else if (std::exchange(is_code_, !is_code_)) {
        end_block();
      } else {
        kind_ = line.substr(fence.size(), line.size() - fence.size() - 1);
      }
    }
  }

 private:
  void end_block() {
    if (const std::string named = file_in(prose_); !named.empty()) file_ = named;
    if (code_.substr(0, code_.find('\n')).find("splicer.begin(") != std::string::npos) {
      to_.codes.push_back(code_);
    } else if (kind_ != "sh" && kind_ != "text") {
      to_.files.push_back({file_, code_});
    }
    prose_.clear();
    code_.clear();
  }

  Tutorial& to_;
  std::string prose_;
  std::string code_;
  std::string kind_;
  std::string file_;
  bool is_code_ = false;
};

}  // namespace

Tutorial tutorial(std::string_view language, std::string_view name) {
  Tutorial result;
  const std::string page = with_name(page_in(language), name);
  Reader(result).read(page);
  result.page = page.substr(0, page.find("## Where to go"));
  return result;
}

}  // namespace shinar::driver
