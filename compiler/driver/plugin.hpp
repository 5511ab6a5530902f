// In: the IR and the name of an out-of-tree generator.
// Out: the files it returned, by the protocol of sidl_plugin.proto.
#pragma once

#include <string>

#include "diagnostics/diagnostic.hpp"
#include "driver/output.hpp"
#include "ir/ir.hpp"

namespace shinar::driver {

struct PluginRun {
  std::string name;
  std::string option;
  std::string folder;  // for its files
};

bool run_plugin(const PluginRun& run, ir::Module module, FileSet& files, Diagnostics& diagnostics);

}  // namespace shinar::driver
