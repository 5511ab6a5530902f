// In: a method with raw arrays.
// Out: the additional C++ overload, which takes sidl::array instead and computes index arguments
// from the lengths.
#pragma once

#include <string>
#include <vector>

#include "codegen/type_index.hpp"

namespace shinar::backends::cxx {

struct ArrayOverload {
  ir::Method method;                 // arrays instead of raw arrays, all else as it is
  std::vector<bool> is_computed;     // for each argument: it is no parameter
  std::vector<std::string> prelude;  // declares those that are computed
};

ArrayOverload array_overload(const ir::Method& method);

// The names of the arguments in C++.
std::vector<std::string> argument_names(const ir::Method& method);

// What distinguishes overloads: name and types of the parameters.
std::string overload_key(const ir::Method& method);
std::string array_overload_key(const ir::Method& method);

}  // namespace shinar::backends::cxx
