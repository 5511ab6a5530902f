// In: names of SIDL files, and of folders with compiled packages.
// Out: their ASTs and the standard library's, ready for analysis.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "driver/options.hpp"
#include "sema/analyze.hpp"

namespace shinar::driver {

class Program {
 public:
  // False when a file could not be read or parsed; all files are tried.
  bool load(const Options& options, Diagnostics& diagnostics);

  const Sources& sources() const { return sources_; }
  const std::vector<Unit>& units() const { return units_; }
  // Input files first, then included ones: what spans of the IR may name.
  const std::vector<std::uint32_t>& files() const { return files_; }
  // Names of all files that were read.
  std::vector<std::string> inputs() const;

 private:
  bool load_file(const std::string& path, bool is_external, Diagnostics& diagnostics);
  bool load_standard_library(Diagnostics& diagnostics);
  bool load_compiled(const std::vector<std::string>& folders, Diagnostics& diagnostics);
  bool load_compiled_file(const std::string& path, bool is_external, Diagnostics& diagnostics);
  bool load_text(const std::string& path, std::string text, bool is_external,
                 Diagnostics& diagnostics);

  Sources sources_;
  std::deque<ast::File> asts_;  // addresses are stable
  std::vector<Unit> units_;
  std::vector<std::uint32_t> files_;
  std::vector<std::string> seen_;
  std::vector<std::string> compiled_;  // files of repositories
};

}  // namespace shinar::driver
