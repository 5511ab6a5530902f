// In: names of SIDL files, and of folders with compiled packages.
// Out: their ASTs and the standard library's, ready for analysis.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "driver/repository.hpp"
#include "ir/ir.hpp"
#include "ir/restore.hpp"
#include "sema/analyze.hpp"

namespace shinar::driver {

struct Inputs {
  std::vector<std::string> files;         // .sidl or .sidlir; "-" is standard input
  std::vector<std::string> includes;      // types are referred to, not generated
  std::vector<std::string> repositories;  // folders of compiled packages that may be referred to
  // Texts to use for files, by file name: not saved, or not saved yet.
  std::map<std::string, std::string> texts;
};

// Reads standard input, if it is among the files, as the text of the file `name`. False, and a
// diagnostic, if it cannot be read.
bool name_standard_input(Inputs& inputs, const std::string& name, Diagnostics& diagnostics);

class Program {
 public:
  explicit Program(Sources& sources) : sources_(sources) {}

  // False if something could not be read; all files are tried. What was read can be analysed even
  // then, and with errors in it: consequences of missing parts are not reported.
  bool load(const Inputs& inputs, Diagnostics& diagnostics);

  const Sources& sources() const { return sources_; }
  // Maps a span of the IR to the sources; nothing for types that are not from a source file.
  std::optional<Span> place(const ir::Span& span) const;
  const std::vector<Unit>& units() const { return units_; }
  // Frees the ASTs; place() still works.
  void forget_units();
  // Input files first, then included ones: the files that spans of the IR refer to.
  const std::vector<std::uint32_t>& files() const { return files_; }
  // Names of all files that were read.
  std::vector<std::string> inputs() const;

 private:
  bool load_all(const Inputs& inputs, Diagnostics& diagnostics);
  bool load_file(const std::string& path, bool is_external, Diagnostics& diagnostics);
  void load_standard_library(Diagnostics& diagnostics);
  std::optional<std::string> read(const std::string& path, const std::string& canonical,
                                  std::string& error);
  bool load_compiled(const std::vector<std::string>& folders, Diagnostics& diagnostics);
  bool load_compiled_file(const std::string& path, bool is_external, Diagnostics& diagnostics);
  // What a compiled file held.
  bool load_restored(const std::string& path, ir::Restored restored, bool is_external,
                     Diagnostics& diagnostics);
  std::uint32_t next_source() const;

  Sources& sources_;
  std::deque<ast::File> asts_;  // addresses are stable
  std::vector<Unit> units_;
  std::vector<std::uint32_t> files_;
  std::map<std::string, std::string> texts_;  // by canonical name
  std::vector<std::string> seen_;
  std::vector<std::string> compiled_;                    // files of repositories
  std::vector<std::unique_ptr<CompiledFile>> carriers_;  // compiled files of the run
};

}  // namespace shinar::driver
