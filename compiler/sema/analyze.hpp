// In: the ASTs of all files of a run.
// Out: the checked model. It is complete only when no errors were reported.
#pragma once

#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "frontend/ast.hpp"
#include "sema/model.hpp"

namespace shinar {

struct Unit {
  const ast::File* file;
  bool is_external = false;  // standard library or --include: refer to its types, generate nothing
};

// External units come first.
model::Model analyze(const std::vector<Unit>& units, Diagnostics& diagnostics);

}  // namespace shinar
