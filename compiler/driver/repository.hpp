// In: folders.
// Out: the packages in the compiled files (*.sidlir) of the folders, and their versions.
//
// A file that cannot be read is only recorded: it matters only if something is missing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "ir/ir.hpp"

namespace shinar::driver {

struct CompiledFile {
  std::string path;
  ir::Module module;
};

// A version of a package, and its file.
struct CompiledPackage {
  std::string name;
  std::string version;
  const CompiledFile* file = nullptr;
  // Not the whole package: the part that a compiled file includes because its own types need it.
  bool partial = false;
};

// A valid compiled file, or `error`.
std::optional<ir::Module> read_compiled(const std::string& path, std::string& error);

class Repository {
 public:
  struct Broken {
    std::string path;
    std::string reason;
  };

  // Reports folders that cannot be read.
  Repository(const std::vector<std::string>& folders, Diagnostics& diagnostics);

  // Adds the parts of other packages that a compiled file of the run includes; second choice.
  void add_carried(const CompiledFile& file);

  // All versions, those from earlier folders first.
  std::vector<const CompiledPackage*> versions_of(std::string_view package) const;
  // True if there is a package nested in this one.
  bool is_around(std::string_view package) const;
  const std::vector<Broken>& broken() const { return broken_; }
  const std::vector<std::string>& folders() const { return folders_; }

 private:
  void read(const std::string& path);
  void add_packages(const CompiledFile& file, bool partial);

  std::vector<std::string> folders_;
  std::vector<std::unique_ptr<CompiledFile>> files_;  // addresses are stable
  std::vector<CompiledPackage> packages_;
  std::vector<Broken> broken_;
};

inline constexpr std::string_view kCompiledSuffix = ".sidlir";

}  // namespace shinar::driver
