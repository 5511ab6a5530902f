// In: names of files, and texts to use for some of them, such as an editor's unsaved ones.
// Out: the diagnostics of sidlc --check, and the model. Nothing is written.
//
// For files with errors the model has the intact parts: the types whose names are known, with the
// members that can be parsed (model::Type::is_damaged: some may be missing).
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
