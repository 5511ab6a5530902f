// In: the IR.
// Out: the types of the module that are not external, as SIDL text in the layout of this tree.
// Reading the text again gives the same IR but for the spans.
#pragma once

#include <memory>
#include <string>

#include "codegen/backend.hpp"

namespace shinar::backends {

enum class Naming {
  // For people: as short as it can be, and a `require` for each foreign package.
  Shortest,
  // For sidlc itself: ".demo.Norm", which nothing can capture, and no `require`.
  Absolute
};

std::string sidl_text(const ir::Module& module, Naming naming = Naming::Shortest);

// One file for each outermost package.
std::unique_ptr<codegen::Backend> make_sidl_backend();

}  // namespace shinar::backends
