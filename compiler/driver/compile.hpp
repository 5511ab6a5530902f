// In: a loaded program.
// Out: its IR, or nothing if it has errors, which are then in the diagnostics.
#pragma once

#include <optional>

#include "diagnostics/diagnostic.hpp"
#include "driver/load.hpp"
#include "ir/ir.hpp"

namespace shinar::driver {

std::optional<ir::Module> compile(Program& program, Diagnostics& diagnostics);

}  // namespace shinar::driver
