#include "completion.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <set>
#include <vector>

#include "checks.hpp"

namespace sidl_tool {
namespace {

constexpr const char* completion_footer = R"(
Examples:
  source <(sidl completion bash)
  sidl completion zsh > ~/.zfunc/_sidl
  sidl completion fish > ~/.config/fish/completions/sidl.fish)";

/** "--count --help": the long options of a command. */
std::string options_of(const CLI::App& command) {
  std::set<std::string> names;
  for (const CLI::Option* each : command.get_options()) {
    for (const std::string& name : each->get_lnames()) names.insert("--" + name);
  }
  std::string text;
  for (const std::string& each : names) text += (text.empty() ? "" : " ") + each;
  return text;
}

/** Those that are meant for users. */
std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
}

std::string command_names(const CLI::App& app) {
  std::string text;
  for (const CLI::App* each : commands_of(app)) {
    text += (text.empty() ? "" : " ") + each->get_name();
  }
  return text;
}

void print_bash(const CLI::App& app) {
  std::printf("_sidl() {\n  local words=\"%s %s\"\n  case \"${COMP_WORDS[1]}\" in\n",
              command_names(app).c_str(), options_of(app).c_str());
  for (const CLI::App* each : commands_of(app)) {
    std::printf("    %s) ((COMP_CWORD > 1)) && words=\"%s\" ;;\n", each->get_name().c_str(),
                options_of(*each).c_str());
  }
  std::printf(
      "  esac\n  COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n"
      "complete -o default -F _sidl sidl\n");
}

void print_zsh(const CLI::App& app) {
  std::printf("#compdef sidl\n_sidl() {\n  local -a candidates=(%s %s)\n  case $words[2] in\n",
              command_names(app).c_str(), options_of(app).c_str());
  for (const CLI::App* each : commands_of(app)) {
    std::printf("    %s) ((CURRENT > 2)) && candidates=(%s) ;;\n", each->get_name().c_str(),
                options_of(*each).c_str());
  }
  std::printf("  esac\n  compadd -- $candidates\n  _files\n}\ncompdef _sidl sidl\n");
}

void print_fish(const CLI::App& app) {
  for (const CLI::App* each : commands_of(app)) {
    const char* const name = each->get_name().c_str();
    std::printf("complete -c sidl -n __fish_use_subcommand -f -a %s -d '%s'\n", name,
                each->get_description().c_str());
    for (const CLI::Option* option : each->get_options()) {
      for (const std::string& word : option->get_lnames()) {
        std::printf("complete -c sidl -n '__fish_seen_subcommand_from %s' -l %s -d '%s'\n", name,
                    word.c_str(), option->get_description().c_str());
      }
    }
  }
}

}  // namespace

CLI::App* add_completion(CLI::App& app, CompletionOptions& options) {
  CLI::App* const command =
      app.add_subcommand("completion", "Print a completion script for a shell");
  command->add_option("SHELL", options.shell, "bash, zsh or fish")
      ->type_name("")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
  command->footer(completion_footer);
  return command;
}

int completion(const CLI::App& app, const CompletionOptions& options) {
  if (options.shell == "bash") print_bash(app);
  if (options.shell == "zsh") print_zsh(app);
  if (options.shell == "fish") print_fish(app);
  return 0;
}

}  // namespace sidl_tool
