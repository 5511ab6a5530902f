// In: a program that was read.
// Out: its IR, or nothing when it has errors; those are in the diagnostics by then.
#pragma once

#include <optional>

#include "diagnostics/diagnostic.hpp"
#include "driver/load.hpp"
#include "ir/ir.hpp"

namespace shinar::driver {

std::optional<ir::Module> compile(Program& program, Diagnostics& diagnostics);

}  // namespace shinar::driver
