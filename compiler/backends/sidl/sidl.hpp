// In: the IR.
// Out: the types of the module that are not external, as SIDL text in the layout of this tree.
// Reading the text again gives the same IR but for the spans.
#pragma once

#include <memory>
#include <string>

#include "codegen/backend.hpp"

namespace shinar::backends {

std::string sidl_text(const ir::Module& module);

// One file for each outermost package.
std::unique_ptr<codegen::Backend> make_sidl_backend();

}  // namespace shinar::backends
