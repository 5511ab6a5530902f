// sidlc: read, check, generate, write. All steps report to one Diagnostics, which is rendered at
// the end; nothing is written unless all steps succeed.

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <set>

#include "backends/registry.hpp"
#include "backends/sidl/sidl.hpp"
#include "codegen/splicers.hpp"
#include "diagnostics/render.hpp"
#include "driver/babel_make.hpp"
#include "driver/breaking.hpp"
#include "driver/classes.hpp"
#include "driver/compile.hpp"
#include "driver/contracts.hpp"
#include "driver/depfile.hpp"
#include "driver/exclude.hpp"
#include "driver/files.hpp"
#include "driver/format_files.hpp"
#include "driver/load.hpp"
#include "driver/new_project.hpp"
#include "driver/options.hpp"
#include "driver/originals.hpp"
#include "driver/output.hpp"
#include "driver/plugin.hpp"
#include "ir/binary.hpp"
#include "ir/json.hpp"

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
  bool load();
  void act(ir::Module module);
  bool generate(const ir::Module& module, FileSet& files);
  void run_backend(const codegen::Backend& backend, const ir::Module& module, FileSet& files);
  std::optional<std::string> read_impl(const std::string& folder, const std::string& path);
  void check_impl(const std::string& path, const std::string& text);
  void report(const codegen::Problem& problem);
  void report(const Source& impl, const std::vector<codegen::SplicerError>& errors);
  void write(const FileSet& files);
  void list_uses(const ir::Module& module);
  void emit(std::string text);
  void write_depfile(const std::vector<std::string>& targets);
  void print(const std::string& text);

  const Options& options_;
  Sources sources_;
  Program program_{sources_};
  Diagnostics diagnostics_;
  Originals originals_;
  std::set<std::string> renamed_;  // names of --rename found in Impl files
  bool is_formatted_ = true;       // false: --diff showed a difference
};

int Run::execute() {
  compile();
  // A list of changes is a result, and shown in full; of errors, the first few matter.
  const bool all = options_.action == Action::Breaking;
  const std::size_t limit = all ? diagnostics_.error_count() : kErrorLimit;
  const std::string report = options_.json_errors ? render_json(diagnostics_, sources_, limit)
                                                  : render_text(diagnostics_, sources_, limit);
  std::cerr << report << std::flush;
  return diagnostics_.has_errors() || !is_formatted_ ? kFailed : kOk;
}

void Run::compile() {
  if (options_.action == Action::Breaking) {
    return report_breaking_changes(options_, sources_, diagnostics_);
  }
  if (options_.action == Action::Format) {
    is_formatted_ = format_files(options_, sources_, diagnostics_);
    return;
  }
  if (options_.action == Action::New) {
    return new_project(options_.inputs.files[0], options_.language, sources_, diagnostics_);
  }
  if (!load()) return;
  if (options_.action == Action::Check) {
    analyze(program_.units(), diagnostics_);
    // If nothing is generated, the depfile itself is the target: its time is that of the check.
    if (!diagnostics_.has_errors()) write_depfile({options_.depfile});
    return;
  }
  std::optional<ir::Module> module = driver::compile(program_, diagnostics_);
  if (module) act(std::move(*module));
}

bool Run::load() {
  if (options_.stdin_name.empty()) return program_.load(options_.inputs, diagnostics_);
  Inputs inputs = options_.inputs;
  return name_standard_input(inputs, options_.stdin_name, diagnostics_) &&
         program_.load(inputs, diagnostics_);
}

void Run::act(ir::Module module) {
  exclude(module, options_.excludes);
  if (options_.list_uses) return list_uses(module);
  if (!check_classes(module, options_.classes, diagnostics_)) return;
  if (options_.action == Action::Emit) {
    std::string text = emitted(module, options_.emit);
    module.Clear();
    return emit(std::move(text));
  }
  if (options_.action == Action::Contracts) return print(contracts_text(module));
  FileSet files;
  const bool ok = options_.action == Action::Plugin
                      ? run_plugin({options_.plugin, options_.plugin_option, options_.output},
                                   std::move(module), files, diagnostics_)
                      : generate(module, files);
  if (ok && !diagnostics_.has_errors()) write(files);
}

bool Run::generate(const ir::Module& module, FileSet& files) {
  std::vector<const codegen::Backend*> list = backends::for_language(options_.language);
  if (options_.action == Action::Text) list = {backends::for_text("sidl")};
  for (const codegen::Backend* backend : list) {
    run_backend(*backend, module, files);
    if (diagnostics_.has_errors()) return false;
  }
  options_.renames.check(module, renamed_, diagnostics_);
  if (options_.makefile) {
    const std::string name = options_.make_prefix + "babel.make";
    files.add(options_.output, name,
              babel_make(files.paths_from(options_.output), options_.make_prefix), diagnostics_);
  }
  return !diagnostics_.has_errors();
}

// An Impl file that exists but cannot be read must not be taken for a missing one.
std::optional<std::string> Run::read_impl(const std::string& folder, const std::string& path) {
  const std::string full = (std::filesystem::path(folder) / path).string();
  std::string error;
  std::error_code ignored;
  const auto kind = std::filesystem::status(full, ignored).type();
  std::optional<std::string> text;
  if (kind == std::filesystem::file_type::fifo || kind == std::filesystem::file_type::character) {
    error = "it is not a regular file";
  } else {
    text = read_file(full, error);
  }
  if (!text && std::filesystem::exists(std::filesystem::symlink_status(full, ignored))) {
    diagnostics_.report(Code::CannotRead, std::nullopt, "cannot read '" + full + "': " + error);
  }
  return text;
}

