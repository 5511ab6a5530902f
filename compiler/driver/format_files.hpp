// In: SIDL files.
// Out: the same in the standard layout: on standard output, in place, or as a diff.
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "driver/options.hpp"

namespace shinar::driver {

// False if a difference was shown. Files with syntax errors are reported and left alone.
bool format_files(const Options& options, Sources& sources, Diagnostics& diagnostics);

}  // namespace shinar::driver
