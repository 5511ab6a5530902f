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
    {"--generate-hooks", "--generate-hooks", false,
     "is not supported yet: nothing calls hooks around methods; leave it out, and keep what "
     "your _pre and _post functions do in the methods themselves"},
    {"-g,--generate-subdirs", "--generate-subdirs", false,
     "is not supported: file names hold the names of packages; see --language-subdirs"},
    {"--short-file-names", "--short-file-names", false,
     "is not supported: the names of files are fixed"},
    {"-u,--hide-glue", "--hide-glue", false,
     "is not supported: give the files you fill in a folder of their own with --impl-dir"},
    {"--include-referenced", "--include-referenced", false,
     "is not supported: name the files of the types that are referred to"},
    {"--multi", "--multi", false, "is not supported: run sidlc once for each action"},
    {"--reset", "--reset", false, "is not supported: run sidlc once for each action"},
    {"--timestamp", "--timestamp", false, "is not supported: the same input gives the same files"},
    {"--suppress-ior", "--suppress-ior", false,
     "is not supported: leave out the files you do not need (--list-outputs names them)"},
    {"--suppress-stubs", "--suppress-stubs", false,
     "is not supported: leave out the files you do not need (--list-outputs names them)"},
    {"--suppress-contracts", "--suppress-contracts", false,
     "is not supported: whether contracts are enforced is decided at run time"},
    {"-x,--cxx-ior-exception", "--cxx-ior-exception", false,
     "is not supported: a method of a null object throws in any case"},
    {"--rename-splicers", "--rename-splicers", false,
     "is not supported: --rename OLD=NEW keeps the code of what has another name"},
    {"--cca-mode", "--cca-mode", false, "is not supported: sidlc knows nothing of CCA components"},
    {"--strict-provenance", "--strict-provenance", false, "is not supported"},
    {"-f,--fast-call", "--fast-call", false, "is not supported: every call is direct"},
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
