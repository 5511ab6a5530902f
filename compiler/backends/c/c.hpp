// In: the IR. Out: the C binding with Babel's names: <Type>.h with inline stubs, <package>.h, and
// for a server <Type>_Impl.h, <Type>_Impl.c and <Type>_Skel.c. See docs/ior.md.
#pragma once

#include <memory>

#include "codegen/backend.hpp"

namespace shinar::backends {

std::unique_ptr<codegen::Backend> make_c_backend();

}  // namespace shinar::backends
