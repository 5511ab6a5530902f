#include "driver/format_files.hpp"

#include <unistd.h>

#include <filesystem>

#include "driver/files.hpp"
#include "driver/output.hpp"
#include "driver/unified_diff.hpp"
#include "frontend/format.hpp"

namespace shinar::driver {
namespace {

// What a link leads to is replaced, not the link.
std::string target_of(const std::string& path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

}  // namespace

bool format_files(const Options& options, Sources& sources, Diagnostics& diagnostics) {
  std::string shown;
  FileSet replaced;
  for (const std::string& path : options.inputs.files) {
    std::string error;
    std::optional<std::string> text = read_file(path, error);
    if (!text) {
      diagnostics.report(Code::CannotRead, std::nullopt, "cannot read '" + path + "': " + error);
      continue;
    }
    const std::string name = path == "-" ? "<standard input>" : path;
    const Source& source = sources.add(name, std::move(*text));
    std::optional<std::string> result = format(source, diagnostics);
    if (!result) continue;
    if (options.format == FormatTo::Diff) {
      shown += unified_diff(name, source.text(), *result);
    } else if (options.format == FormatTo::Output) {
      shown += *result;
    } else {
      replaced.put(target_of(path), std::move(*result));
    }
  }
  replaced.write(diagnostics);
  const std::string error = write_all(STDOUT_FILENO, shown);
  if (!error.empty()) {
    diagnostics.report(Code::CannotWrite, std::nullopt, "cannot write standard output: " + error);
  }
  return options.format != FormatTo::Diff || shown.empty();
}

}  // namespace shinar::driver
