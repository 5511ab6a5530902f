/**
 * `sidl inspect`: what a server offers, and its state.
 */
#ifndef SIDL_TOOL_INSPECT_HPP
#define SIDL_TOOL_INSPECT_HPP

#include <string>

namespace CLI {
class App;
}

namespace sidl_tool {

struct InspectOptions {
  std::string url;
  std::string type;  ///< empty: all that the server offers
  double timeout = 10;
  bool json = false;
};

CLI::App* add_inspect(CLI::App& app, InspectOptions& options);

/** Throws UsageError for a type that the server does not know. */
int inspect(const InspectOptions& options);

}  // namespace sidl_tool
#endif
