// In: a literal of a contract.
// Out: the same in C. Integers are of 64 bits, real numbers double, complex ones sidl_dcomplex.
#pragma once

#include <string>

#include "ir/ir.hpp"

namespace shinar::codegen {

std::string c_literal(const ir::Expression& literal);
// Of an integer literal, as a real number.
std::string c_real_literal(const std::string& text);
// Of a negated literal: "-1"; the smallest integer has a name.
std::string c_negated_literal(const ir::Expression& literal);

}  // namespace shinar::codegen
