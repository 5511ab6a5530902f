#include "driver/load.hpp"

#include <algorithm>
#include <filesystem>

#include "driver/files.hpp"
#include "driver/standard_library.hpp"
#include "frontend/parse.hpp"

namespace shinar::driver {
namespace {

// A program that declares package sidl itself is the standard library, and needs no other.
bool declares_sidl(const ast::File& file) {
  return std::ranges::any_of(file.declarations, [](const ast::Declaration& item) {
    const auto* package = std::get_if<ast::Package>(&item.body);
    return package != nullptr && package->name.parts.front().text == "sidl";
  });
}

}  // namespace

bool Program::load(const Options& options, Diagnostics& diagnostics) {
  bool ok = true;
  for (const std::string& path : options.files) ok &= load_file(path, false, diagnostics);
  for (const std::string& path : options.includes) ok &= load_file(path, true, diagnostics);
  const bool has_sidl =
      std::ranges::any_of(asts_, [](const ast::File& file) { return declares_sidl(file); });
  if (!has_sidl && !load_standard_library(diagnostics)) ok = false;
  // Whatever is referred to is declared before whatever refers to it, where there is a choice.
  std::stable_partition(units_.begin(), units_.end(),
                        [](const Unit& unit) { return unit.is_external; });
  return ok;
}

bool Program::load_file(const std::string& path, bool is_external, Diagnostics& diagnostics) {
  std::error_code ignored;
  std::string canonical = std::filesystem::weakly_canonical(path, ignored).string();
  if (std::ranges::find(seen_, canonical) != seen_.end()) return true;
  seen_.push_back(std::move(canonical));
  std::string error;
  std::optional<std::string> text = read_file(path, error);
  if (!text) {
    diagnostics.report(Code::CannotRead, std::nullopt, "cannot read '" + path + "': " + error);
    return false;
  }
  const std::string name = path == "-" ? "<standard input>" : path;
  const Source& source = sources_.add(name, std::move(*text));
  files_.push_back(source.id());
  std::optional<ast::File> file = parse(source, diagnostics);
  if (!file) return false;
  asts_.push_back(std::move(*file));
  units_.push_back({&asts_.back(), is_external});
  return true;
}

bool Program::load_standard_library(Diagnostics& diagnostics) {
  const Source& source =
      sources_.add("<standard library>/sidl.sidl", std::string(standard_library()));
  std::optional<ast::File> file = parse(source, diagnostics);
  if (!file) return false;
  asts_.push_back(std::move(*file));
  units_.insert(units_.begin(), {&asts_.back(), true});
  return true;
}

}  // namespace shinar::driver
