#include "policy.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "checks.hpp"
#include "printable.hpp"
#include "sidl_BaseException.hxx"
#include "sidl_rmi_Policies.hxx"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "usage_error.hpp"

namespace sidl_tool {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* policy_footer = R"(
check FILE prints the roles of a policy and what is hardly meant in it. With --who
it shows the role of a client; with --who and one of --create, --attach, --call and
--refer it answers whether that client may do so, and by which pattern. Who has
proved nothing is "anyone". Methods are asked by one class: a server asks as well
whether an ancestor's method is allowed.

Exit status: 0 the policy is good, or it is allowed; 1 it is not allowed; 2 the
policy or the command line is no good.

Examples:
  sidl policy check board.toml
  sidl policy check board.toml --who tls:alice@lab.example
  sidl policy check board.toml --who uid:1000 --call demo.Board.reset)";

constexpr std::array<const char*, 4> rights = {"create", "attach", "call", "refer"};
constexpr const char* anyone = "anyone";

std::string list(const json& patterns) {
  std::string text;
  std::string exceptions;
  for (const json& each : patterns) {
    const std::string pattern = in_one_line(each.get<std::string>());
    const bool is_exception = pattern.front() == '!';
    std::string& to = is_exception ? exceptions : text;
    to += (to.empty() ? "" : ", ") + pattern.substr(is_exception ? 1 : 0);
  }
  if (text.empty()) return "nothing";
  return text + (exceptions.empty() ? "" : ", except " + exceptions);
}

std::string limits(const json& quota) {
  std::string text;
  for (const auto& [name, value] : quota.items()) {
    text += (text.empty() ? "" : ", ") + name + " " + value.dump();
  }
  return text.empty() ? "no limits" : text;
}

void put_role(const json& role) {
  put_printable("role " + in_one_line(role.at("name").get<std::string>()) + "\n");
  put_printable("  who     " + list(role.at("who")) + "\n");
  for (const char* each : rights) {
    std::string name = each;
    name.resize(8, ' ');
    put_printable("  " + name + list(role.at(each)) + "\n");
  }
  put_printable("  quota   " + limits(role.at("quota")) + "\n");
}

/** A server of our protocol, which serves nothing, knows its policies. */
sidl::rmi::Policies policies() {
  const auto server = sidl::rmi::ProtocolFactory::createServer("simhandle://127.0.0.1:0");
  return sidl::babel_cast<sidl::rmi::Policies>(server);
}

/** What a policy that is no good says is an answer, too, with a status of its own. */
template <class Ask>
json answer(Ask ask) {
  try {
    return json::parse(ask(policies()));
  } catch (const sidl::BaseException& exception) {
    throw UsageError(exception.getNote());
  }
}

struct Question {
  std::string what;  ///< empty: none
  std::string name;
};

Question question_of(const PolicyOptions& options) {
  const std::array<const std::optional<std::string>*, 4> asked = {&options.create, &options.attach,
                                                                  &options.call, &options.refer};
  Question question;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (!*asked[i]) continue;
    if (!question.what.empty()) {
      throw UsageError("ask for one of --create, --attach, --call and --refer at a time");
    }
    question = {rights[i], **asked[i]};
  }
  return question;
}

int describe(const std::string& file) {
  const json all = answer([&](const auto& from) { return from.describePolicy(file); });
  bool is_first = true;
  for (const json& each : all.at("roles")) {
    if (!is_first) put_printable("\n");
    is_first = false;
    put_role(each);
  }
  for (const json& each : all.at("warnings")) {
    put_printable("\nwarning: " + in_one_line(each.get<std::string>()) + "\n");
  }
  return 0;
}

int show_role(const PolicyOptions& options, const std::string& role) {
  put_printable(in_one_line(*options.who) + " has\n");
  const json all = answer([&](const auto& from) { return from.describePolicy(options.file); });
  for (const json& each : all.at("roles")) {
    if (each.at("name") == role) put_role(each);
  }
  return 0;
}

int say(const json& found, const Question& question) {
  const std::string in =
      "'" + question.what + "' of role '" + in_one_line(found.at("role").get<std::string>()) + "'";
  const std::string pattern = in_one_line(found.at("pattern").get<std::string>());
  if (found.at("allowed").get<bool>()) {
    put_printable("yes: by \"" + pattern + "\" in " + in + "\n");
    return 0;
  }
  put_printable(pattern.empty() ? "no: nothing in " + in + " fits\n"
                                : "no: by the exception \"" + pattern + "\" in " + in + "\n");
  return 1;
}

}  // namespace

CLI::App* add_policy(CLI::App& app, PolicyOptions& options) {
  CLI::App* const command =
      app.add_subcommand("policy", "Check what a server's policy allows to whom");
  command->add_option("ACTION", options.action, "check")
      ->type_name("")
      ->required()
      ->check(one_of({"check"}));
  command->add_option("FILE", options.file, "The policy, in TOML")->type_name("")->required();
  const auto add = [&](const char* name, auto& to, const char* about, const char* type) {
    command->add_option(name, to, about)->type_name(type);
  };
  add("--who", options.who, "A client: tls:NAME, secret:FILE, munge:USER, uid:NUMBER or anyone",
      "PROOF:NAME");
  add("--create", options.create, "May it create objects of this class?", "pkg.Class");
  add("--attach", options.attach, "May it attach to the object of this name?", "NAME");
  add("--call", options.call, "May it call this method?", "pkg.Class.method");
  add("--refer", options.refer, "May it send the server to objects of this one?", "URL");
  command->footer(policy_footer);
  return command;
}

int policy(const PolicyOptions& options) {
  const Question question = question_of(options);
  if (!options.who) {
    if (question.what.empty()) return describe(options.file);
    throw UsageError(
        "say for whom: --who tls:NAME, or --who anyone for clients that prove nothing");
  }
  const std::string who = *options.who == anyone ? "" : *options.who;
  const json found = answer([&](const auto& from) {
    return from.askPolicy(options.file, who, question.what, question.name);
  });
  if (found.at("role").is_null()) {
    put_printable("no: " + in_one_line(*options.who) + " has no role, and is not admitted\n");
    return 1;
  }
  if (question.what.empty()) return show_role(options, found.at("role").get<std::string>());
  return say(found, question);
}

}  // namespace sidl_tool
