// In: the bytes of a file, before anything else looks at them.
// Out: true when they are text (valid UTF-8 without control characters); otherwise a diagnostic.
#pragma once

#include "diagnostics/diagnostic.hpp"

namespace shinar {

bool check_text(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
