// In: a command line that was written for Babel.
// Out: Babel's options for what sidlc does anyway are accepted, those it cannot honour rejected
// with a reason. None is silently ignored.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace shinar::driver {

void declare_babel_options(CLI::App& app);

// The error text for a given option that cannot be honoured; usually empty.
std::string refuse_babel_options(const CLI::App& app);

}  // namespace shinar::driver
