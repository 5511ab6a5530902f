// In: a checked ir::Module.
// Out: Java sources, a file for each type, and for each outermost package the C code that they call
// (<top>_java.c); a server run adds the Impl files and what makes them classes.
#pragma once

#include <memory>

#include "codegen/backend.hpp"

namespace shinar::backends {

std::unique_ptr<codegen::Backend> make_java_backend();

}  // namespace shinar::backends
