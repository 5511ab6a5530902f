// In: a module, wherever it comes from.
// Out: what contradicts the promises of sidl_ir.proto. A non-empty answer about a module that
// sidlc made itself is a defect of sidlc.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.hpp"

namespace shinar::ir {

std::vector<std::string> validate(const Module& module);

}  // namespace shinar::ir
