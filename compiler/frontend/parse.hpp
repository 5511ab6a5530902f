// In: the text of one SIDL file.
// Out: its AST, or nothing when the text has errors; those are in the diagnostics by then.
#pragma once

#include <optional>

#include "diagnostics/diagnostic.hpp"
#include "frontend/ast.hpp"

namespace shinar {

std::optional<ast::File> parse(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
