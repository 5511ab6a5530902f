#include "inspect.hpp"

#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "answers.hpp"
#include "checks.hpp"
#include "pretty.hpp"
#include "printable.hpp"
#include "server_view.hpp"
#include "sidl_rmi_InstanceHandle.hxx"
#include "sidl_rmi_ProtocolFactory.hxx"

namespace sidl_tool {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* inspect_footer = R"(
Without a type, shows the exported classes, the published objects, the methods
of all of them in SIDL, and counters. With the URL of an object, or with a type
(a class, an interface, an enum or a struct), shows that type only.

Exit status: 0 success, 1 the server cannot be reached or does not allow
inspection (sidl serve --no-inspect), 2 invalid command line.

Examples:
  sidl inspect simhandle://127.0.0.1:4711
  sidl inspect simhandle://127.0.0.1:4711 demo.Solver
  sidl inspect simhandle://127.0.0.1:4711 --json | jq .counters.calls)";

/** The upper end of the class of times in which the call lies that is slower than `share` others.
 */
std::string time_of(const json& classes, double calls, double share) {
  double seen = 0;
  for (const json& each : classes) {
    seen += static_cast<double>(whole_in(each, "calls"));
    if (seen < share * calls) continue;
    if (!each.contains("below")) break;
    return "below " + std::to_string(whole_in(each, "below")) + " us";
  }
  return "long";
}

void put_counters(const json& counters) {
  const std::int64_t calls = whole_in(counters, "calls");
  const auto row = [](const std::string& name, std::int64_t value) {
    std::printf("  %-20s %" PRId64 "\n", in_one_line(name).c_str(), value);
  };
  put_printable("\nCounters:\n");
  row("calls", calls);
  row("errors", whole_in(counters, "errors"));
  for (const auto& [name, value] : table_in(counters, "server").items()) {
    row(name, as_whole(value, name));
  }
  if (calls == 0) return;
  const json& classes = list_in(counters, "microseconds");
  const auto all = static_cast<double>(calls);
  put_printable("  time of a call       median " + time_of(classes, all, 0.5) + ", 99 % " +
                time_of(classes, all, 0.99) + "\n");
}

/** "checked 12, violated 1", of a method's clauses. */
void put_contracts(const json& contracts) {
  put_printable("\nContracts: " + text_in(contracts, "policy") + "\n");
  for (const json& each : list_in(contracts, "methods")) {
    std::string name = text_in(each, "class");
    if (!part(each, "method").is_null()) name += "." + text_in(each, "method");
    put_printable("  " + name + "\n");
    for (const json& clause : list_in(each, "clauses")) {
      const bool is_named = !part(clause, "name").is_null();
      put_printable("    " + text_in(clause, is_named ? "name" : "text") + ": checked " +
                    std::to_string(whole_in(clause, "checks")) + ", violated " +
                    std::to_string(whole_in(clause, "violations")) + "\n");
    }
  }
}

void put_description(const json& description, const std::string& url) {
  put_printable(url + ": Shinar " + text_in(description, "shinar") + "\n\nClasses:\n");
  const std::vector<std::string> exports = texts_in(description, "exports");
  for (const std::string& each : exports) put_printable("  " + each + "\n");
  if (exports.empty()) put_printable("  none exported\n");
  if (description.contains("serialize")) {
    put_printable("\nCalls run one at a time per: " + text_in(description, "serialize") + "\n");
  }
  put_printable("\nObjects:\n");
  const json& published = list_in(description, "published");
  for (const json& each : published) {
    put_printable("  " + object_url(url, text_in(each, "name")) + "  " + text_in(each, "class") +
                  "\n");
  }
  if (published.empty()) put_printable("  none published\n");
}

void put_server(const ServerView& server, const std::string& url) {
  const json description = server.description();
  in_answer(own_description, [&] { put_description(description, url); });
  for (const std::string& each : server.classes()) put_printable("\n" + server.type(each).text());
  const json counters = server.counters();
  in_answer(own_counters, [&] {
    put_counters(counters);
    if (counters.contains("contracts")) put_contracts(part(counters, "contracts"));
  });
}

json whole(const ServerView& server) {
  json all = server.description();
  all["counters"] = server.counters();
  all["types"] = json::object();
  for (const std::string& each : server.classes()) all["types"][each] = server.type_json(each);
  return all;
}

std::string type_of_object(const std::string& url) {
  const auto handle = sidl::rmi::ProtocolFactory::connectInstance(url, "sidl.BaseInterface", true);
  return handle.getTypeName();
}

}  // namespace

CLI::App* add_inspect(CLI::App& app, InspectOptions& options) {
  CLI::App* const command =
      app.add_subcommand("inspect", "Show what a server offers, and its counters");
  command->add_option("URL", options.url, "Server or object to inspect")->type_name("")->required();
  command->add_option("TYPE", options.type, "Show this type only")->type_name("");
  command->add_flag("--json", options.json, "Print a single JSON document");
  command->add_option("--timeout", options.timeout, "How long to wait for each answer")
      ->type_name("SECONDS")
      ->capture_default_str()
      ->check(positive());
  command->footer(inspect_footer);
  return command;
}

int inspect(const InspectOptions& options) {
  set_deadline(options.timeout);
  return with_answers_of(options.url, [&] {
    const ServerView server(options.url);
    std::string type = options.type;
    if (type.empty() && names_object(options.url)) type = type_of_object(options.url);
    if (options.json) {
      const json document = type.empty() ? whole(server) : server.type_json(type);
      std::printf("%s\n", pretty(document).c_str());
    } else if (type.empty()) {
      put_server(server, server_part(options.url));
    } else {
      put_printable(server.type(type).text());
    }
    return 0;
  });
}

}  // namespace sidl_tool
