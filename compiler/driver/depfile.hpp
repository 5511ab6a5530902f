// In: generated files and the files they were made from.
// Out: a rule in make's syntax.
#pragma once

#include <string>
#include <vector>

namespace shinar::driver {

std::string make_rule(const std::vector<std::string>& targets,
                      const std::vector<std::string>& sources);

}  // namespace shinar::driver
