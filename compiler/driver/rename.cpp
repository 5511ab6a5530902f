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

// The path of a class's Impl file, up to its extension: "demo_Solver_Impl." or, in languages with
// folders for packages, "demo/Solver_Impl."
std::string impl_path(std::string class_name, char separator) {
  std::ranges::replace(class_name, '.', separator);
  return class_name + "_Impl.";
}

}  // namespace

bool Renames::add(const std::string& text) {
  const std::size_t equal = text.find('=');
  if (equal == std::string::npos) return false;
  codegen::Rename rename{text.substr(0, equal), text.substr(equal + 1)};
  if (!is_scoped_name(rename.from) || !is_scoped_name(rename.to)) return false;
  // Methods before their class, whose rename would apply to their code as well.
  const auto at = std::ranges::find_if(renames_, [&](const codegen::Rename& each) {
    return rename.from.starts_with(each.from + ".");
  });
  renames_.insert(at, std::move(rename));
  return true;
}

std::optional<codegen::OldImpl> Renames::read_old(const std::string& path,
                                                  const Read& read_file) const {
  for (const codegen::Rename& rename : renames_) {
    for (const char separator : {'_', '/'}) {
      const std::string now = impl_path(rename.to, separator);
      if (!path.starts_with(now)) continue;
      const std::string old_path = impl_path(rename.from, separator) + path.substr(now.size());
      if (auto text = read_file(old_path)) return codegen::OldImpl{old_path, std::move(*text)};
    }
  }
  return std::nullopt;
}

void Renames::check(const ir::Module& module, const std::set<std::string>& found,
                    Diagnostics& diagnostics) const {
  std::set<std::string> names;
  for (const ir::Type& type : module.types()) {
    names.insert(type.name());
    for (const ir::Method& method : type.object().methods()) {
      names.insert(type.name() + "." + method.long_name());
    }
  }
  for (const codegen::Rename& rename : renames_) {
    const std::string option = "--rename " + rename.from + "=" + rename.to;
    if (!names.contains(rename.to)) {
      diagnostics.report(
          Code::NotRenamed, std::nullopt,
          option + " moved nothing: no class or method is called " + in_quotes(rename.to));
    } else if (!found.contains(rename.from)) {
      diagnostics.report(
          Code::NotRenamed, std::nullopt,
          option + " moved nothing: no Impl file contains code of " + in_quotes(rename.from));
    }
  }
}

}  // namespace shinar::driver
