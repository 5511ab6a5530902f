// In: regular expressions of --exclude.
// Out: a module in which the types they match are external: to be referred to, not generated.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.hpp"

namespace shinar::driver {

// The complaint about one that is no regular expression; usually empty.
std::string check_excludes(const std::vector<std::string>& patterns);

void exclude(ir::Module& module, const std::vector<std::string>& patterns);

}  // namespace shinar::driver
