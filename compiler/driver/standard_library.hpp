// In: runtime/sidl/sidl.sidl, when sidlc is built.
// Out: its text, so that sidlc is one file and never looks for its own library.
#pragma once

#include <string_view>

namespace shinar::driver {

std::string_view standard_library();

}  // namespace shinar::driver
