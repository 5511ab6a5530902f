#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "launchers/launcher.hpp"

namespace sidl_tool {
namespace {

const LauncherKind* const all_launchers[] = {
#define SIDL_LAUNCHER(name) &name##_launcher,
#include "launchers/launchers.def"
#undef SIDL_LAUNCHER
};

bool is_program(const std::string& file) {
  std::error_code failure;
  return std::filesystem::is_regular_file(file, failure) && ::access(file.c_str(), X_OK) == 0;
}

}  // namespace

std::vector<std::string> launcher_names() {
  std::vector<std::string> names = {"auto"};
  for (const LauncherKind* each : all_launchers) names.emplace_back(each->name);
  return names;
}

std::vector<std::string> rank_variables() {
  std::vector<std::string> result;
  for (const LauncherKind* each : all_launchers) {
    for (const std::string& name : each->make({})->rank_variables()) result.push_back(name);
  }
  return result;
}

std::unique_ptr<Launcher> make_launcher(const std::string& name, const LauncherOptions& options) {
  for (const LauncherKind* each : all_launchers) {
    if (name == "auto" ? each->is_at_hand() : name == each->name) return each->make(options);
  }
  return processes_launcher.make(options);
}

std::string found_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (is_program(file)) return file;
  }
  return "";
}

}  // namespace sidl_tool
