/**
 * `sidl policy`: what the file of a server's policy says, before a server has it.
 */
#ifndef SIDL_TOOL_POLICY_HPP
#define SIDL_TOOL_POLICY_HPP

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace sidl_tool {

struct PolicyOptions {
  std::string action;
  std::string file;
  std::optional<std::string> who;
  std::optional<std::string> create, attach, call, refer;  ///< at most one is asked
};

CLI::App* add_policy(CLI::App& app, PolicyOptions& options);

/** The exit status; throws UsageError if the policy is no good. */
int policy(const PolicyOptions& options);

}  // namespace sidl_tool
#endif
