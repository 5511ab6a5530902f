// In: a checked ir::Module.
// Out: what it says that the back ends for C and C++ cannot express yet, each with its place:
// nothing that sidlc accepts is ever silently ignored.
#pragma once

#include <vector>

#include "codegen/backend.hpp"

namespace shinar::codegen {

std::vector<Problem> find_unsupported(const ir::Module& module);
bool has_errors(const std::vector<Problem>& problems);

}  // namespace shinar::codegen
