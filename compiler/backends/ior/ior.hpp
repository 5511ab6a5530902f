// In: the IR. Out: the IOR, <Type>_IOR.h and <Type>_IOR.c for every class, interface and struct:
// object layout, constant tables, remote stubs and dispatchers. See docs/ior.md.
#pragma once

#include <memory>

#include "codegen/backend.hpp"

namespace shinar::backends {

std::unique_ptr<codegen::Backend> make_ior_backend();

}  // namespace shinar::backends
