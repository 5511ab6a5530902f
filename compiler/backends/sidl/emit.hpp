// In: the lowered module.
// Out: SIDL text.
#pragma once

#include <string>

#include "backends/sidl/lower.hpp"

namespace shinar::backends::sidl {

std::string emit(const FileModel& file, const Spelling& spelling);

}  // namespace shinar::backends::sidl
