// In: docs/diagnostics.md, embedded at build time.
// Out: its text, for --explain.
#pragma once

#include <string_view>

namespace shinar::driver {

std::string_view diagnostics_page();

}  // namespace shinar::driver
