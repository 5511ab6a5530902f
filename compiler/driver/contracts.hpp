// In: a module.
// Out: for each class, the clauses that would be checked, and what checking them takes: what
// --contracts prints.
#pragma once

#include <string>

#include "ir/ir.hpp"

namespace shinar::driver {

std::string contracts_text(const ir::Module& module);

}  // namespace shinar::driver
