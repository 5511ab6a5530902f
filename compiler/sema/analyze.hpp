// In: the ASTs of all files of a run.
// Out: the checked model. It is complete only when no errors were reported.
#pragma once

#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "frontend/ast.hpp"
#include "sema/model.hpp"

namespace shinar {

struct Unit {
  ast::File* file;
  bool is_external = false;  // standard library or --include: refer to its types, generate nothing
  bool is_kept = false;      // the AST is needed afterwards
};

// External units must come first. Parts of an AST are freed, type by type, once they are in the
// model, as memory may not suffice for both.
model::Model analyze(const std::vector<Unit>& units, Diagnostics& diagnostics);

}  // namespace shinar
