// In: an expression of a contract.
// Out: the same in C.
#pragma once

#include <string>
#include <vector>

#include "codegen/type_index.hpp"

namespace shinar::backends::ior {

// Where an expression is evaluated.
struct ClauseScope {
  const codegen::TypeIndex& index;
  const ir::Type& type;                // the class whose functions these are
  const ir::Type& declared_in;         // the type that declares the clause
  std::vector<std::string> arguments;  // as C expressions for their values
};

bool is_array(const ir::TypeRef& type);  // raw ones included

// The C expression for a condition.
std::string c_condition(const ClauseScope& scope, const ir::Expression& expression);

}  // namespace shinar::backends::ior
