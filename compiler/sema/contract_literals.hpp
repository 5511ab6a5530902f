// In: a literal of a contract as written.
// Out: its type; or Kind::Error, with a diagnostic, if it is not a SIDL value.
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "frontend/ast.hpp"
#include "sema/model.hpp"

namespace shinar::sema {

// Not for `null`, `pure` and `result`, whose meaning depends on the context. `negated`: a minus
// precedes it, which allows the smallest int and long.
model::TypeRef literal_type(const ast::Expression& literal, bool negated, Diagnostics& diagnostics);

}  // namespace shinar::sema
