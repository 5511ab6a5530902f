// In: Impl files with text outside of the splicer marks that is not in the new files.
// Out: backups of them on disk, NAME.orig, NAME.orig.1, …, and a warning for each.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "driver/output.hpp"

namespace shinar::driver {

class Originals {
 public:
  // `line` is the first that is not in the new file at `path`.
  void keep(const std::string& path, std::string text, std::size_t line);

  bool write(Diagnostics& diagnostics) const { return files_.write(diagnostics); }
  // Call it once the new files are written.
  void report(Diagnostics& diagnostics) const;

 private:
  FileSet files_;
  std::vector<std::string> messages_;
};

}  // namespace shinar::driver
