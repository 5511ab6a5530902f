#include "driver/rename.hpp"

#include <algorithm>

namespace shinar::driver {
namespace {

bool is_scoped_name(std::string_view text) {
  bool begins = true;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool inner = (c >= '0' && c <= '9') || c == '_';
    if (c == '.' ? begins : !letter && (begins || !inner)) return false;
    begins = c == '.';
  }
  return !begins;
}

// Where the Impl file of a class is, up to its extension: "demo_Solver_Impl." or, in languages with
// folders for packages, "demo/Solver_Impl."
std::string impl_path(std::string class_name, char separator) {
  std::ranges::replace(class_name, '.', separator);
  return class_name + "_Impl.";
}

// Every mark of the class or method `from`, and of whatever is inside it.
void replace_marks(std::string& text, std::string_view word, const std::string& from,
                   const std::string& to) {
  const std::string old_mark = "splicer." + std::string(word) + "(" + from;
  const std::string new_mark = "splicer." + std::string(word) + "(" + to;
  for (std::size_t at = text.find(old_mark); at != std::string::npos;
       at = text.find(old_mark, at + 1)) {
    const std::size_t end = at + old_mark.size();
    if (end < text.size() && (text[end] == ')' || text[end] == '.')) {
      text.replace(at, old_mark.size(), new_mark);
    }
  }
}

}  // namespace

bool Renames::add(const std::string& text) {
  const std::size_t equal = text.find('=');
  if (equal == std::string::npos) return false;
  Rename rename{text.substr(0, equal), text.substr(equal + 1)};
  if (!is_scoped_name(rename.from) || !is_scoped_name(rename.to)) return false;
  renames_.push_back(std::move(rename));
  return true;
}

std::optional<std::string> Renames::read(const std::string& path, const Read& read_file,
                                         std::string& old_path) const {
  std::optional<std::string> text = read_file(path);
  for (const Rename& rename : renames_) {
    if (text) break;
    for (const char separator : {'_', '/'}) {
      const std::string now = impl_path(rename.to, separator);
      if (!path.starts_with(now)) continue;
      old_path = impl_path(rename.from, separator) + path.substr(now.size());
      text = read_file(old_path);
      if (!text) old_path.clear();
    }
  }
  if (text) *text = with_new_marks(std::move(*text));
  return text;
}

// A name that is taken is left alone: the old block is then kept as one without a method.
std::string Renames::with_new_marks(std::string text) const {
  for (const Rename& rename : renames_) {
    if (text.find("splicer.begin(" + rename.to + ")") != std::string::npos) continue;
    replace_marks(text, "begin", rename.from, rename.to);
    replace_marks(text, "end", rename.from, rename.to);
  }
  return text;
}

}  // namespace shinar::driver
