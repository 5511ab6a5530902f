// In: an error code as a user types it: "SIDL0401", "401".
// Out: its meaning, with an example, or nothing if there is no such code.
#pragma once

#include <string>

namespace shinar::driver {

std::string explain(const std::string& code);

}  // namespace shinar::driver
