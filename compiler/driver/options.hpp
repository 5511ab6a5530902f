// In: the command line.
// Out: what to do, or the exit status if there is nothing to do (after --help, --version or a usage
// error, whose output has been printed).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "driver/load.hpp"
#include "driver/rename.hpp"

namespace shinar::driver {

enum class Action { Check, Client, Server, New, Plugin, Emit, Text, Breaking, Contracts, Format };
enum class FormatTo { Output, InPlace, Diff };
enum class EmitFormat { Sidl, Ir, IrJson };

struct Options {
  Action action = Action::Check;
  Inputs inputs;
  std::string language;
  std::string plugin;
  std::string plugin_option;
  EmitFormat emit = EmitFormat::Sidl;
  std::string output = ".";  // folder; for Emit a file ("": standard output)
  std::string impl_dir;      // empty: same as output
  Renames renames;
  std::string vpath;  // where Impl files missing in impl_dir are read
  std::string make_prefix;
  std::vector<std::string> excludes;  // regular expressions
  std::vector<std::string> classes;   // for Server: classes to implement; empty: all
  bool hooks = false;                 // for Server: methods get hooks
  bool language_folders = false;
  bool makefile = false;
  std::string depfile;
  std::string stdin_name;   // the file that '-' stands for; empty: none
  std::uint8_t breaks = 0;  // for Breaking: which kinds of breakage to report
  FormatTo format = FormatTo::Output;
  bool list_outputs = false;
  bool list_uses = false;
  bool json_errors = false;
};

std::variant<Options, int> read_options(int argc, const char* const* argv);

// Exit statuses, as documented in --help.
inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;

}  // namespace shinar::driver
