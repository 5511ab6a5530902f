// In: the name of a folder that is not there yet, and a language.
// Out: a project in it that builds and runs, the one of the language's tutorial.
#pragma once

#include <string>

#include "diagnostics/diagnostic.hpp"

namespace shinar::driver {

// Why a project, and with it its package, cannot have this name; empty: it can.
std::string refused_project(const std::string& folder, const std::string& language);

void new_project(const std::string& folder, const std::string& language, Sources& sources,
                 Diagnostics& diagnostics);

}  // namespace shinar::driver
