// In: a literal of a contract as written.
// Out: its type; or Kind::Error, with a diagnostic, when it is none of SIDL's values.
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "frontend/ast.hpp"
#include "sema/model.hpp"

namespace shinar::sema {

// Not for `null`, `pure` and `result`, whose meaning depends on where they stand. `negated`: a
// minus stands before it, which makes room for the smallest int and the smallest long.
model::TypeRef literal_type(const ast::Expression& literal, bool negated, Diagnostics& diagnostics);

}  // namespace shinar::sema
