#include "driver/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <set>
#include <system_error>

#include "backends/registry.hpp"
#include "diagnostics/spelling.hpp"
#include "driver/babel_options.hpp"
#include "driver/completion.hpp"
#include "driver/exclude.hpp"
#include "driver/explain.hpp"
#include "driver/help.hpp"
#include "driver/new_project.hpp"
#include "ir/diff.hpp"

namespace shinar::driver {
namespace {

constexpr const char* kActionGroup = "Actions (exactly one)";
constexpr const char* kInputGroup = "Input";
constexpr const char* kOutputGroup = "Output";
constexpr const char* kMessageGroup = "Messages";
constexpr const char* kHelpGroup = "Help";

struct Raw {
  Options options;
  std::string client;
  std::string server;
  std::string project;
  std::string text;
  std::string emit;
  std::string error_format = "text";
  std::vector<std::string> renames;
  std::vector<std::string> classes;
  std::vector<std::string> repositories;
  std::string output;
  bool check = false;
  bool breaking = false;
  bool contracts = false;
  bool format = false;
  bool in_place = false;
  bool diff = false;
  std::string breaks = "source,binary,wire";
  std::string completion;
  std::string explain;
};

// Takes a value; `type` is its name in --help and, if it lists choices ("text|json"), what
// completion offers.
template <typename Value>
CLI::Option* value_option(CLI::App& app, const char* group, const std::string& names, Value& value,
                          const std::string& type, const std::string& description) {
  return app.add_option(names, value, wrapped(description))->type_name(type)->group(group);
}

// May be given more than once; takes one value each time.
void list_option(CLI::App& app, const char* group, const std::string& names,
                 std::vector<std::string>& value, const std::string& type,
                 const std::string& description) {
  value_option(app, group, names, value, type, description)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void flag(CLI::App& app, const char* group, const std::string& names, bool& value,
          const std::string& description) {
  app.add_flag(names, value, wrapped(description))->group(group);
}

void declare_actions(CLI::App& app, Raw& raw) {
  flag(app, kActionGroup, "-p,--check,--parse-check", raw.check,
       "Check the input and report errors; generate nothing");
  value_option(app, kActionGroup, "-c,--client", raw.client, joined(backends::languages(), "|"),
               "Generate client code (stubs) for a language");
  value_option(app, kActionGroup, "-s,--server", raw.server,
               joined(backends::server_languages(), "|"),
               "Generate server code (skeletons and Impl files) and client code for a language");
  value_option(
      app, kActionGroup, "--new", raw.project, joined(backends::server_languages(), "|"),
      "Create the directory FILE with a small project for a language that builds and runs");
  value_option(app, kActionGroup, "--plugin", raw.options.plugin, "NAME",
               "Run the generator sidlc-gen-NAME (or NAME, if it contains a slash)");
  value_option(
      app, kActionGroup, "--emit", raw.emit, "sidl|ir|ir-json",
      "Print the resolved input: as formatted SIDL (sidl), as a compiled package for use by "
      "-R and by tools (ir), or as a compiled package in readable JSON (ir-json)");
  value_option(app, kActionGroup, "-t,--text", raw.text, "sidl",
               "Write the resolved input as one SIDL file per package");
  flag(app, kActionGroup, "--breaking", raw.breaking,
       "Compare two versions, OLD and NEW (each a file or directory), and list the changes that "
       "break users of OLD");
  flag(app, kActionGroup, "--contracts", raw.contracts,
       "Print, for each class, the clauses that would be checked and what that costs");
}

void declare_format(CLI::App& app, Raw& raw) {
  flag(app, kActionGroup, "--format", raw.format,
       "Print the files in the standard layout; only white space and line breaks change");
  flag(app, kOutputGroup, "--in-place", raw.in_place, "With --format: rewrite the files in place");
  flag(app, kOutputGroup, "--diff", raw.diff,
       "With --format: show the changes as a diff, and exit with status 1 if there are any");
}

void declare_input(CLI::App& app, Raw& raw) {
  app.add_option("FILE", raw.options.inputs.files,
                 "SIDL files or compiled packages (.sidlir); '-': standard input")
      ->type_name("");
  value_option(
      app, kInputGroup, "--stdin-name", raw.options.stdin_name, "FILE",
      "Treat standard input ('-') as the contents of FILE (for editors with unsaved changes)");
  list_option(app, kInputGroup, "-I,--include", raw.options.inputs.includes, "FILE",
              "SIDL file whose types may be used, but for which no code is generated");
  list_option(app, kInputGroup, "-R,--repository-path", raw.repositories, "DIR[;DIR...]",
              "Directories of compiled packages (see --emit=ir) whose types may be used");
  list_option(app, kInputGroup, "-e,--exclude", raw.options.excludes, "REGEX",
              "Generate no code for types whose full name matches REGEX");
}

void declare_output(CLI::App& app, Raw& raw) {
  Options& options = raw.options;
  value_option(
      app, kOutputGroup, "-o,--output-dir,--output-directory", raw.output, "DIR",
      "Directory for generated files (default: current directory); with --emit, the output "
      "file (default: standard output)");
  value_option(app, kOutputGroup, "--impl-dir", options.impl_dir, "DIR",
               "Directory for Impl files, which you complete (default: the output directory)");
  list_option(
      app, kOutputGroup, "--classes", raw.classes, "NAME[;NAME...]",
      "With --server: generate implementations of these classes only; the other classes are "
      "implemented elsewhere");
  flag(app, kOutputGroup, "-i,--generate-hooks", options.hooks,
       "With --server: give every method two functions in its Impl file, which run before it and "
       "after it while hooks are switched on");
  value_option(app, kOutputGroup, "-V,--vpath", options.vpath, "DIR",
               "Directory to read existing Impl files from, if they are not yet in --impl-dir");
  list_option(app, kOutputGroup, "--rename", raw.renames, "OLD=NEW",
              "Class or method that was renamed: move its code in the Impl files to the new name");
  flag(app, kOutputGroup, "-l,--language-subdirs", options.language_folders,
       "Put files into one subdirectory per language: ior, c, cxx");
  value_option(app, kOutputGroup, "--plugin-option", options.plugin_option, "TEXT",
               "Text to pass to the plug-in");
  flag(app, kOutputGroup, "--list-outputs", options.list_outputs,
       "Print the names of the files that would be written, one per line; write nothing");
  flag(app, kOutputGroup, "--list-uses", options.list_uses,
       "Print the --include files whose types the generated code needs, one per line; write "
       "nothing");
  value_option(app, kOutputGroup, "--depfile", options.depfile, "FILE",
               "Write a make rule that lists the input files as dependencies of the output files");
  flag(app, kOutputGroup, "--makefile", options.makefile,
       "Write babel.make, which lists the generated files by purpose");
  value_option(app, kOutputGroup, "-m,--make-prefix", options.make_prefix, "TEXT",
               "Like --makefile, with TEXT as a prefix of the file name and the variable names");
}

void declare_messages(CLI::App& app, Raw& raw) {
  value_option(app, kMessageGroup, "--error-format", raw.error_format, "text|json",
               "Format of diagnostics: for people (text) or for tools (json)");
  value_option(
      app, kMessageGroup, "--breaks", raw.breaks, "LIST",
      "With --breaking: report only these kinds of breakage, a comma-separated list of source, "
      "binary and wire (default: all)");
  app.footer(kHelpFooter);
  app.set_help_flag("-h,--help", "Print this help")->group(kHelpGroup);
  app.set_version_flag("-v,--version", "sidlc " SHINAR_VERSION, "Print the version")
      ->group(kHelpGroup);
  value_option(app, kHelpGroup, "--explain", raw.explain, "CODE",
               "Explain an error code, such as SIDL0401, with an example");
  value_option(app, kHelpGroup, "--completion", raw.completion, joined(completion_shells(), "|"),
               "Print a completion script for a shell");
}

void declare(CLI::App& app, Raw& raw) {
  app.get_formatter()->column_width(kHelpColumn);
  declare_actions(app, raw);
  declare_input(app, raw);
  declare_format(app, raw);
  declare_output(app, raw);
  declare_messages(app, raw);
  declare_babel_options(app);
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

// "; did you mean 'fortran'?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& possible) {
  const std::optional<std::string> meant = closest(word, possible);
  return meant ? "; did you mean '" + *meant + "'?" : "";
}

// Checks that CLI11 cannot make; each returns an error text. One function per group.
std::string finish_action(const CLI::App& app, Raw& raw) {
  Options& options = raw.options;
  const std::pair<bool, Action> actions[] = {{app.count("--client") > 0, Action::Client},
                                             {app.count("--server") > 0, Action::Server},
                                             {app.count("--new") > 0, Action::New},
                                             {app.count("--plugin") > 0, Action::Plugin},
                                             {app.count("--emit") > 0, Action::Emit},
                                             {app.count("--text") > 0, Action::Text},
                                             {raw.check, Action::Check},
                                             {raw.breaking, Action::Breaking},
                                             {raw.contracts, Action::Contracts},
                                             {raw.format, Action::Format}};
  if (std::ranges::count(actions, true, &std::pair<bool, Action>::first) != 1) {
    return "specify exactly one of --check, --client, --server, --new, --plugin, --emit, --text, "
           "--breaking, --contracts "
           "and --format";
  }
  options.action = std::ranges::find(actions, true, &std::pair<bool, Action>::first)->second;
  options.language = options.action == Action::Client   ? raw.client
                     : options.action == Action::Server ? raw.server
                                                        : raw.project;
  const bool implements = options.action == Action::Server || options.action == Action::New;
  const bool has_language = options.action == Action::Client || implements;
  if (has_language && backends::for_language(options.language).empty()) {
    const std::string complaint = "no back end for language '" + options.language + "'";
    const std::vector<std::string> known =
        implements ? backends::server_languages() : backends::languages();
    const bool is_cpp = options.language == "cpp" || options.language == "cc";
    const std::string meant =
        is_cpp ? "; did you mean 'c++'?" : did_you_mean(options.language, known);
    return complaint + (meant.empty() ? "; use " + joined(known, " or ") : meant);
  }
  for (const codegen::Backend* backend : backends::for_language(options.language)) {
    if (implements && !backend->instead_of_server().empty()) {
      return "'" + options.language +
             "' is for clients only: " + std::string(backend->instead_of_server());
    }
  }
  if (options.action == Action::Plugin && options.plugin.empty()) return "--plugin needs a name";
  if (options.action == Action::Emit && !read_format(raw.emit, options.emit)) {
    return "--emit must be sidl, ir or ir-json, not '" + raw.emit + "'" +
           did_you_mean(raw.emit, {"sidl", "ir", "ir-json"});
  }
  if (options.action == Action::Text && raw.text != "sidl") {
    return "--text must be sidl, not '" + raw.text + "'" + did_you_mean(raw.text, {"sidl"});
  }
  return {};
}

std::string finish_input(const CLI::App& app, Raw& raw) {
  Inputs& inputs = raw.options.inputs;
  if (raw.options.action == Action::New) {
    if (inputs.files.size() != 1) return "--new needs the name of a folder";
    return refused_project(inputs.files[0], raw.options.language);
  }
  if (inputs.files.empty()) return "no input files";
  if (app.count("--stdin-name") > 0) {
    if (raw.breaking) return "--stdin-name cannot be used with --breaking";
    if (raw.options.stdin_name.empty()) return "--stdin-name needs a name";
    if (std::ranges::count(inputs.files, "-") == 0) {
      return "--stdin-name names standard input, but '-' is not among the input files";
    }
  }
  for (const std::string& list : raw.repositories) {
    // A folder's name may contain a semicolon.
    std::error_code none;
    const bool is_one = std::filesystem::is_directory(list, none);
    std::ranges::move(is_one ? std::vector{list} : split(list, ';'),
                      std::back_inserter(inputs.repositories));
  }
  return check_excludes(raw.options.excludes);
}

std::string finish_breaking(const CLI::App& app, Raw& raw) {
  if (!raw.breaking) return app.count("--breaks") > 0 ? "--breaks needs --breaking" : "";
  if (raw.options.inputs.files.size() != 2) {
    return "--breaking needs two files or directories: the old version and the new one";
  }
  for (const std::string& name : split(raw.breaks, ',')) {
    const auto* found =
        std::ranges::find(ir::kBreakageNames, name, [](const auto& item) { return item.second; });
    if (found == std::end(ir::kBreakageNames)) {
      return "--breaks must be a list of source, binary and wire; unknown: '" + name + "'" +
             did_you_mean(name, {"source", "binary", "wire"});
    }
    raw.options.breaks |= found->first;
  }
  return {};
}

std::string finish_format(Raw& raw) {
  if (raw.in_place && !raw.format) return "--in-place needs --format";
  if (raw.diff && !raw.format) return "--diff needs --format";
  if (raw.in_place && raw.diff) return "--in-place and --diff exclude each other";
  if (raw.in_place) raw.options.format = FormatTo::InPlace;
  if (raw.diff) raw.options.format = FormatTo::Diff;
  const bool has_stdin = std::ranges::count(raw.options.inputs.files, "-") > 0;
  return raw.in_place && has_stdin ? "--in-place cannot rewrite standard input" : "";
}

// What an option without effect would need to have one; empty: each has.
std::string find_useless(const CLI::App& app, Action action) {
  using enum Action;
  const std::set<Action> server{Server};
  const std::set<Action> plugin{Plugin};
  const std::set<Action> languages{Client, Server};
  const std::set<Action> generates{Client, Server, Plugin, Text};
  const std::set<Action> selects{Client, Server, Plugin, Text, Emit, Contracts};
  const std::set<Action> reads{Client, Server, Plugin, Text, Emit, Contracts, Check, Breaking};
  const std::set<Action> writes{Client, Server, Plugin, Text, Emit};
  const std::set<Action> depends{Client, Server, Plugin, Text, Emit, Check};
  const struct {
    const char* option;
    const std::set<Action>& actions;
    const char* needs;
  } uses[] = {{"--classes", server, "--server"},
              {"--generate-hooks", server, "--server"},
              {"--impl-dir", server, "--server"},
              {"--rename", server, "--server"},
              {"--vpath", server, "--server"},
              {"--language-subdirs", languages, "--client or --server"},
              {"--list-uses", languages, "--client or --server"},
              {"--make-prefix", languages, "--client or --server"},
              {"--makefile", languages, "--client or --server"},
              {"--list-outputs", generates, "a generating action"},
              {"--plugin-option", plugin, "--plugin"},
              {"--output-dir", writes, "an action that writes files"},
              {"--depfile", depends, "--check, --emit or a generating action"},
              {"--exclude", selects, "--contracts, --emit or a generating action"},
              {"--include", reads, "an action that looks at types"},
              {"--repository-path", reads, "an action that looks at types"}};
  for (const auto& use : uses) {
    if (app.count(use.option) > 0 && !use.actions.contains(action)) {
      return std::string(use.option) + " needs " + use.needs;
    }
  }
  return {};
}

std::string finish_output(const CLI::App& app, Raw& raw) {
  Options& options = raw.options;
  if (std::string complaint = find_useless(app, options.action); !complaint.empty()) {
    return complaint;
  }
  options.makefile = options.makefile || app.count("--make-prefix") > 0;
  for (const std::string& list : raw.classes) {
    std::ranges::move(split(list, ';'), std::back_inserter(options.classes));
  }
  for (const std::string& item : raw.renames) {
    if (!options.renames.add(item)) {
      return "--rename must be OLD=NEW, where both are names like demo.Solver or "
             "demo.Solver.solve, not '" +
             item + "'";
    }
  }
  options.output = raw.output.empty() && options.action != Action::Emit ? "." : raw.output;
  return {};
}

std::string finish(const CLI::App& app, Raw& raw) {
  if (std::string complaint = refuse_babel_options(app); !complaint.empty()) return complaint;
  if (std::string complaint = finish_action(app, raw); !complaint.empty()) return complaint;
  if (std::string complaint = finish_input(app, raw); !complaint.empty()) return complaint;
  if (std::string complaint = finish_breaking(app, raw); !complaint.empty()) return complaint;
  if (std::string complaint = finish_format(raw); !complaint.empty()) return complaint;
  if (raw.error_format != "text" && raw.error_format != "json") {
    return "--error-format must be text or json, not '" + raw.error_format + "'" +
           did_you_mean(raw.error_format, {"text", "json"});
  }
  raw.options.json_errors = raw.error_format == "json";
  return finish_output(app, raw);
}

// The error text for the first positional argument that looks like an option; empty: there is none.
std::string unknown_option(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* each : app.get_options()) {
    if (each->get_group().empty()) continue;
    for (const std::string& known : each->get_lnames()) names.push_back("--" + known);
  }
  for (const std::string& word : app.remaining()) {
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string name = word.substr(0, word.find('='));
    return "unknown option '" + name + "'" + did_you_mean(name, names);
  }
  return {};
}

int usage_error(const std::string& message) {
  std::cerr << "sidlc: " << message << "\nUsage: " << kUsageText
            << "\nTry 'sidlc --help' for more information.\n";
  return kUsage;
}

int answer(const std::string& text) {
  std::cout << text << std::flush;
  return std::cout ? kOk : kFailed;
}

// --explain and --completion are handled at once, like --help.
std::optional<int> answer_questions(const CLI::App& app, const Raw& raw) {
  if (app.count("--explain") > 0) {
    const std::string text = explain(raw.explain);
    return text.empty() ? usage_error("there is no error code '" + raw.explain + "'")
                        : answer(text);
  }
  if (app.count("--completion") > 0) {
    const std::string script = completion_script(app, raw.completion);
    return script.empty()
               ? usage_error("--completion must be " + joined(completion_shells(), " or ") +
                             ", not '" + raw.completion + "'" +
                             did_you_mean(raw.completion, completion_shells()))
               : answer(script);
  }
  return std::nullopt;
}

// "--client=": the command line parser would take the next word, which is meant as a file.
std::string option_without_value(int argc, const char* const* argv) {
  static constexpr std::string_view kNeedValues[] = {
      "--client=", "--server=", "--new=", "--emit=", "--text=", "--plugin="};
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") break;
    if (std::ranges::count(kNeedValues, word) > 0) {
      return std::string(word.substr(0, word.size() - 1)) + " needs a value";
    }
  }
  return {};
}

}  // namespace

std::variant<Options, int> read_options(int argc, const char* const* argv) {
  CLI::App app(kHelpHeader, "sidlc");
  Raw raw;
  declare(app, raw);
  const std::string lack = option_without_value(argc, argv);
  if (!lack.empty()) return usage_error(lack);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return answer(app.help());
  } catch (const CLI::CallForVersion&) {
    return answer("sidlc " SHINAR_VERSION "\n");
  } catch (const CLI::ParseError& error) {
    const std::string unknown = unknown_option(app);
    return usage_error(unknown.empty() ? error.what() : unknown);
  }
  if (const std::optional<int> status = answer_questions(app, raw)) return *status;
  const std::string complaint = finish(app, raw);
  if (!complaint.empty()) return usage_error(complaint);
  return std::move(raw.options);
}

}  // namespace shinar::driver
