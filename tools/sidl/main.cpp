/** sidl: the program. Each command is a file of its own. */
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>

#include "ping.hpp"
#include "serve.hpp"
#include "sidl_BaseException.hxx"

namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

/** Runs a command; what it throws becomes a message and exit status 1. */
int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const sidl::BaseException& exception) {
    std::fprintf(stderr, "sidl: %s\n", exception.getNote().c_str());
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "sidl: %s\n", exception.what());
  }
  return exit_failure;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("sidl: serves SIDL objects to other processes, and looks at servers.");
  app.set_version_flag("--version", "sidl " SHINAR_VERSION);
  app.require_subcommand(1);

  sidl_tool::ServeOptions serve;
  sidl_tool::PingOptions ping;
  CLI::App* const serve_command = sidl_tool::add_serve(app, serve);
  CLI::App* const ping_command = sidl_tool::add_ping(app, ping);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  }
  if (serve_command->parsed()) return guarded([&] { return sidl_tool::serve(serve); });
  if (ping_command->parsed()) return guarded([&] { return sidl_tool::ping(ping); });
  return exit_usage;
}
