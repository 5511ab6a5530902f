/**
 * `sidl launch`: the programs of a job, each with its ranks, started and ended together.
 */
#ifndef SIDL_TOOL_LAUNCH_HPP
#define SIDL_TOOL_LAUNCH_HPP

#include <string>

namespace CLI {
class App;
}

namespace sidl_tool {

struct LaunchOptions {
  std::string job;
  double wait = 60;   ///< seconds until servers have to serve
  double grace = 10;  ///< seconds that processes have to end when they are told to
  bool is_dry_run = false;
};

CLI::App* add_launch(CLI::App& app, LaunchOptions& options);

/** The exit status: that of the first process that failed. */
int launch(const LaunchOptions& options);

}  // namespace sidl_tool
#endif
