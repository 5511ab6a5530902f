// In: a checked ir::Module.
// Out: its features that the back ends for C and C++ do not support yet, and names that C has
// already, each with its place: nothing that sidlc accepts is silently ignored.
#pragma once

#include <vector>

#include "codegen/backend.hpp"

namespace shinar::codegen {

std::vector<Problem> find_unsupported(const ir::Module& module);
bool has_errors(const std::vector<Problem>& problems);

}  // namespace shinar::codegen
