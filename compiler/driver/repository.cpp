#include "driver/repository.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "diagnostics/utf8.hpp"
#include "driver/files.hpp"
#include "ir/binary.hpp"
#include "ir/validate.hpp"

namespace shinar::driver {

namespace fs = std::filesystem;

namespace {

std::optional<ir::Module> read_unchecked(const std::string& path, std::string& error) {
  const std::optional<std::string> bytes = read_file(path, error);
  return bytes ? ir::from_binary(*bytes, error) : std::nullopt;
}

}  // namespace

std::optional<ir::Module> read_compiled(const std::string& path, std::string& error) {
  std::optional<ir::Module> module = read_unchecked(path, error);
  if (!module) return std::nullopt;
  const std::vector<std::string> faults = ir::validate(*module);
  if (faults.empty()) return module;
  error = "it is inconsistent (" + in_one_line(faults.front()) + ")";
  return std::nullopt;
}

Repository::Repository(const std::vector<std::string>& folders, Diagnostics& diagnostics)
    : folders_(folders) {
  for (const std::string& folder : folders) {
    std::error_code error;
    std::vector<std::string> paths;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      std::error_code ignored;
      const bool is_file = !at->is_directory(ignored);
      if (is_file && at->path().extension() == kCompiledSuffix)
        paths.push_back(at->path().string());
    }
    if (error) {
      diagnostics.report(Code::CannotRead, std::nullopt,
                         "cannot read the repository '" + folder + "': " + error.message());
    }
    std::ranges::sort(paths);
    for (const std::string& path : paths) read(path);
  }
}

void Repository::read(const std::string& path) {
  std::string error;
  std::optional<ir::Module> module = read_unchecked(path, error);
  if (!module) {
    broken_.push_back({path, error});
    return;
  }
  files_.push_back(std::make_unique<CompiledFile>(CompiledFile{path, std::move(*module)}));
  add_packages(*files_.back(), false);
}

void Repository::add_carried(const CompiledFile& file) {
  add_packages(file, true);
}

// Packages that only contain packages are not added.
void Repository::add_packages(const CompiledFile& file, bool partial) {
  std::set<std::string_view> with_types;
  for (const ir::Type& type : file.module.types()) {
    if (type.external() == partial) with_types.insert(type.package());
  }
  for (const ir::Package& package : file.module.packages()) {
    if (with_types.contains(package.name())) {
      packages_.push_back({package.name(), package.version(), &file, partial});
    }
  }
}

std::vector<const CompiledPackage*> Repository::versions_of(std::string_view package) const {
  std::vector<const CompiledPackage*> result;
  for (const CompiledPackage& item : packages_) {
    if (item.name == package) result.push_back(&item);
  }
  return result;
}

bool Repository::is_around(std::string_view package) const {
  const std::string start = std::string(package) + ".";
  return std::ranges::any_of(
      packages_, [&](const CompiledPackage& item) { return item.name.starts_with(start); });
}

}  // namespace shinar::driver
