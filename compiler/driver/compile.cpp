#include "driver/compile.hpp"

#include "ir/build.hpp"
#include "ir/validate.hpp"
#include "sema/analyze.hpp"

namespace shinar::driver {

std::optional<ir::Module> compile(Program& program, Diagnostics& diagnostics) {
  model::Model model = analyze(program.units(), diagnostics);
  program.forget_units();
  if (diagnostics.has_errors()) return std::nullopt;
  ir::Module module = ir::build(std::move(model), program.sources(), program.files());
  // A fault here is a bug in sidlc: no output is better than output from a broken IR.
  const std::vector<std::string> faults = ir::validate(module);
  for (const std::string& fault : faults) {
    diagnostics.report(Code::GeneratorFailed, std::nullopt, "internal error: " + fault);
  }
  if (!faults.empty()) return std::nullopt;
  return module;
}

}  // namespace shinar::driver
