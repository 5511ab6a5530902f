// In: folders.
// Out: which packages the compiled files (*.sidlir) in them hold, in which versions.
//
// A file that cannot be read is kept as such: it matters only when something is missing.
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

// A version of a package, and where it lies.
struct CompiledPackage {
  std::string name;
  std::string version;
  const CompiledFile* file = nullptr;
  // Not the whole package: what a compiled file carries along of it because its own types need it.
  bool partial = false;
};

// A compiled file that keeps its promises, or why there is none.
std::optional<ir::Module> read_compiled(const std::string& path, std::string& error);

class Repository {
 public:
  struct Broken {
    std::string path;
    std::string reason;
  };

  // Reports folders that cannot be read.
  Repository(const std::vector<std::string>& folders, Diagnostics& diagnostics);

  // What a compiled file of the run carries along of other packages; second choice.
  void add_carried(const CompiledFile& file);

  // All versions, those of an earlier folder first.
  std::vector<const CompiledPackage*> versions_of(std::string_view package) const;
  // True when a package inside this one is there.
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
