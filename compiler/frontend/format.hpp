// In: the text of a SIDL file.
// Out: the same tokens and comments in the standard layout (docs/guide.md), or nothing if the file
// has syntax errors, which are in the diagnostics.
#pragma once

#include <optional>
#include <string>

#include "diagnostics/diagnostic.hpp"

namespace shinar {

std::optional<std::string> format(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
