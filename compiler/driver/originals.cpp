#include "driver/originals.hpp"

#include <filesystem>

#include "driver/files.hpp"

namespace shinar::driver {
namespace {

namespace fs = std::filesystem;

// An unused name, or that of a file with the same text from an earlier run.
std::string name_beside(const std::string& path, const std::string& text) {
  const std::string first = path + ".orig";
  std::string name = first;
  for (std::size_t count = 1;; ++count) {
    std::error_code ignored;
    const fs::file_status status = fs::symlink_status(name, ignored);
    if (!fs::exists(status)) return name;
    std::string error;
    if (fs::is_regular_file(status) && read_file(name, error) == text) return name;
    name = first + "." + std::to_string(count);
  }
}

}  // namespace

void Originals::keep(const std::string& path, std::string text, std::size_t line) {
  const std::string name = name_beside(path, text);
  files_.put(name, std::move(text));
  messages_.push_back("line " + std::to_string(line) + " of " + in_quotes(path) +
                      ", and perhaps more, stood outside of the splicer marks, and the new file "
                      "does not have it: the old one is kept as " +
                      in_quotes(name));
}

void Originals::report(Diagnostics& diagnostics) const {
  for (const std::string& message : messages_) {
    diagnostics.report(Code::OutsideMarks, std::nullopt, message);
  }
}

}  // namespace shinar::driver
