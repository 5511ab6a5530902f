// In: an error code as a person writes it: "SIDL0401", "401".
// Out: what it means, with an example, or nothing when there is no such code.
#pragma once

#include <string>

namespace shinar::driver {

std::string explain(const std::string& code);

}  // namespace shinar::driver
