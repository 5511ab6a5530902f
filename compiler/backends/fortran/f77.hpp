// In: a checked ir::Module.
// Out: the interface for old codes without modules: external subroutines in Fortran, their C, and
// include files of constants.
#pragma once

#include <memory>

#include "codegen/backend.hpp"

namespace shinar::backends {

std::unique_ptr<codegen::Backend> make_f77_backend();

}  // namespace shinar::backends
