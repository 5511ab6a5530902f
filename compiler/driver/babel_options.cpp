#include "driver/babel_options.hpp"

#include <CLI/CLI.hpp>

namespace shinar::driver {
namespace {

// Options for what sidlc does anyway.
constexpr const char* kAccepted[] = {"-E,--exclude-external", "--suppress-timestamp",
                                     "--no-default-repository", "--comment-local-only"};

struct Refused {
  const char* names;
  const char* option;  // one of the names
  bool takes_value;
  const char* reason;
};

constexpr Refused kRefused[] = {
    {"-g,--generate-subdirs", "--generate-subdirs", false,
     "is not supported: file names include the package name; see --language-subdirs"},
    {"--short-file-names", "--short-file-names", false, "is not supported: file names are fixed"},
    {"-u,--hide-glue", "--hide-glue", false,
     "is not supported: put the Impl files into a directory of their own with --impl-dir"},
    {"--include-referenced", "--include-referenced", false,
     "is not supported: list the files of the referenced types on the command line"},
    {"--multi", "--multi", false, "is not supported: run sidlc once for each action"},
    {"--reset", "--reset", false, "is not supported: run sidlc once for each action"},
    {"--timestamp", "--timestamp", false,
     "is not supported: the same input always generates identical files"},
    {"--suppress-ior", "--suppress-ior", false,
     "is not supported: leave out the files you do not need (--list-outputs names them)"},
    {"--suppress-stubs", "--suppress-stubs", false,
     "is not supported: leave out the files you do not need (--list-outputs names them)"},
    {"--suppress-contracts", "--suppress-contracts", false,
     "is not supported: whether contracts are enforced is decided at run time"},
    {"-x,--cxx-ior-exception", "--cxx-ior-exception", false,
     "is not supported: calling a method on a null object always throws"},
    {"--rename-splicers", "--rename-splicers", false,
     "is not supported: use --rename OLD=NEW to keep the code of a renamed class or method"},
    {"--cca-mode", "--cca-mode", false,
     "is not supported: sidlc has no support for CCA components"},
    {"--strict-provenance", "--strict-provenance", false, "is not supported"},
    {"-f,--fast-call", "--fast-call", false, "is not supported: all calls are direct"},
    {"--generate-sidl-stdlib", "--generate-sidl-stdlib", false,
     "is not supported: the standard library is installed with Shinar"},
    {"-T,--touch", "--touch", true, "is not supported: see --depfile"},
};

}  // namespace

void declare_babel_options(CLI::App& app) {
  const std::string hidden;
  for (const char* names : kAccepted) app.add_flag(names)->group(hidden);
  for (const Refused& item : kRefused) {
    if (item.takes_value) {
      app.add_option(item.names)->group(hidden);
    } else {
      app.add_flag(item.names)->group(hidden);
    }
  }
}

std::string refuse_babel_options(const CLI::App& app) {
  for (const Refused& item : kRefused) {
    if (app.count(item.option) > 0) return std::string(item.option) + " " + item.reason;
  }
  return {};
}

}  // namespace shinar::driver
