#include "driver/load.hpp"

#include <algorithm>
#include <filesystem>

#include "backends/sidl/sidl.hpp"
#include "driver/compiled_packages.hpp"
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

bool Program::load(const Inputs& inputs, Diagnostics& diagnostics) {
  bool ok = true;
  for (const std::string& path : inputs.files) ok &= load_file(path, false, diagnostics);
  for (const std::string& path : inputs.includes) ok &= load_file(path, true, diagnostics);
  const bool has_sidl =
      std::ranges::any_of(asts_, [](const ast::File& file) { return declares_sidl(file); });
  if (!has_sidl && !load_standard_library(diagnostics)) ok = false;
  const bool is_compiled = !inputs.repositories.empty() || !carriers_.empty();
  if (is_compiled) ok = load_compiled(inputs.repositories, diagnostics) && ok;
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
  if (path.ends_with(kCompiledSuffix)) return load_compiled_file(path, is_external, diagnostics);
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

// Only what the files read so far need: a package nobody names may be as broken as it likes.
bool Program::load_compiled(const std::vector<std::string>& folders, Diagnostics& diagnostics) {
  Repository repository(folders, diagnostics);
  for (const auto& file : carriers_) repository.add_carried(*file);
  CompiledPackages packages(repository, diagnostics);
  if (!packages.find(references_of(units_))) return false;
  bool ok = true;
  for (const PackageText& item : packages.texts())
    ok &= load_text(item.path, item.text, true, diagnostics);
  return ok;
}

bool Program::load_compiled_file(const std::string& path, bool is_external,
                                 Diagnostics& diagnostics) {
  std::string error;
  std::optional<ir::Module> module = read_compiled(path, error);
  if (!module) {
    diagnostics.report(Code::BrokenPackage, std::nullopt, "cannot use '" + path + "': " + error);
    return false;
  }
  const std::string text = backends::sidl_text(*module, backends::Naming::Absolute);
  carriers_.push_back(std::make_unique<CompiledFile>(CompiledFile{path, std::move(*module)}));
  return load_text(path, text, is_external, diagnostics);
}

// What a compiled file held, in words again. That it is no SIDL is the fault of the file.
bool Program::load_text(const std::string& path, std::string text, bool is_external,
                        Diagnostics& diagnostics) {
  const Source& source = sources_.add(path, std::move(text));
  Diagnostics faults;
  std::optional<ast::File> file = parse(source, faults);
  if (!file) {
    diagnostics.report(
        Code::BrokenPackage, std::nullopt,
        "cannot use '" + path + "': what it holds is no SIDL: " + faults.sorted().front()->message);
    return false;
  }
  if (is_external) {
    compiled_.push_back(path);
  } else {
    files_.push_back(source.id());
  }
  asts_.push_back(std::move(*file));
  units_.push_back({&asts_.back(), is_external});
  return true;
}

void Program::forget_units() {
  units_.clear();
  asts_.clear();
  asts_.shrink_to_fit();
}

std::optional<Span> Program::place(const ir::Span& span) const {
  if (span.line() == 0 || span.file() >= files_.size()) return std::nullopt;
  const Source& source = sources_[files_[span.file()]];
  return Span{source.id(), source.offset({span.line(), span.column()}),
              source.offset({span.end_line(), span.end_column()})};
}

std::vector<std::string> Program::inputs() const {
  std::vector<std::string> names;
  for (const std::uint32_t id : files_) names.push_back(sources_[id].name());
  for (const std::string& path : compiled_) {
    if (std::ranges::find(names, path) == names.end()) names.push_back(path);
  }
  return names;
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
