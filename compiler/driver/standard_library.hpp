// In: runtime/sidl/sidl.sidl, embedded at build time.
// Out: its text, so that sidlc is a single file and needs no path to its own library.
#pragma once

#include <string_view>

namespace shinar::driver {

std::string_view standard_library();

}  // namespace shinar::driver
