// In: the bytes of a file, before anything else looks at them.
// Out: false if they are not text (too large, or with a zero byte); a diagnostic for the first byte
// that is not valid UTF-8, and for the first control character.
#pragma once

#include "diagnostics/diagnostic.hpp"

namespace shinar {

// Except white space.
bool is_control(char c);

bool check_text(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
