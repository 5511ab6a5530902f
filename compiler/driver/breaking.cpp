#include "driver/breaking.hpp"

#include <algorithm>
#include <filesystem>

#include "driver/compile.hpp"
#include "driver/load.hpp"
#include "ir/diff.hpp"

namespace shinar::driver {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_in(const std::string& folder, std::string_view suffix) {
  std::vector<std::string> files;
  std::error_code ignored;
  std::error_code failed;  // of querying one entry
  for (fs::recursive_directory_iterator at(folder, ignored), end; !ignored && at != end;
       at.increment(ignored)) {
    // A folder may have such a name, too, such as CMake's for targets.
    const bool is_file = !at->is_directory(failed);
    if (is_file && at->path().extension() == suffix) files.push_back(at->path().string());
  }
  std::ranges::sort(files);
  return files;
}

// One version of the interface, loaded and analysed.
class Version {
 public:
  Version(const std::string& path, const Options& options, Sources& sources,
          Diagnostics& diagnostics)
      : program_(sources) {
    Inputs inputs = options.inputs;
    inputs.files = {path};
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) inputs.files = files_in(path, ".sidl");
    // Compiled files next to their sources add nothing.
    if (inputs.files.empty()) inputs.files = files_in(path, kCompiledSuffix);
    if (inputs.files.empty()) {
      diagnostics.report(Code::CannotRead, std::nullopt,
                         "the directory '" + path + "' contains neither .sidl nor .sidlir files");
      return;
    }
    if (program_.load(inputs, diagnostics)) module_ = compile(program_, diagnostics);
  }

  const std::optional<ir::Module>& module() const { return module_; }
  std::optional<Span> place(const ir::Span& span) const { return program_.place(span); }

 private:
  Program program_;
  std::optional<ir::Module> module_;
};

std::string breaks_text(std::uint8_t breaks) {
  std::string result;
  for (const auto& [kind, name] : ir::kBreakageNames) {
    if ((breaks & kind) != 0) result += (result.empty() ? "" : ", ") + std::string(name);
  }
  return result;
}

}  // namespace

void report_breaking_changes(const Options& options, Sources& sources, Diagnostics& diagnostics) {
  const Version before(options.inputs.files[0], options, sources, diagnostics);
  const Version after(options.inputs.files[1], options, sources, diagnostics);
  if (!before.module() || !after.module()) return;
  for (const ir::Change& change : ir::breaking_changes(*before.module(), *after.module())) {
    const ir::RuleInfo& rule = ir::info(change.rule);
    if ((rule.breaks & options.breaks) == 0) continue;
    const std::optional<Span> place = (change.in_old ? before : after).place(change.span);
    const std::string id(rule.id);
    const std::string breaks = breaks_text(rule.breaks);
    Diagnostic& report = diagnostics.report(
        Code::BreakingChange, place, id + ": " + change.message + " (breaks " + breaks + ")");
    report.facts = {{"rule", id}, {"breaks", breaks}};
  }
}

}  // namespace shinar::driver
