// In: the text of a SIDL file.
// Out: diagnostics for unmatched splicer marks, which tools leave in comments of SIDL files
// (DO-NOT-DELETE splicer.begin(name) … splicer.end(name)).
#pragma once

#include "diagnostics/diagnostic.hpp"

namespace shinar {

void check_splicer_marks(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
