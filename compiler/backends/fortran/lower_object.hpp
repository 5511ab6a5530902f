// In: a class or interface of the IR.
// Out: its stubs, generic names and, if it is implemented in Fortran, its skels.
#pragma once

#include <functional>
#include <vector>

#include "backends/fortran/lower.hpp"

namespace shinar::backends::fortran {

// Types whose module exports the interfaces of the C functions: interfaces, as every class that
// implements one has functions that look the same.
bool shares_functions(const ir::Type& type);

// `distances` are those of the stubs, by slot (StubInheritance). `knows`: whether the module that
// the type is in has what the module of another exports. `problems` gets names that clash.
ObjectModel lower_object(const codegen::TypeIndex& index, const ir::Type& type,
                         const std::vector<int>& distances,
                         std::function<bool(const ir::Type&)> knows, bool is_implemented,
                         bool has_hooks, std::vector<codegen::Problem>& problems);

}  // namespace shinar::backends::fortran
