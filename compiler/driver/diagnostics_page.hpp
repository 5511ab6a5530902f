// In: docs/diagnostics.md, when sidlc is built.
// Out: its text, for --explain.
#pragma once

#include <string_view>

namespace shinar::driver {

std::string_view diagnostics_page();

}  // namespace shinar::driver
