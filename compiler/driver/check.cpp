#include "driver/check.hpp"

namespace shinar::driver {

Checked check(const Inputs& inputs) {
  Checked result;
  Program program(result.sources);
  program.load(inputs, result.diagnostics);
  result.model = analyze(program.units(), result.diagnostics);
  return result;
}

}  // namespace shinar::driver
