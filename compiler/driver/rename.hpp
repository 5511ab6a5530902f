// In: the --rename options.
// Out: where the code of a class or method is under its old name; files of that name are not
// changed.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/backend.hpp"
#include "diagnostics/diagnostic.hpp"

namespace shinar::driver {

class Renames {
 public:
  // "demo.Old=demo.New" or "demo.Solver.old=demo.Solver.new". False if not of that form.
  bool add(const std::string& text);

  const std::vector<codegen::Rename>& list() const { return renames_; }

  using Read = std::function<std::optional<std::string>(const std::string& path)>;
  // The Impl file of the same class under its old name, for the one at `path`.
  std::optional<codegen::OldImpl> read_old(const std::string& path, const Read& read_file) const;

  // Reports the renames without effect. `found`: the old names found in Impl files.
  void check(const ir::Module& module, const std::set<std::string>& found,
             Diagnostics& diagnostics) const;

 private:
  std::vector<codegen::Rename> renames_;
};

}  // namespace shinar::driver
