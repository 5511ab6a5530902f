// In: the text of a SIDL file.
// Out: the same tokens and comments in the layout all SIDL files share (docs/guide.md), or nothing
// when the file has syntax errors; those are in the diagnostics by then.
#pragma once

#include <optional>
#include <string>

#include "diagnostics/diagnostic.hpp"

namespace shinar {

std::optional<std::string> format(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
