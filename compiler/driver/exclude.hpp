// In: regular expressions of --exclude.
// Out: a module in which the matching types are external: referred to, but not generated.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.hpp"

namespace shinar::driver {

// The error text for an invalid regular expression; usually empty.
std::string check_excludes(const std::vector<std::string>& patterns);

void exclude(ir::Module& module, const std::vector<std::string>& patterns);

}  // namespace shinar::driver
