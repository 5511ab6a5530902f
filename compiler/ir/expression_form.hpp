// In: an expression of a module from elsewhere.
// Out: whether SIDL could have written it; what it means is for analysis to check.
#pragma once

#include "ir/ir.hpp"

namespace shinar::ir {

bool is_condition(const Expression& expression);  // of a contract
bool is_extent(const Expression& expression);     // of a raw array

}  // namespace shinar::ir
