#include "driver/format_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "driver/files.hpp"
#include "driver/output.hpp"
#include "driver/unified_diff.hpp"
#include "frontend/format.hpp"

namespace shinar::driver {
namespace {

// A FIFO or a device cannot be read and then rewritten.
bool can_be_rewritten(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
}

}  // namespace

bool format_files(const Options& options, Sources& sources, Diagnostics& diagnostics) {
  std::string shown;
  FileSet replaced;
  for (const std::string& path : options.inputs.files) {
    if (options.format == FormatTo::InPlace && !can_be_rewritten(path)) {
      diagnostics.report(Code::CannotWrite, std::nullopt,
                         "cannot rewrite " + in_quotes(path) + ": it is not a regular file");
      continue;
    }
    std::string error;
    std::optional<std::string> text = read_file(path, error);
    if (!text) {
      diagnostics.report(Code::CannotRead, std::nullopt, "cannot read '" + path + "': " + error);
      continue;
    }
    const std::string stdin_name =
        options.stdin_name.empty() ? "<standard input>" : options.stdin_name;
    const std::string name = path == "-" ? stdin_name : path;
    const Source& source = sources.add(name, std::move(*text));
    std::optional<std::string> result = format(source, diagnostics);
    if (!result) continue;
    if (options.format == FormatTo::Diff) {
      shown += unified_diff(name, source.text(), *result);
    } else if (options.format == FormatTo::Output) {
      shown += *result;
    } else {
      replaced.put(path, std::move(*result));
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
