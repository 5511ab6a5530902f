// In: a module.
// Out: the same as readable JSON, with the field names of sidl_ir.proto.
#pragma once

#include <string>

#include "ir/ir.hpp"

namespace shinar::ir {

std::string to_json(const Module& module);

}  // namespace shinar::ir
