// In: expressions of the IR.
// Out: whether SIDL could have written those of a module from elsewhere, where what they mean is
// for analysis to check; and what they consist of.
#pragma once

#include "ir/ir.hpp"

namespace shinar::ir {

bool is_condition(const Expression& expression);  // of a contract
bool is_extent(const Expression& expression);     // of a raw array

// Whether an extent of a raw array is no number, but names an argument or a member.
bool names_variable(const TypeRef& type);

}  // namespace shinar::ir
