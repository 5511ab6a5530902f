#include "driver/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "backends/registry.hpp"
#include "ir/diff.hpp"

namespace shinar::driver {
namespace {

constexpr const char* kUsageText = "sidlc ACTION [OPTION]... FILE...";

constexpr const char* kDescription =
    "sidlc, the SIDL compiler of Shinar: checks SIDL files and generates the code that lets\n"
    "programs in different languages share objects.";

constexpr const char* kFooter = R"(
Examples:
  sidlc --check hello.sidl                          is it correct?
  sidlc --client=c -o gen hello.sidl                to call what hello.sidl describes from C
  sidlc --server=c++ -o gen --impl-dir src hello.sidl
                                                    to implement it in C++: glue code goes to
                                                    gen/, the files you fill in to src/
  sidlc --emit=sidl hello.sidl                      what sidlc understood, in tidy SIDL

LANG is c or c++ (also cxx), in any case. A server run generates the client files as well.
Files whose content does not change keep their time stamp; what you wrote between the splicer
comments of an Impl file is kept.

Exit status: 0 all is well, 1 an error in the input or the output, 2 a wrong command line.)";

constexpr const char* kActionGroup = "Actions (exactly one)";
constexpr const char* kInputGroup = "Input";
constexpr const char* kOutputGroup = "Output";
constexpr const char* kMessageGroup = "Messages";

struct Raw {
  Options options;
  std::string client;
  std::string server;
  std::string emit;
  std::string error_format = "text";
  std::vector<std::string> repositories;
  std::string output;
  bool check = false;
  bool breaking = false;
  std::string breaks = "source,binary,wire";
};

void declare_actions(CLI::App& app, Raw& raw) {
  app.add_option("-c,--client", raw.client, "Generate what callers in LANG need")
      ->type_name("LANG")
      ->group(kActionGroup);
  app.add_option("-s,--server", raw.server, "Generate what an implementation in LANG needs")
      ->type_name("LANG")
      ->group(kActionGroup);
  app.add_option("--plugin", raw.options.plugin,
                 "Run the generator sidlc-gen-NAME (or NAME, if it contains a slash)")
      ->type_name("NAME")
      ->group(kActionGroup);
  app.add_option("--emit", raw.emit,
                 "Print what sidlc understood: as tidy SIDL (sidl), as a compiled package for "
                 "other runs and tools (ir), or the same for people (ir-json)")
      ->type_name("FORMAT")
      ->group(kActionGroup);
  app.add_flag("-p,--check,--parse-check", raw.check, "Report errors, generate nothing")
      ->group(kActionGroup);
  app.add_flag("--breaking", raw.breaking,
               "List what in the second file or folder breaks users of the first")
      ->group(kActionGroup);
}

void declare_input(CLI::App& app, Raw& raw) {
  app.add_option("FILE", raw.options.inputs.files, "SIDL files; '-' is standard input")
      ->type_name("");
  app.add_option("-I,--include", raw.options.inputs.includes,
                 "SIDL file whose types may be used; nothing is generated for them")
      ->type_name("FILE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(kInputGroup);
  app.add_option("-R,--repository-path", raw.repositories,
                 "Folders of compiled packages (made by --emit=ir), with ';' between them; their "
                 "types may be used")
      ->type_name("DIR[;DIR...]")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(kInputGroup);
}

// Without empty parts.
std::vector<std::string> split(const std::string& list, char separator) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(separator, at), list.size());
    if (end > at) result.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

void declare_output(CLI::App& app, Raw& raw) {
  app.add_option("-o,--output-dir,--output-directory", raw.output,
                 "Folder for generated files (default: the current one); with --emit, a file")
      ->type_name("DIR")
      ->group(kOutputGroup);
  app.add_option("--impl-dir", raw.options.impl_dir,
                 "Folder for the Impl files you fill in (default: the output folder)")
      ->type_name("DIR")
      ->group(kOutputGroup);
  app.add_option("--plugin-option", raw.options.plugin_option, "Text handed to the plug-in")
      ->type_name("TEXT")
      ->group(kOutputGroup);
  app.add_flag("--list-outputs", raw.options.list_outputs,
               "Print the files that would be written, one per line, and write none")
      ->group(kOutputGroup);
  app.add_option("--depfile", raw.options.depfile,
                 "Write a make rule: generated files depend on input files")
      ->type_name("FILE")
      ->group(kOutputGroup);
}

void declare_messages(CLI::App& app, Raw& raw) {
  app.footer(kFooter);
  app.set_help_flag("-h,--help", "Print this text")->group(kMessageGroup);
  app.set_version_flag("-v,--version", "sidlc " SHINAR_VERSION, "Print the version")
      ->group(kMessageGroup);
  app.add_option("--breaks", raw.breaks,
                 "With --breaking: only what breaks these, of source, binary and wire")
      ->type_name("LIST")
      ->group(kMessageGroup);
  app.add_option("--error-format", raw.error_format, "text, or json for tools")
      ->type_name("FORMAT")
      ->group(kMessageGroup);
}

void declare(CLI::App& app, Raw& raw) {
  declare_actions(app, raw);
  declare_input(app, raw);
  declare_output(app, raw);
  declare_messages(app, raw);
}

bool read_format(const std::string& name, EmitFormat& format) {
  static constexpr std::pair<const char*, EmitFormat> kFormats[] = {
      {"sidl", EmitFormat::Sidl}, {"ir", EmitFormat::Ir}, {"ir-json", EmitFormat::IrJson}};
  for (const auto& [known, value] : kFormats) {
    if (name != known) continue;
    format = value;
    return true;
  }
  return false;
}

// What CLI11 cannot check; the answer is the complaint. One function for each group.
std::string finish_action(const CLI::App& app, Raw& raw) {
  Options& options = raw.options;
  const bool emit = app.count("--emit") > 0;
  const bool client = app.count("--client") > 0;
  const bool server = app.count("--server") > 0;
  const bool plugin = app.count("--plugin") > 0;
  const int actions =
      int{emit} + int{client} + int{server} + int{plugin} + int{raw.check} + int{raw.breaking};
  if (actions != 1) {
    return "exactly one of --client, --server, --plugin, --emit, --check and --breaking is needed";
  }
  options.action = emit           ? Action::Emit
                   : client       ? Action::Client
                   : server       ? Action::Server
                   : plugin       ? Action::Plugin
                   : raw.breaking ? Action::Breaking
                                  : Action::Check;
  if (emit && !read_format(raw.emit, options.emit)) {
    return "--emit knows sidl, ir and ir-json, not '" + raw.emit + "'";
  }
  options.language = client ? raw.client : raw.server;
  if ((client || server) && backends::for_language(options.language).empty()) {
    return "there is no back end for the language '" + options.language + "'; use c or c++";
  }
  if (plugin && options.plugin.empty()) return "--plugin needs a name";
  return {};
}

std::string finish_breaking(const CLI::App& app, Raw& raw) {
  if (!raw.breaking) {
    return app.count("--breaks") > 0 ? "--breaks needs --breaking" : std::string();
  }
  if (raw.options.inputs.files.size() != 2) {
    return "--breaking needs two files or folders: the old version and the new one";
  }
  for (std::string& name : split(raw.breaks, ',')) {
    const auto* found =
        std::ranges::find(ir::kBreakageNames, name, [](const auto& item) { return item.second; });
    if (found == std::end(ir::kBreakageNames)) {
      return "--breaks is a list of source, binary and wire, and knows no '" + name + "'";
    }
    raw.options.breaks |= found->first;
  }
  return {};
}

std::string finish_output(Raw& raw) {
  Options& options = raw.options;
  const bool emit = options.action == Action::Emit;
  const bool generates = options.action == Action::Client || options.action == Action::Server ||
                         options.action == Action::Plugin;
  if (!generates && options.list_outputs) return "--list-outputs needs a generating action";
  if (!generates && !options.depfile.empty()) return "--depfile needs a generating action";
  options.output = raw.output.empty() && !emit ? "." : raw.output;
  if (options.impl_dir.empty()) options.impl_dir = options.output;
  return {};
}

std::string finish(const CLI::App& app, Raw& raw) {
  if (std::string complaint = finish_action(app, raw); !complaint.empty()) return complaint;
  if (raw.options.inputs.files.empty()) return "no input files";
  for (const std::string& list : raw.repositories) {
    std::ranges::move(split(list, ';'), std::back_inserter(raw.options.inputs.repositories));
  }
  if (raw.error_format != "text" && raw.error_format != "json") {
    return "--error-format is text or json, not '" + raw.error_format + "'";
  }
  raw.options.json_errors = raw.error_format == "json";
  if (std::string complaint = finish_breaking(app, raw); !complaint.empty()) return complaint;
  return finish_output(raw);
}

int usage_error(const std::string& message) {
  std::cerr << "sidlc: " << message << "\nUsage: " << kUsageText
            << "\nTry 'sidlc --help' for more.\n";
  return kUsage;
}

}  // namespace

std::variant<Options, int> read_options(int argc, const char* const* argv) {
  CLI::App app(kDescription, "sidlc");
  Raw raw;
  declare(app, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help() << std::flush;
    return std::cout ? kOk : kFailed;
  } catch (const CLI::CallForVersion&) {
    std::cout << "sidlc " << SHINAR_VERSION << std::endl;
    return std::cout ? kOk : kFailed;
  } catch (const CLI::ParseError& error) {
    return usage_error(error.what());
  }
  const std::string complaint = finish(app, raw);
  if (!complaint.empty()) return usage_error(complaint);
  return std::move(raw.options);
}

}  // namespace shinar::driver
