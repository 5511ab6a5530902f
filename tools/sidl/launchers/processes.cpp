/** Processes of this machine, which `sidl launch` starts itself. */
#include "launchers/launcher.hpp"
#include "usage_error.hpp"

namespace sidl_tool {
namespace {

class ProcessesLauncher : public Launcher {
 public:
  explicit ProcessesLauncher(const LauncherOptions& options) {
    if (options.arguments.empty()) return;
    throw UsageError("--launcher-option: '" + options.arguments.front() +
                     "' is for a launcher, and processes are started without one (--launcher)");
  }

  std::vector<std::string> command(const Program&, const std::vector<std::string>&) const override {
    return {};
  }
};

}  // namespace

const LauncherKind processes_launcher = {
    "processes",
    [](const LauncherOptions& options) -> std::unique_ptr<Launcher> {
      return std::make_unique<ProcessesLauncher>(options);
    },
    [] { return true; },
};

}  // namespace sidl_tool
