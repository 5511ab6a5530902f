// In: the IR. Out: the C++ binding: header-only stubs <Type>.hxx, <package>.hxx, and for a server
// <Type>_Impl.hxx, <Type>_Impl.cxx and <Type>_Skel.cxx. See docs/ior.md.
#pragma once

#include <memory>

#include "codegen/backend.hpp"

namespace shinar::backends {

std::unique_ptr<codegen::Backend> make_cxx_backend();

}  // namespace shinar::backends
