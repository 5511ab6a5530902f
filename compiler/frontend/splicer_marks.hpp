// In: the text of a SIDL file.
// Out: diagnostics for comments that mark splicer blocks, as tools leave them in SIDL files
// (DO-NOT-DELETE splicer.begin(name) … splicer.end(name)), and do not match each other.
#pragma once

#include "diagnostics/diagnostic.hpp"

namespace shinar {

void check_splicer_marks(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
