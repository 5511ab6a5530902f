// In: a method of a class that is generated with hooks.
// Out: its hooks, as methods: `void m_pre(in and inout arguments)`, which runs before the method
// while hooks are switched on, and `void m_post(all arguments, the result)`, which runs after it.
// All arguments are `in`. The IOR has neither: the skeleton calls them.
#pragma once

#include <vector>

#include "codegen/backend.hpp"

namespace shinar::codegen {

// The name of the last argument of m_post; no SIDL name begins with '_'.
inline constexpr const char* kHookResult = "_retval";

struct Hooks {
  ir::Method before;
  ir::Method after;
};

Hooks hooks_of(const ir::Method& method);

// Methods of implemented classes whose names are those of hooks.
std::vector<Problem> find_hook_clashes(const Request& request);

}  // namespace shinar::codegen
