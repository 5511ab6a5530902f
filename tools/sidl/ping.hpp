/**
 * `sidl ping`: whether a server or an object is reachable, and how fast it answers.
 */
#ifndef SIDL_TOOL_PING_HPP
#define SIDL_TOOL_PING_HPP

#include <string>

namespace CLI {
class App;
}

namespace sidl_tool {

struct PingOptions {
  std::string url;
  int count = 3;
  double interval = 0.2;  ///< seconds
  double timeout = 5;     ///< seconds
};

CLI::App* add_ping(CLI::App& app, PingOptions& options);

/** Exit status 0 if every ping was answered. */
int ping(const PingOptions& options);

}  // namespace sidl_tool
#endif
