/**
 * `sidl rank`: what a launcher of the site's starts in the place of each rank of a program. It
 * learns its rank from the launcher, and what to run from a file of the job; it passes on what its
 * program writes and how it ends, and ends it when it is told to or `sidl launch` is gone.
 *
 * It stays beside its program, instead of becoming it, because launchers differ in what they do
 * with output, signals and statuses, and some kill what they were to end.
 */
#ifndef SIDL_TOOL_FRONT_HPP
#define SIDL_TOOL_FRONT_HPP

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sidl_tool {

struct FrontOptions {
  std::string file;                    ///< of Control
  std::string program;                 ///< of the job
  std::vector<std::string> variables;  ///< the first of these that is there has the rank
};

/** The command line of fronts of a program. */
std::vector<std::string> front_command(const FrontOptions& options);

/** It is not in the list of commands. */
CLI::App* add_front(CLI::App& app, FrontOptions& options);

/** The exit status is 0 if `sidl launch` was told how the program has ended. */
int front(const FrontOptions& options);

}  // namespace sidl_tool
#endif
