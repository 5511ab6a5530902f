// In: the tokens of a file before they are parsed.
// Out: diagnostics for text that is no token and for nesting the parser should not follow.
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "frontend/antlr.hpp"

namespace shinar {

// Unknown characters are reported and hidden from the parser, which can then go on. Returns false
// when parsing would only produce consequences of what was reported.
bool check_tokens(const Source& source, antlr4::CommonTokenStream& tokens,
                  Diagnostics& diagnostics);

}  // namespace shinar
