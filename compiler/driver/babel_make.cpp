#include "driver/babel_make.hpp"

#include <map>
#include <string_view>

namespace shinar::driver {
namespace {

// Type names contain no underscores: the part after the last one tells the purpose.
std::string purpose(std::string_view path) {
  const std::string_view extension = path.substr(path.rfind('.') + 1);
  const std::string_view stem = path.substr(0, path.rfind('.'));
  const bool is_header = extension.starts_with('h') || extension == "inc";
  std::string group = "STUB";
  if (stem.ends_with("_IOR")) group = "IOR";
  if (stem.ends_with("_Skel")) group = "SKEL";
  if (stem.ends_with("_Impl")) group = "IMPL";
  return group + (is_header ? "HDRS" : "SRCS");
}

}  // namespace

std::string babel_make(const std::vector<std::string>& paths, const std::string& prefix) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const char* name : {"IMPLHDRS", "IMPLSRCS", "IORHDRS", "IORSRCS", "SKELHDRS", "SKELSRCS",
                           "STUBHDRS", "STUBSRCS"}) {
    groups[name];
  }
  for (const std::string& path : paths) groups[purpose(path)].push_back(path);
  std::string text = "# The files that sidlc generated, by purpose.\n";
  for (const auto& [name, files] : groups) {
    text += prefix + name + " =";
    for (const std::string& file : files) text += " \\\n  " + file;
    text += "\n";
  }
  return text;
}

}  // namespace shinar::driver
