// In: two versions of an interface, each a file or a folder.
// Out: a diagnostic for each change that breaks users of the first.
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "driver/options.hpp"

namespace shinar::driver {

void report_breaking_changes(const Options& options, Sources& sources, Diagnostics& diagnostics);

}  // namespace shinar::driver
