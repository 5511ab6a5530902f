#include "driver/load.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "diagnostics/utf8.hpp"
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

std::string canonical_name(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(path, ignored).string();
}

bool is_damaged(const ast::File& file) {
  return file.is_damaged;
}

}  // namespace

bool name_standard_input(Inputs& inputs, const std::string& name, Diagnostics& diagnostics) {
  std::string error;
  std::optional<std::string> text = read_file("-", error);
  if (!text) {
    diagnostics.report(Code::CannotRead, std::nullopt, "cannot read standard input: " + error);
    return false;
  }
  std::ranges::replace(inputs.files, "-", name);
  inputs.texts.insert_or_assign(name, std::move(*text));
  return true;
}

bool Program::load(const Inputs& inputs, Diagnostics& diagnostics) {
  for (const auto& [name, text] : inputs.texts) texts_.insert_or_assign(canonical_name(name), text);
  if (load_all(inputs, diagnostics)) return true;
  // Anything may be missing.
  ast::File& unread = asts_.emplace_back();
  unread.is_damaged = true;
  units_.push_back({&unread, false});
  return false;
}

bool Program::load_all(const Inputs& inputs, Diagnostics& diagnostics) {
  bool ok = true;
  for (const std::string& path : inputs.files) ok &= load_file(path, false, diagnostics);
  for (const std::string& path : inputs.includes) ok &= load_file(path, true, diagnostics);
  const bool has_sidl =
      std::ranges::any_of(asts_, [](const ast::File& file) { return declares_sidl(file); });
  if (!has_sidl) load_standard_library(diagnostics);
  const bool is_compiled = !inputs.repositories.empty() || !carriers_.empty();
  if (is_compiled) ok = load_compiled(inputs.repositories, diagnostics) && ok;
  // Whatever is referred to is declared before whatever refers to it, where there is a choice.
  std::stable_partition(units_.begin(), units_.end(),
                        [](const Unit& unit) { return unit.is_external; });
  return ok;
}

bool Program::load_file(const std::string& path, bool is_external, Diagnostics& diagnostics) {
  const std::string canonical = canonical_name(path);
  if (std::ranges::find(seen_, canonical) != seen_.end()) return true;
  seen_.push_back(canonical);
  const bool is_text = texts_.contains(canonical);
  if (!is_text && path.ends_with(kCompiledSuffix))
    return load_compiled_file(path, is_external, diagnostics);
  std::string error;
  std::optional<std::string> text = read(path, canonical, error);
  if (!text) {
    diagnostics.report(Code::CannotRead, std::nullopt, "cannot read '" + path + "': " + error);
    return false;
  }
  const std::string name = path == "-" ? "<standard input>" : path;
  const Source& source = sources_.add(name, std::move(*text));
  files_.push_back(source.id());
  asts_.push_back(parse(source, diagnostics));
  units_.push_back({&asts_.back(), is_external});
  return true;
}

std::optional<std::string> Program::read(const std::string& path, const std::string& canonical,
                                         std::string& error) {
  const auto text = texts_.find(canonical);
  if (text == texts_.end()) return read_file(path, error);
  return std::exchange(text->second, {});  // a file is read once
}

// Only what the files read so far need: a package nobody names may be as broken as it likes.
bool Program::load_compiled(const std::vector<std::string>& folders, Diagnostics& diagnostics) {
  Repository repository(folders, diagnostics);
  for (const auto& file : carriers_) repository.add_carried(*file);
  // A package that is missing may be one whose declaration is damaged.
  Diagnostics consequences;
  const bool may_be_missing = std::ranges::any_of(asts_, is_damaged);
  CompiledPackages packages(repository, may_be_missing ? consequences : diagnostics);
  bool ok = packages.find(references_of(units_)) || may_be_missing;
  if (!ok) return false;
  for (const WantedPackage& item : packages.packages()) {
    ok &= load_restored(item.file->path,
                        ir::restore(item.file->module, item.name, item.types, next_source()), true,
                        diagnostics);
  }
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
  ir::Restored restored = ir::restore(*module, next_source());
  carriers_.push_back(std::make_unique<CompiledFile>(CompiledFile{path, std::move(*module)}));
  return load_restored(path, std::move(restored), is_external, diagnostics);
}

std::uint32_t Program::next_source() const {
  return static_cast<std::uint32_t>(sources_.size());
}

bool Program::load_restored(const std::string& path, ir::Restored restored, bool is_external,
                            Diagnostics& diagnostics) {
  if (!restored.fault.empty()) {
    diagnostics.report(Code::BrokenPackage, std::nullopt,
                       "cannot use '" + path +
                           "': it does not contain valid SIDL: " + in_one_line(restored.fault));
    return false;
  }
  const Source& source = sources_.add(path, std::move(restored.text));
  if (is_external) {
    compiled_.push_back(path);
  } else {
    files_.push_back(source.id());
  }
  asts_.push_back(std::move(restored.file));
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

void Program::load_standard_library(Diagnostics& diagnostics) {
  const Source& source =
      sources_.add("<standard library>/sidl.sidl", std::string(standard_library()));
  asts_.push_back(parse(source, diagnostics));
  units_.insert(units_.begin(), {&asts_.back(), true});
}

}  // namespace shinar::driver
