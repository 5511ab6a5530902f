// In: the text of one SIDL file.
// Out: its AST. Errors are in the diagnostics by then; of a text that has some, the AST holds what
// is intact, and says where something is missing (is_damaged).
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "frontend/ast.hpp"

namespace shinar {

ast::File parse(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
