// In: the declared options.
// Out: a completion script for a shell; it is always up to date.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace shinar::driver {

std::vector<std::string> completion_shells();

// Empty for an unsupported shell.
std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace shinar::driver