// Reports a file without splicer marks: it is the user's own and must not be overwritten.
void Run::check_impl(const std::string& path, const std::string& text) {
  const bool is_blank = text.find_first_not_of(" \t\r\n") == std::string::npos;
  const codegen::SplicerFile file = codegen::parse_splicers(text);
  if (is_blank || !file.blocks.empty() || !file.errors.empty()) return;
  diagnostics_.report(Code::NoMarks, std::nullopt,
                      in_quotes(path) +
                          " has no splicer marks, and an Impl file is to be written there: move it "
                          "away, run sidlc again, and put its code between the marks");
}

void Run::run_backend(const codegen::Backend& backend, const ir::Module& module, FileSet& files) {
  namespace fs = std::filesystem;
  fs::path output = options_.output;
  if (options_.language_folders) output /= backend.language();
  const fs::path impl = options_.impl_dir.empty() ? output : fs::path(options_.impl_dir);
  const auto read = [&](const std::string& path) {
    std::optional<std::string> text = this->read_impl(impl.string(), path);
    return text || options_.vpath.empty() ? text : this->read_impl(options_.vpath, path);
  };
  const auto read_impl = [&](const std::string& path) {
    std::optional<std::string> text = read(path);
    if (text && fs::exists(impl / path)) check_impl((impl / path).string(), *text);
    return text;
  };
  const auto read_old_impl = [&](const std::string& path) {
    return options_.renames.read_old(path, read);
  };
  const codegen::Request request{module,         options_.action == Action::Server,
                                 options_.hooks, {options_.classes.begin(), options_.classes.end()},
                                 read_impl,      options_.renames.list(),
                                 read_old_impl};
  codegen::Result result = backend.generate(request);
  renamed_.merge(result.renamed);
  for (const codegen::Problem& problem : result.problems) report(problem);
  for (codegen::DamagedImpl& file : result.damaged) {
    const bool is_here = options_.vpath.empty() || fs::exists(impl / file.path);
    const fs::path folder = is_here ? impl : fs::path(options_.vpath);
    report(sources_.add((folder / file.path).string(), std::move(file.text)), file.errors);
  }
  for (codegen::GeneratedFile& file : result.files) {
    const fs::path& folder = file.is_impl ? impl : output;
    files.add(folder.string(), file.path, std::move(file.content), diagnostics_);
  }
  for (codegen::Replaced& file : result.replaced) {
    originals_.keep((impl / file.path).string(), std::move(file.text), file.line);
  }
}

void Run::report(const codegen::Problem& problem) {
  diagnostics_.report(problem.code, program_.place(problem.span), problem.message);
}

void Run::report(const Source& impl, const std::vector<codegen::SplicerError>& errors) {
  const auto span = [&](const codegen::SplicerLine& line) {
    return Span{impl.id(), static_cast<std::uint32_t>(line.begin),
                static_cast<std::uint32_t>(line.end)};
  };
  for (const codegen::SplicerError& error : errors) {
    Diagnostic& report = diagnostics_.report(Code::DamagedMarks, span(error.line), error.message);
    if (error.begun) report.note(span(*error.begun), "the block begins here");
  }
}

void Run::write(const FileSet& files) {
  if (options_.list_outputs) {
    std::string list;
    for (const std::string& path : files.paths()) list += path + "\n";
    print(list);
    return;
  }
  if (!originals_.write(diagnostics_) || !files.write(diagnostics_)) return;
  originals_.report(diagnostics_);
  write_depfile(files.paths());
}

void Run::write_depfile(const std::vector<std::string>& targets) {
  if (options_.depfile.empty() || diagnostics_.has_errors()) return;
  FileSet depfile;
  depfile.put(options_.depfile, make_rule(targets, program_.inputs()));
  depfile.write(diagnostics_);
}

// External types are in the module only if types that code is generated for depend on them.
void Run::list_uses(const ir::Module& module) {
  std::set<std::string> uses;
  for (const ir::Type& type : module.types()) {
    const std::string& file = module.files(static_cast<int>(type.span().file()));
    const bool is_included = std::ranges::count(options_.inputs.includes, file) > 0;
    if (type.external() && is_included) uses.insert(file);
  }
  std::string list;
  for (const std::string& file : uses) list += file + "\n";
  print(list);
}

void Run::emit(std::string text) {
  if (options_.output.empty()) {
    print(text);
    return write_depfile({options_.depfile});
  }
  FileSet file;
  file.put(options_.output, std::move(text));
  if (file.write(diagnostics_)) write_depfile(file.paths());
}

void Run::print(const std::string& text) {
  const std::string error = write_all(STDOUT_FILENO, text);
  if (error.empty()) return;
  diagnostics_.report(Code::CannotWrite, std::nullopt, "cannot write standard output: " + error);
}

// So that none of them becomes a file or a connection into which messages would be written. Using
// one that was closed still fails: it is opened for the other direction.
void occupy_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    if (::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) return;
  }
}

}  // namespace
}  // namespace shinar::driver

int main(int argc, char** argv) {
  using namespace shinar::driver;
  occupy_standard_descriptors();
  // A closed pipe or the file size limit is an error to report, not a reason to be killed.
  for (const int each : {SIGPIPE, SIGXFSZ}) ::signal(each, SIG_IGN);
  try {
    const auto options = read_options(argc, argv);
    if (const int* status = std::get_if<int>(&options)) return *status;
    return Run(std::get<Options>(options)).execute();
  } catch (const std::bad_alloc&) {
    std::cerr << "sidlc: error: out of memory" << std::endl;
    return kFailed;
  } catch (const std::exception& fault) {
    std::cerr << "sidlc: internal error: " << fault.what() << std::endl;
    return kFailed;
  }
}
