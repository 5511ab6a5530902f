#include "ping.hpp"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>

#include "sidl_BaseInterface.hxx"
#include "sidl_ClassInfo.hxx"
#include "sidl_rmi_ObjectDoesNotExistException.hxx"

namespace sidl_tool {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/** True if the URL has a part behind host and port. */
bool names_object(const std::string& url) {
  const std::size_t host = url.find("://");
  return host != std::string::npos && url.find('/', host + 3) != std::string::npos;
}

/** Attaches to the object and lets go of it. */
void ping_object(const std::string& url) {
  const auto start = Clock::now();
  const sidl::BaseInterface object = sidl::BaseInterface::_connect(url);
  std::printf("%s: %s, %.0f us\n", url.c_str(), object.getClassInfo().getName().c_str(),
              microseconds_since(start));
}

/** A server is there if it can say that it does not have this object. */
void ping_server(const std::string& url) {
  const auto start = Clock::now();
  try {
    sidl::BaseInterface::_connect(url + "/sidl-ping");
  } catch (const sidl::BaseException& exception) {
    const auto expected = sidl::babel_cast<sidl::rmi::ObjectDoesNotExistException>(exception);
    if (expected._is_nil()) throw;
  }
  std::printf("%s: alive, %.0f us\n", url.c_str(), microseconds_since(start));
}

}  // namespace

CLI::App* add_ping(CLI::App& app, PingOptions& options) {
  CLI::App* const command =
      app.add_subcommand("ping", "Asks whether a server, or an object of it, is there");
  command->add_option("url", options.url, "URL of a server or of an object")->required();
  command->add_option("--count", options.count, "How often")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  return command;
}

int ping(const PingOptions& options) {
  for (int i = 0; i < options.count; ++i) {
    if (names_object(options.url)) {
      ping_object(options.url);
    } else {
      ping_server(options.url);
    }
  }
  return 0;
}

}  // namespace sidl_tool
