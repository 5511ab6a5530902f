// In: a method of a class that is implemented.
// Out: notes for its author if it is packObj or unpackObj of sidl.io.Serializable.
#pragma once

#include <string>
#include <vector>

#include "codegen/plan.hpp"
#include "codegen/splicers.hpp"
#include "ir/ir.hpp"

namespace shinar::codegen {

// Comment lines for above the method's splicer block; none for other methods.
std::vector<std::string> packing_notes(const ir::Method& method, CommentStyle style);
// The same, where an exception may have the methods without a word of its SIDL.
std::vector<std::string> packing_notes(const PlannedMethod& planned, CommentStyle style);

}  // namespace shinar::codegen
