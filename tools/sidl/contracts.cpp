#include "contracts.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace sidl_tool {
namespace {

constexpr const char* contracts_footer = R"(
The cost is what the time of a check grows with: "constant", "linear" for elements of
arrays of one dimension, "quadratic" of two, and so on; "calls" if methods are called.

Exit status: 0 success, 1 errors in the files, 2 invalid command line.

Examples:
  sidl contracts relax.sidl
  sidl contracts solver.sidl --include mesh.sidl)";

/** The one beside this program, of the same version. */
std::string sidlc() {
  std::error_code none;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", none);
  const auto beside = self.parent_path() / "sidlc";
  return !self.empty() && std::filesystem::exists(beside, none) ? beside.string() : "sidlc";
}

}  // namespace

CLI::App* add_contracts(CLI::App& app, ContractsOptions& options) {
  CLI::App* const command =
      app.add_subcommand("contracts", "Show the contracts of classes, and what they cost");
  command->add_option("FILE", options.files, "SIDL files or compiled packages")
      ->type_name("")
      ->required();
  command->add_option("-I,--include", options.includes, "SIDL files whose types are used")
      ->type_name("FILE");
  command->footer(contracts_footer);
  return command;
}

int contracts(const ContractsOptions& options) {
  const std::string program = sidlc();
  std::vector<std::string> words{program, "--contracts"};
  for (const std::string& each : options.includes) words.push_back("--include=" + each);
  words.emplace_back("--");
  words.insert(words.end(), options.files.begin(), options.files.end());
  std::vector<char*> arguments;
  for (std::string& each : words) arguments.push_back(each.data());
  arguments.push_back(nullptr);
  ::execvp(program.c_str(), arguments.data());
  throw std::runtime_error("cannot run " + program + ": " + std::strerror(errno));
}

}  // namespace sidl_tool
