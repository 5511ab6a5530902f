/** sidl: the program. Each command is a file of its own. */
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>

#include "call.hpp"
#include "completion.hpp"
#include "contracts.hpp"
#include "front.hpp"
#include "inspect.hpp"
#include "launch.hpp"
#include "misspelt.hpp"
#include "ping.hpp"
#include "policy.hpp"
#include "printable.hpp"
#include "serve.hpp"
#include "sidl_BaseException.hxx"
#include "usage_error.hpp"

namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

/** Messages may quote peers and files. */
void complain(const std::string& text) {
  std::fprintf(stderr, "sidl: %s\n", sidl_tool::printable(text).c_str());
}

/** Runs a command; what it throws becomes a message and exit status 1 or 2. */
int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const sidl_tool::UsageError& error) {
    complain(error.what());
    return exit_usage;
  } catch (const sidl::BaseException& exception) {
    complain(sidl_tool::indented(exception.getNote()));
  } catch (const std::exception& exception) {
    complain(exception.what());
  }
  return exit_failure;
}

/** For commands whose result is their output: fails unless it was written. */
int printed(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fputs("sidl: cannot write to standard output\n", stderr);
  return exit_failure;
}

/** Reports an error in the command line, or prints what --help and --version ask for. */
int explain(const CLI::App& app, const CLI::ParseError& error) {
  const std::string message = error.get_exit_code() == 0 ? "" : sidl_tool::misspelt(app, error);
  if (message.empty()) return app.exit(error) == 0 ? 0 : exit_usage;
  std::fprintf(stderr, "sidl: %s\nRun with --help for more information.\n", message.c_str());
  return exit_usage;
}

/**
 * Opens closed standard descriptors, so that none becomes a file or connection into which messages
 * would be written. Each is opened for the opposite direction, so that its use still fails.
 */
void occupy_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    if (::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  CLI::App app("sidl: serve SIDL objects to other processes; inspect, call and ping servers.",
               "sidl");
  app.set_version_flag("--version", "sidl " SHINAR_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.footer("\nRun 'sidl COMMAND --help' for help on a command.");

  sidl_tool::ServeOptions serve;
  sidl_tool::InspectOptions inspect;
  sidl_tool::CallOptions call;
  sidl_tool::PingOptions ping;
  sidl_tool::PolicyOptions policy;
  sidl_tool::ContractsOptions contracts;
  sidl_tool::LaunchOptions launch;
  sidl_tool::FrontOptions front;
  sidl_tool::CompletionOptions completion;
  CLI::App* const serve_command = sidl_tool::add_serve(app, serve);
  CLI::App* const inspect_command = sidl_tool::add_inspect(app, inspect);
  CLI::App* const call_command = sidl_tool::add_call(app, call);
  CLI::App* const ping_command = sidl_tool::add_ping(app, ping);
  CLI::App* const policy_command = sidl_tool::add_policy(app, policy);
  CLI::App* const contracts_command = sidl_tool::add_contracts(app, contracts);
  CLI::App* const launch_command = sidl_tool::add_launch(app, launch);
  CLI::App* const completion_command = sidl_tool::add_completion(app, completion);
  for (CLI::App* const each : app.get_subcommands({})) each->group("Commands");
  CLI::App* const front_command = sidl_tool::add_front(app, front);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain(app, error);
  }
  if (serve_command->parsed()) return guarded([&] { return sidl_tool::serve(serve); });
  if (inspect_command->parsed())
    return guarded([&] { return printed(sidl_tool::inspect(inspect)); });
  if (call_command->parsed()) return guarded([&] { return printed(sidl_tool::call(call)); });
  if (ping_command->parsed()) return guarded([&] { return printed(sidl_tool::ping(ping)); });
  if (policy_command->parsed()) return guarded([&] { return printed(sidl_tool::policy(policy)); });
  if (contracts_command->parsed()) return guarded([&] { return sidl_tool::contracts(contracts); });
  if (launch_command->parsed()) return guarded([&] { return sidl_tool::launch(launch); });
  if (front_command->parsed()) return guarded([&] { return sidl_tool::front(front); });
  if (completion_command->parsed()) {
    return guarded([&] { return printed(sidl_tool::completion(app, completion)); });
  }
  return exit_usage;
}
