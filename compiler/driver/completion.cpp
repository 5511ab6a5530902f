#include "driver/completion.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "driver/help.hpp"

namespace shinar::driver {
namespace {

enum class Values { None, Any, Files, Folders, Words };

struct Entry {
  std::vector<std::string> short_names;  // "-c"
  std::vector<std::string> long_names;   // "--client"
  std::string description;               // on one line
  std::string type;
  Values values = Values::None;
  std::vector<std::string> words;  // to choose from

  std::vector<std::string> names() const {
    std::vector<std::string> all = short_names;
    all.insert(all.end(), long_names.begin(), long_names.end());
    return all;
  }
};

void read_type(const CLI::Option& option, Entry& entry) {
  entry.type = option.get_type_name();
  if (option.get_items_expected_max() == 0) return;
  entry.values = Values::Any;
  if (entry.type == "FILE") entry.values = Values::Files;
  if (entry.type.starts_with("DIR")) entry.values = Values::Folders;
  const bool is_choice =
      !entry.type.empty() && entry.type.find_first_of("[]") == std::string::npos &&
      std::ranges::none_of(entry.type, [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!is_choice) return;
  entry.values = Values::Words;
  for (std::size_t at = 0; at <= entry.type.size();) {
    const std::size_t end = std::min(entry.type.find('|', at), entry.type.size());
    entry.words.push_back(entry.type.substr(at, end - at));
    at = end + 1;
  }
}

std::vector<Entry> entries(const CLI::App& app) {
  std::vector<Entry> result;
  for (const CLI::Option* option : app.get_options()) {
    const bool is_hidden = option->get_group().empty() || option->nonpositional() == false;
    if (is_hidden) continue;
    Entry entry;
    for (const std::string& name : option->get_snames()) entry.short_names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) entry.long_names.push_back("--" + name);
    entry.description = option->get_description();
    std::ranges::replace(entry.description, '\n', ' ');
    read_type(*option, entry);
    result.push_back(std::move(entry));
  }
  return result;
}

// `text` with a backslash before each of `special`.
std::string escaped(const std::string& text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string bash_script(const std::vector<Entry>& table) {
  std::string cases;
  std::vector<std::string> names;
  for (const Entry& entry : table) {
    std::ranges::copy(entry.names(), std::back_inserter(names));
    const std::string pattern = "    " + joined(entry.names(), "|") + ") ";
    if (entry.values == Values::Words) {
      cases += pattern + "words='" + joined(entry.words, " ") + "' ;;\n";
    } else if (entry.values == Values::Folders) {
      cases += pattern + "kind=-d ;;\n";
    } else if (entry.values == Values::Files) {
      cases += pattern + "kind=-f ;;\n";
    } else if (entry.values == Values::Any) {
      cases += pattern + "return ;;\n";
    }
  }
  return R"(# bash completion of sidlc, made by `sidlc --completion=bash`.
# To use it: source <(sidlc --completion=bash)
_sidlc() {
  local current=${COMP_WORDS[COMP_CWORD]} previous= words= kind=
  ((COMP_CWORD > 0)) && previous=${COMP_WORDS[COMP_CWORD - 1]}
  # bash takes "--client=c" for three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $previous in
)" + cases +
         R"(  esac
  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  elif [[ -n $kind ]]; then
    mapfile -t COMPREPLY < <(compgen "$kind" -- "$current")
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W ')" +
         joined(names, " ") + R"(' -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -o filenames -F _sidlc sidlc
)";
}

std::string zsh_action(const Entry& entry) {
  switch (entry.values) {
    case Values::Words:
      return ":" + escaped(entry.type, ":") + ":(" + joined(entry.words, " ") + ")";
    case Values::Folders:
      return ":folder:_files -/";
    case Values::Files:
      return ":file:_files";
    case Values::Any:
      return ":" + escaped(entry.type, ":") + ":";
    case Values::None:
      break;
  }
  return {};
}

std::string zsh_script(const std::vector<Entry>& table) {
  std::string script =
      "#compdef sidlc\n"
      "# zsh completion of sidlc, made by `sidlc --completion=zsh`.\n"
      "# To use it: sidlc --completion=zsh > a directory in $fpath/_sidlc\n"
      "_arguments -s \\\n";
  for (const Entry& entry : table) {
    const std::string text = replaced(escaped(entry.description, "[]:\\"), "'", "'\\''");
    for (const std::string& name : entry.names()) {
      const bool has_value = entry.values != Values::None;
      const std::string suffix = !has_value ? "" : name.starts_with("--") ? "=" : "+";
      script += "  '*" + name + suffix + "[" + text + "]" + zsh_action(entry) + "' \\\n";
    }
  }
  return script + "  '*:SIDL file:_files -g \"*.sidl*\"'\n";
}

std::string fish_script(const std::vector<Entry>& table) {
  std::string script =
      "# fish completion of sidlc, made by `sidlc --completion=fish`.\n"
      "# To use it: sidlc --completion=fish > ~/.config/fish/completions/sidlc.fish\n";
  for (const Entry& entry : table) {
    script += "complete -c sidlc";
    for (const std::string& name : entry.short_names) script += " -s " + name.substr(1);
    for (const std::string& name : entry.long_names) script += " -l " + name.substr(2);
    if (entry.values != Values::None) script += " -r";
    if (entry.values == Values::Words) script += " -f -a '" + joined(entry.words, " ") + "'";
    if (entry.values == Values::Any) script += " -f";
    if (entry.values == Values::Folders) script += " -f -a '(__fish_complete_directories)'";
    script += " -d '" + escaped(entry.description, "\\'") + "'\n";
  }
  return script;
}

constexpr std::pair<const char*, std::string (*)(const std::vector<Entry>&)> kShells[] = {
    {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

}  // namespace

std::vector<std::string> completion_shells() {
  std::vector<std::string> names;
  for (const auto& [name, script] : kShells) names.emplace_back(name);
  return names;
}

std::string completion_script(const CLI::App& app, const std::string& shell) {
  for (const auto& [name, script] : kShells) {
    if (shell == name) return script(entries(app));
  }
  return {};
}

}  // namespace shinar::driver
