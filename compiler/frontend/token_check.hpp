// In: the text of a file before it is parsed.
// Out: diagnostics for text that is no token and for nesting the parser should not follow.
#pragma once

#include "diagnostics/diagnostic.hpp"

namespace shinar {

// The parser never sees unknown characters and can go on. Returns false when parsing would only
// produce consequences of what was reported.
bool check_tokens(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
