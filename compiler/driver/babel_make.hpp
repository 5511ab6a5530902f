// In: the files of one run.
// Out: babel.make, the list of them by purpose that Babel's makefiles include.
#pragma once

#include <string>
#include <vector>

namespace shinar::driver {

// `paths` are written as given; `prefix` goes before each variable.
std::string babel_make(const std::vector<std::string>& paths, const std::string& prefix);

}  // namespace shinar::driver
