// In: a checked ir::Module.
// Out: for each SIDL package a Python package, and for each outermost one the extension module it
// stands on; a server run adds the Impl files and what makes them classes.
#pragma once

#include <memory>

#include "codegen/backend.hpp"

namespace shinar::backends {

std::unique_ptr<codegen::Backend> make_python_backend();

}  // namespace shinar::backends
