/**
 * `sidl launch`: the programs of a job, each with its ranks, started and ended together.
 */
#ifndef SIDL_TOOL_LAUNCH_HPP
#define SIDL_TOOL_LAUNCH_HPP

#include <string>
#include <vector>

#include "launchers/launcher.hpp"

namespace CLI {
class App;
}

namespace sidl_tool {

struct LaunchOptions {
  std::string job;
  double wait = 60;   ///< seconds until servers have to serve
  double grace = 10;  ///< seconds that processes have to end when they are told to
  bool is_dry_run = false;
  int report = -1;                 ///< a descriptor for a Report
  std::vector<std::string> ranks;  ///< PROGRAM=NUMBER: instead of what the job says
  std::string launcher;            ///< empty: as the job says, else "auto"
  LauncherOptions of_launcher;
  std::string hosts;         ///< "one" or "many"; empty: as the job, or the launcher, says
  std::string listen;        ///< empty: as the job says
  std::string shared = ".";  ///< a folder that all hosts have
};

CLI::App* add_launch(CLI::App& app, LaunchOptions& options);

/** The exit status: that of the first process that failed. */
int launch(const LaunchOptions& options);

}  // namespace sidl_tool
#endif
