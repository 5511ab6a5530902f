// In: a module, as a compiled package has it, and which of its types are wanted.
// Out: the declarations that the front end would read in their text, so that analysis takes them as
// it takes all others, and checks them against these.
//
// A module from elsewhere may hold anything. Its names and literals are those of SIDL, or there is
// a fault; what they mean is for analysis to check.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast.hpp"
#include "ir/ir.hpp"

namespace shinar::ir {

struct Restored {
  ast::File file;
  // The declarations as people read them; spans are places in it. Nobody parses it.
  std::string text;
  std::string fault;  // the first thing that is no SIDL; empty: there is none
};

// The types that `module` has of its own, with their packages. `source` is the number of the text
// among the sources.
Restored restore(const Module& module, std::uint32_t source);

// Some types of one package, and no more of the packages around it than their names. Whether it is
// final is left out: that is about files, and this is none.
Restored restore(const Module& module, std::string_view package,
                 const std::vector<const Type*>& types, std::uint32_t source);

}  // namespace shinar::ir
