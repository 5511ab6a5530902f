// In: the text of one SIDL file.
// Out: its AST, with errors in the diagnostics. For a text with errors the AST contains the intact
// parts, and marks where something is missing (is_damaged).
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "frontend/ast.hpp"

namespace shinar {

ast::File parse(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
