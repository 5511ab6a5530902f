// In: a checked ir::Module.
// Out: what old codes need that know no modules: external subroutines in Fortran, their C, and
// include files of constants.
#pragma once

#include <memory>

#include "codegen/backend.hpp"

namespace shinar::backends {

std::unique_ptr<codegen::Backend> make_f77_backend();

}  // namespace shinar::backends
