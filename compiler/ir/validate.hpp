// In: a module of any origin.
// Out: violations of the invariants of sidl_ir.proto. A non-empty result for a module made by sidlc
// itself is a bug in sidlc.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.hpp"

namespace shinar::ir {

std::vector<std::string> validate(const Module& module);

}  // namespace shinar::ir
