// In: names of files, and texts that stand for some of them, as an editor holds them.
// Out: what sidlc --check says of them, and the model. Nothing is written.
//
// Of files with errors the model has what is intact: the types whose names are known, with the
// members that can be read (model::Type::is_damaged: some may be missing).
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "driver/load.hpp"
#include "sema/model.hpp"

namespace shinar::driver {

struct Checked {
  Sources sources;
  Diagnostics diagnostics;
  model::Model model;
};

Checked check(const Inputs& inputs);

}  // namespace shinar::driver
