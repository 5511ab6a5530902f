// In: Impl files with text outside of the splicer marks that no new file has.
// Out: the same text beside them on disk, as NAME.orig, NAME.orig.1, …, and a warning for each.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "driver/output.hpp"

namespace shinar::driver {

class Originals {
 public:
  // `line` is the first that the new file at `path` does not have.
  void keep(const std::string& path, std::string text, std::size_t line);

  bool write(Diagnostics& diagnostics) const { return files_.write(diagnostics); }
  // Once the new files are there.
  void report(Diagnostics& diagnostics) const;

 private:
  FileSet files_;
  std::vector<std::string> messages_;
};

}  // namespace shinar::driver
