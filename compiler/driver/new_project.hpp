// In: the name of a folder that is not there yet, and a language.
// Out: a project in it that builds and runs, the one of the language's tutorial.
#pragma once

#include <string>

#include "diagnostics/diagnostic.hpp"

namespace shinar::driver {

// Whether a project, and its package, can have this name: letters and digits.
bool is_project_name(const std::string& folder);

void new_project(const std::string& folder, const std::string& language, Sources& sources,
                 Diagnostics& diagnostics);

}  // namespace shinar::driver
