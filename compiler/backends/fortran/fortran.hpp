// In: the IR. Out: the Fortran binding: a module for each package with the types' handles and
// stubs, and for a server <Type>_Impl.f90, <Type>_Skel.f90 and <Type>_Skel.c. See docs/fortran.md.
#pragma once

#include <memory>

#include "codegen/backend.hpp"

namespace shinar::backends {

std::unique_ptr<codegen::Backend> make_fortran_backend();

}  // namespace shinar::backends
