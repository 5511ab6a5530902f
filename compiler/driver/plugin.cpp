#include "driver/plugin.hpp"

#include "driver/process.hpp"

namespace shinar::driver {

bool run_plugin(const PluginRun& run, ir::Module module, FileSet& files, Diagnostics& diagnostics) {
  const bool is_path = run.name.find('/') != std::string::npos;
  const std::string program = is_path ? run.name : "sidlc-gen-" + run.name;
  const auto fail = [&](Code code, const std::string& text) {
    diagnostics.report(code, std::nullopt, text);
    return false;
  };

  ir::GeneratorRequest request;
  *request.mutable_module() = std::move(module);
  request.set_parameter(run.option);
  request.set_compiler_version(SHINAR_VERSION);
  const ProcessResult process = run_process(program, request.SerializeAsString());
  if (!process.error.empty()) {
    const std::string where = is_path ? "" : " (it is searched for in PATH)";
    return fail(Code::PluginFailed,
                "the plug-in '" + program + "' failed: " + process.error + where);
  }
  ir::GeneratorResponse response;
  if (!response.ParseFromString(process.output)) {
    return fail(Code::PluginFailed,
                "the plug-in '" + program + "' did not answer with a valid GeneratorResponse");
  }
  if (!response.error().empty()) return fail(Code::GeneratorFailed, response.error());
  for (const ir::GeneratedFile& file : response.files()) {
    if (!files.add(run.folder, file.name(), file.content(), diagnostics)) return false;
  }
  return true;
}

}  // namespace shinar::driver
