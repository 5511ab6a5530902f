// In: the table of options as it was declared.
// Out: a script that lets a shell complete them; made from the table, it cannot go stale.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace shinar::driver {

std::vector<std::string> completion_shells();

// Empty for a shell that is not among them.
std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace shinar::driver
