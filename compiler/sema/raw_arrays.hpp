// In: raw arrays among the arguments of a method or the members of a struct.
// Out: their types and extents; each extent depends on one integer argument or member.
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "sema/model.hpp"

namespace shinar::sema {

// `method.arguments` and `type.members` run parallel to those of the tree.
void fill_raw_arguments(const ast::Method& tree, model::Method& method, Diagnostics& diagnostics);
void fill_raw_members(const ast::Struct& tree, model::Type& type, Diagnostics& diagnostics);

}  // namespace shinar::sema
