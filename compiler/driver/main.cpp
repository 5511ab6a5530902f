// sidlc: read, check, generate, write. Each step leaves its complaints in one Diagnostics, which
// is rendered at the end; nothing is written unless everything before went well.

#include <signal.h>
#include <unistd.h>

#include <exception>
#include <iostream>

#include "backends/registry.hpp"
#include "backends/sidl/sidl.hpp"
#include "diagnostics/render.hpp"
#include "driver/depfile.hpp"
#include "driver/files.hpp"
#include "driver/load.hpp"
#include "driver/options.hpp"
#include "driver/output.hpp"
#include "driver/plugin.hpp"
#include "ir/binary.hpp"
#include "ir/build.hpp"
#include "ir/json.hpp"
#include "ir/validate.hpp"

namespace shinar::driver {
namespace {

std::string emitted(const ir::Module& module, EmitFormat format) {
  switch (format) {
    case EmitFormat::Sidl:
      return backends::sidl_text(module);
    case EmitFormat::Ir:
      return ir::to_binary(module);
    case EmitFormat::IrJson:
      return ir::to_json(module);
  }
  return {};
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options) {}

  int execute();

 private:
  void compile();
  bool check_ir(const ir::Module& module);
  void act(ir::Module module);
  bool generate(const ir::Module& module, FileSet& files);
  void report(const codegen::Problem& problem);
  void write(const FileSet& files);
  void emit(const std::string& text);
  void print(const std::string& text);

  const Options& options_;
  Program program_;
  Diagnostics diagnostics_;
};

int Run::execute() {
  compile();
  const std::string report = options_.json_errors ? render_json(diagnostics_, program_.sources())
                                                  : render_text(diagnostics_, program_.sources());
  std::cerr << report << std::flush;
  return diagnostics_.has_errors() ? kFailed : kOk;
}

void Run::compile() {
  if (!program_.load(options_, diagnostics_)) return;
  const model::Model model = analyze(program_.units(), diagnostics_);
  if (diagnostics_.has_errors() || options_.action == Action::Check) return;
  ir::Module module = ir::build(model, program_.sources(), program_.files());
  if (check_ir(module)) act(std::move(module));
}

// A fault here is ours, not the user's: better no output than output made from a broken IR.
bool Run::check_ir(const ir::Module& module) {
  const std::vector<std::string> faults = ir::validate(module);
  for (const std::string& fault : faults) {
    diagnostics_.report(Code::GeneratorFailed, std::nullopt, "internal error: " + fault);
  }
  return faults.empty();
}

void Run::act(ir::Module module) {
  if (options_.action == Action::Emit) return emit(emitted(module, options_.emit));
  FileSet files;
  const bool ok = options_.action == Action::Plugin
                      ? run_plugin({options_.plugin, options_.plugin_option, options_.output},
                                   std::move(module), files, diagnostics_)
                      : generate(module, files);
  if (ok && !diagnostics_.has_errors()) write(files);
}

bool Run::generate(const ir::Module& module, FileSet& files) {
  const auto read_impl = [&](const std::string& path) {
    std::string ignored;
    return read_file(options_.impl_dir + "/" + path, ignored);
  };
  const codegen::Request request{module, options_.action == Action::Server, read_impl};
  for (const codegen::Backend* backend : backends::for_language(options_.language)) {
    codegen::Result result = backend->generate(request);
    for (const codegen::Problem& problem : result.problems) report(problem);
    for (const std::string& error : result.errors) {
      diagnostics_.report(Code::GeneratorFailed, std::nullopt, error);
    }
    for (codegen::GeneratedFile& file : result.files) {
      const std::string& folder = file.is_impl ? options_.impl_dir : options_.output;
      files.add(folder, file.path, std::move(file.content), diagnostics_);
    }
    if (diagnostics_.has_errors()) break;
  }
  return !diagnostics_.has_errors();
}

void Run::report(const codegen::Problem& problem) {
  std::optional<Span> place;
  if (problem.span.line() > 0) {
    const Source& source = program_.sources()[program_.files()[problem.span.file()]];
    place = Span{source.id(), source.offset({problem.span.line(), problem.span.column()}),
                 source.offset({problem.span.end_line(), problem.span.end_column()})};
  }
  diagnostics_.report(problem.code, place, problem.message);
}

void Run::write(const FileSet& files) {
  if (options_.list_outputs) {
    std::string list;
    for (const std::string& path : files.paths()) list += path + "\n";
    print(list);
    return;
  }
  if (!files.write(diagnostics_) || options_.depfile.empty()) return;
  FileSet depfile;
  depfile.put(options_.depfile, make_rule(files.paths(), program_.inputs()));
  depfile.write(diagnostics_);
}

void Run::emit(const std::string& text) {
  if (options_.output.empty()) {
    print(text);
    return;
  }
  FileSet file;
  file.put(options_.output, text);
  file.write(diagnostics_);
}

void Run::print(const std::string& text) {
  const std::string error = write_all(STDOUT_FILENO, text);
  if (error.empty()) return;
  diagnostics_.report(Code::CannotWrite, std::nullopt, "cannot write standard output: " + error);
}

}  // namespace
}  // namespace shinar::driver

int main(int argc, char** argv) {
  using namespace shinar::driver;
  // A reader that goes away is an error to report, not a reason to die.
  ::signal(SIGPIPE, SIG_IGN);
  try {
    const auto options = read_options(argc, argv);
    if (const int* status = std::get_if<int>(&options)) return *status;
    return Run(std::get<Options>(options)).execute();
  } catch (const std::exception& fault) {
    std::cerr << "sidlc: internal error: " << fault.what() << std::endl;
    return kFailed;
  }
}
