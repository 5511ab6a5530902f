/** `sidl completion`: scripts that make a shell complete the commands and options of `sidl`. */
#ifndef SIDL_TOOL_COMPLETION_HPP
#define SIDL_TOOL_COMPLETION_HPP

#include <string>

namespace CLI {
class App;
}

namespace sidl_tool {

struct CompletionOptions {
  std::string shell;
};

CLI::App* add_completion(CLI::App& app, CompletionOptions& options);

/** Prints the script for the commands of `app`. */
int completion(const CLI::App& app, const CompletionOptions& options);

}  // namespace sidl_tool
#endif
