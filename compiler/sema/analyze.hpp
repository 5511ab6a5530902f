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
  bool is_kept = false;      // the AST is wanted afterwards
};

// External units come first. What the model has of an AST goes from it, type by type: of a large
// program there is room for one of the two.
model::Model analyze(const std::vector<Unit>& units, Diagnostics& diagnostics);

}  // namespace shinar
