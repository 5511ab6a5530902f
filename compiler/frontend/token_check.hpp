// In: the text of a file before it is parsed.
// Out: diagnostics for text that is no token and for nesting the parser should not follow.
#pragma once

#include "diagnostics/diagnostic.hpp"

namespace shinar {

// The parser never sees unknown characters and can go on. Returns false when the text is beyond the
// limits and must not be parsed.
bool check_tokens(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
