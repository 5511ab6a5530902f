// In: the diagnostics of a run and its sources.
// Out: text for people (message, source line, underline) or JSON for tools.
#pragma once

#include <string>

#include "diagnostics/diagnostic.hpp"

namespace shinar {

// Errors beyond this many are counted, not shown.
inline constexpr std::size_t kErrorLimit = 20;

std::string render_text(const Diagnostics& diagnostics, const Sources& sources,
                        std::size_t limit = kErrorLimit);

// One array of objects {severity, code, message, file, line, column, end_line, end_column, notes,
// fix} and the diagnostic's facts; the position fields are omitted if there is no place.
std::string render_json(const Diagnostics& diagnostics, const Sources& sources,
                        std::size_t limit = kErrorLimit);

}  // namespace shinar
