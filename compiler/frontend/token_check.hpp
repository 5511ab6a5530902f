// In: the text of a file before it is parsed.
// Out: diagnostics for text that is not a token and for nesting too deep for the parser.
#pragma once

#include "diagnostics/diagnostic.hpp"

namespace shinar {

// The parser does not see unknown characters. Returns false if the text exceeds the limits and must
// not be parsed.
bool check_tokens(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
