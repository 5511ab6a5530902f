#include "ping.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "answers.hpp"
#include "checks.hpp"
#include "printable.hpp"
#include "server_view.hpp"
#include "sidl_rmi_InstanceHandle.hxx"
#include "sidl_rmi_MalformedURLException.hxx"
#include "sidl_rmi_ObjectDoesNotExistException.hxx"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "sidl_rmi_Routes.hxx"

namespace sidl_tool {
namespace {

using Clock = std::chrono::steady_clock;
using sidl::rmi::InstanceHandle;

constexpr const char* ping_footer = R"(
The times are round-trip times; the first includes connecting. Below them are the ways to
the server, the best first, with the one in use marked: each is tried and measured over a
connection of its own. SIDL_RMI_ROUTES=shm,tcp sets their order.

Exit status: 0 all pings were answered, 1 some were not, 2 invalid command line.

Examples:
  sidl ping simhandle://127.0.0.1:4711
  sidl ping simhandle://127.0.0.1:4711/solver --count 10 --interval 1)";

/**
 * Attaches to the object and releases it; returns its type. A server is also alive if it answers
 * that it does not have the object.
 */
std::string attach(const std::string& url, bool is_server) {
  const std::string object = is_server ? object_url(url, inspection_name) : url;
  try {
    const InstanceHandle handle =
        sidl::rmi::ProtocolFactory::connectInstance(object, "sidl.BaseInterface", true);
    return is_server ? "alive" : handle.getTypeName();
  } catch (const sidl::BaseException& exception) {
    using Nobody = sidl::rmi::ObjectDoesNotExistException;
    if (!is_server || sidl::babel_cast<Nobody>(exception)._is_nil()) throw;
    return "alive";
  }
}

/** One ping; adds its time in µs if it is answered. Returns whether another one may do better. */
bool ping_once(const std::string& url, std::vector<double>& times) {
  bool is_url = true;
  const auto start = Clock::now();
  try {
    const std::string what = attach(url, !names_object(url));
    const std::chrono::duration<double, std::micro> time = Clock::now() - start;
    times.push_back(time.count());
    std::printf("%s: %s, %.0f us\n", url.c_str(), in_one_line(what).c_str(), times.back());
  } catch (const sidl::BaseException& exception) {
    std::printf("%s: no answer: %s\n", url.c_str(), in_one_line(exception.getNote()).c_str());
    is_url = sidl::babel_cast<sidl::rmi::MalformedURLException>(exception)._is_nil();
  }
  std::fflush(stdout);
  return is_url;
}

/** "simhandle, version 1"; the version is reported by the server, if at all. */
std::string protocol_of(const std::string& url) {
  const std::string protocol = url.substr(0, url.find(':'));
  try {
    const auto counters = ServerView(url).counters();
    const auto version = whole_in(table_in(counters, "server"), "protocolVersion");
    return protocol + ", version " + std::to_string(version);
  } catch (const sidl::BaseException&) {
    return protocol;
  } catch (const std::exception&) {
    return protocol;
  }
}

void summarize(const std::string& url, int count, std::vector<double>& times) {
  std::printf("%zu of %d answered", times.size(), count);
  if (!times.empty()) {
    std::sort(times.begin(), times.end());
    std::printf("; min %.0f us, median %.0f us, max %.0f us; %s", times.front(),
                times[times.size() / 2], times.back(), protocol_of(url).c_str());
  }
  std::printf("\n");
}

/** "2.1 us", "3.40 GB/s": a number with three digits and its unit. */
std::string with_unit(double value, double unit, const char* name) {
  char text[64];
  const double scaled = value / unit;
  std::snprintf(text, sizeof text, "%.*f %s", scaled < 10 ? 2 : scaled < 100 ? 1 : 0, scaled, name);
  return text;
}

void print_route(const nlohmann::json& route, std::size_t width) {
  std::string time = "-", bandwidth = "-";
  if (route.at("reachable").get<bool>()) {
    time = with_unit(route.at("roundTrip").get<double>(), 1e-6, "us");
    bandwidth = with_unit(route.at("bandwidth").get<double>(), 1e9, "GB/s");
  }
  const std::string url = in_one_line(route.at("url").get<std::string>());
  std::printf("%c %-*s  %10s  %10s", route.at("inUse").get<bool>() ? '*' : ' ',
              static_cast<int>(width), url.c_str(), time.c_str(), bandwidth.c_str());
  std::string more = route.value("reason", "");
  if (more.empty()) more = route.value("carriers", "");
  std::printf("%s%s\n", more.empty() ? "" : "  ", in_one_line(more).c_str());
}

/** If the protocol knows of several. */
void print_routes(const std::string& url, double seconds) {
  try {
    const std::string object = names_object(url) ? url : object_url(url, inspection_name);
    const InstanceHandle handle =
        sidl::rmi::ProtocolFactory::connectInstance(object, "sidl.BaseInterface", true);
    const auto routes = sidl::babel_cast<sidl::rmi::Routes>(handle);
    if (routes._is_nil()) return;
    const auto all = nlohmann::json::parse(routes.describeRoutes(seconds));
    std::size_t width = 0;
    for (const auto& each : all)
      width = std::max(width, each.at("url").get_ref<const std::string&>().size());
    std::printf("\n  %-*s  %10s  %10s\n", static_cast<int>(width), "route", "round trip",
                "bandwidth");
    for (const auto& each : all) print_route(each, width);
  } catch (const sidl::BaseException&) {
    // The pings have shown what there is to be said.
  }
}

}  // namespace

CLI::App* add_ping(CLI::App& app, PingOptions& options) {
  CLI::App* const command =
      app.add_subcommand("ping", "Check whether a server or an object is alive");
  command->add_option("URL", options.url, "Server or object to ping")->type_name("")->required();
  command->add_option("--count", options.count, "Number of pings")
      ->type_name("N")
      ->capture_default_str()
      ->check(between(1, 1000000));
  command->add_option("--interval", options.interval, "Time between two pings")
      ->type_name("SECONDS")
      ->capture_default_str()
      ->check(between(0.0, 86400.0));
  command->add_option("--timeout", options.timeout, "How long to wait for an answer")
      ->type_name("SECONDS")
      ->capture_default_str()
      ->check(positive());
  command->footer(ping_footer);
  return command;
}

int ping(const PingOptions& options) {
  set_deadline(options.timeout);
  std::vector<double> times;
  for (int i = 0; i < options.count; ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::duration<double>(options.interval));
    if (!ping_once(options.url, times)) return 1;
  }
  const bool all = times.size() == static_cast<std::size_t>(options.count);
  summarize(options.url, options.count, times);
  if (!times.empty()) print_routes(options.url, options.timeout);
  return all ? 0 : 1;
}

}  // namespace sidl_tool
