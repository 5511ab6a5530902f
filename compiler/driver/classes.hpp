// In: the module and the names of --classes.
// Out: false, and a diagnostic, if one of them is not a class that this run can implement.
#pragma once

#include <string>
#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "ir/ir.hpp"

namespace shinar::driver {

bool check_classes(const ir::Module& module, const std::vector<std::string>& names,
                   Diagnostics& diagnostics);

}  // namespace shinar::driver
