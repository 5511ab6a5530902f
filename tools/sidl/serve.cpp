#include "serve.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "publish.hpp"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "sidl_rmi_Server.hxx"

namespace sidl_tool {
namespace {

/** The signals that end the server; blocked in every thread, waited for in this one. */
sigset_t block_ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return signals;
}

/** The digits behind the last colon of a server's URL: its port. */
std::string port_of(const std::string& address) {
  const std::string port = address.substr(address.rfind(':') + 1);
  if (!port.empty() && port.find_first_not_of("0123456789") == std::string::npos) return port;
  throw std::runtime_error("'" + address + "' has no port: --port-file has nothing to say");
}

/** Readers see the whole file or none. */
void write_port_file(const std::string& path, const std::string& port) {
  const std::string temporary = path + ".new." + std::to_string(::getpid());
  {
    std::ofstream file(temporary);
    file << port << '\n';
    if (!file.flush()) throw std::runtime_error("cannot write the port file '" + path + "'");
  }
  std::error_code failure;
  std::filesystem::rename(temporary, path, failure);
  if (failure) {
    std::filesystem::remove(temporary, failure);
    throw std::runtime_error("cannot write the port file '" + path + "'");
  }
}

}  // namespace

CLI::App* add_serve(CLI::App& app, ServeOptions& options) {
  CLI::App* const command =
      app.add_subcommand("serve", "Offers classes and objects to other processes");
  command
      ->add_option("--listen", options.listen,
                   "simhandle://host:port (port 0 takes any), or as another protocol wants it")
      ->capture_default_str();
  command->add_option("--export", options.exports, "Class that clients may create")
      ->type_name("pkg.Class[=LIBRARY]")
      ->take_all();
  command->add_option("--publish", options.published, "Object that clients may attach to by name")
      ->type_name("NAME=pkg.Class[=LIBRARY]")
      ->take_all();
  command->add_option("--port-file", options.port_file, "Write the port to this file");
  command->add_option("--lease", options.lease, "Seconds that references of a vanished client live")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--drain", options.drain, "Seconds that calls get to finish at the end")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--threads", options.threads, "Most calls that run at the same time")
      ->capture_default_str()
      ->check(CLI::Range(2, 1000));
  command->add_flag("--quiet", options.quiet, "Say nothing about connections and sessions");
  return command;
}

int serve(const ServeOptions& options) {
  const sigset_t signals = block_ending_signals();
  if (options.exports.empty() && options.published.empty()) {
    throw std::runtime_error(
        "nothing to serve: say --export pkg.Class or --publish name=pkg.Class");
  }
  for (const std::string& each : options.exports) export_class(each);
  for (const std::string& each : options.published) publish_object(each);

  const sidl::rmi::Server server = sidl::rmi::ProtocolFactory::createServer(options.listen);
  server.setThreads(options.threads);
  server.setLease(options.lease);
  server.setVerbose(!options.quiet);
  const std::string address = server.listen(options.listen);
  server.run();
  if (!options.port_file.empty()) write_port_file(options.port_file, port_of(address));
  std::printf("listening on %s\n", address.c_str());
  std::fflush(stdout);

  int signal = 0;
  sigwait(&signals, &signal);
  if (!options.quiet) {
    std::fprintf(stderr, "sidl: %s: finishing calls in work\n",
                 signal == SIGINT ? "interrupted" : "asked to stop");
  }
  const bool finished = server.drain(options.drain);
  if (!options.port_file.empty()) {
    std::error_code ignored;
    std::filesystem::remove(options.port_file, ignored);
  }
  if (finished) return 0;
  std::fprintf(stderr, "sidl: some calls did not finish within %g s; ending without them\n",
               options.drain);
  std::fflush(nullptr);
  ::_exit(1);  // their threads still run: nothing may be torn down under them
}

}  // namespace sidl_tool
