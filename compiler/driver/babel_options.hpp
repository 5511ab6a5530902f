// In: a command line that was written for Babel.
// Out: options of Babel's that say what sidlc does anyway are accepted, those it cannot honour
// refused with a reason. None is ignored in silence.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace shinar::driver {

void declare_babel_options(CLI::App& app);

// The complaint about one that is there and cannot be honoured; usually empty.
std::string refuse_babel_options(const CLI::App& app);

}  // namespace shinar::driver
