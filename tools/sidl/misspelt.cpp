#include "misspelt.hpp"

#include "near.hpp"

namespace sidl_tool {
namespace {

std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands({})) {
    if (!each->get_group().empty()) names.push_back(each->get_name());
  }
  return "unknown command '" + word + "'" + did_you_mean(word, names);
}

std::string unknown_option(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const CLI::Option* each : command.get_options()) {
    for (const std::string& known : each->get_lnames()) names.push_back("--" + known);
  }
  return "unknown option '" + name + "'" + did_you_mean(name, names);
}

std::string unexpected(const CLI::App& command, const std::string& word) {
  const bool is_serve = command.get_name() == "serve";
  return "unexpected argument '" + word + "'" +
         (is_serve ? "; the classes of a server are named by --export CLASS[=LIBRARY]" : "");
}

}  // namespace

std::string misspelt(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::vector<std::string> others = app.remaining(true);
  for (const std::string& word : others) {
    if (word == "--") return "";
    if (word.size() > 1 && word[0] == '-') return unknown_option(command, word);
    if (chosen.empty()) return unknown_command(app, word);
  }
  const bool are_too_many = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  return are_too_many && !others.empty() ? unexpected(command, others.front()) : "";
}

}  // namespace sidl_tool
