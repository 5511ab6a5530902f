#include "job.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "launchers/launcher.hpp"
#include "near.hpp"
#include "printable.hpp"
#include "trust/toml.hpp"
#include "usage_error.hpp"

namespace sidl_tool {
namespace {

constexpr int most_ranks = 100'000;
constexpr const char* name_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

/** Reads the tables of a file; what is wrong is said with its line. */
class JobReader {
 public:
  explicit JobReader(const std::string& file) : file_(file) {}

  Job read(const toml::table& document) const {
    Job job;
    for (const auto& [key, node] : document) {
      const std::string name(key.str());
      if (node.is_string() && set(job, name, node)) continue;
      if (name.empty() || name.find_first_not_of(name_letters) != std::string::npos) {
        fail(node, "a program's name has letters, digits, '_' and '-' only, unlike '" + name + "'");
      }
      if (!node.is_table() && std::ranges::count(of_jobs, name) > 0) {
        fail(node, "'" + name + "' must be a string");
      }
      if (!node.is_table()) {
        fail(node,
             "'" + name + "' must be a program: [" + name + "]" + did_you_mean(name, of_jobs));
      }
      job.programs.push_back(program(name, *node.as_table()));
    }
    if (job.programs.empty()) throw UsageError(file_ + ": the job has no programs");
    for (const auto& [key, node] : document) {
      if (!node.is_table()) continue;
      check_calls(job, std::string(key.str()), node);
      check_variable(job, std::string(key.str()), node);
    }
    return job;
  }

 private:
  std::string place(const toml::node& node) const {
    return file_ + ":" + std::to_string(node.source().begin.line);
  }

  [[noreturn]] void fail(const toml::node& where, const std::string& what) const {
    throw UsageError(place(where) + ": " + in_one_line(what));
  }

  /** Of a program's environment or command: what C has no other end of. */
  std::string text(const std::string& what, const toml::node& node) const {
    std::string result = node.as_string()->get();
    if (result.find('\0') != std::string::npos) fail(node, what + " contains a NUL character");
    return result;
  }

  std::vector<std::string> words(const std::string& what, const toml::node& node) const {
    std::vector<std::string> result;
    const toml::array* const array = node.as_array();
    if (array == nullptr) fail(node, what + " must be a list of strings");
    for (const toml::node& each : *array) {
      if (!each.is_string()) fail(each, what + " must be a list of strings");
      result.push_back(text(what, each));
    }
    if (result.empty()) fail(node, what + " is an empty list");
    return result;
  }

  std::map<std::string, std::string> variables(const std::string& what,
                                               const toml::node& node) const {
    std::map<std::string, std::string> result;
    if (!node.is_table()) fail(node, what + " must be a table of strings");
    for (const auto& [key, value] : *node.as_table()) {
      if (!value.is_string()) fail(value, what + " must be a table of strings");
      const std::string name(key.str());
      if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != std::string::npos) {
        fail(value, what + " has a variable '" + name + "', which is no name");
      }
      result[name] = text(what, value);
    }
    return result;
  }

  void check_choice(const std::string& name, const toml::node& node,
                    const std::vector<std::string>& choices) const {
    const std::string value = node.as_string()->get();
    if (std::ranges::count(choices, value) > 0) return;
    std::string list;
    for (const std::string& each : choices) list += (list.empty() ? "" : ", ") + each;
    fail(node, "'" + name + "' must be one of " + list + ", not '" + value + "'" +
                   did_you_mean(value, choices));
  }

  /** What the whole job has; false if that is no such key. */
  bool set(Job& job, const std::string& key, const toml::node& node) const {
    if (key == "launcher") {
      check_choice(key, node, launcher_names());
      job.launcher = text(key, node);
    } else if (key == "hosts") {
      check_choice(key, node, {"one", "many"});
      job.hosts = text(key, node);
    } else if (key == "listen") {
      job.listen = text(key, node);
      job.listen_source = place(node) + ": 'listen'";
    } else {
      return false;
    }
    return true;
  }

  int ranks(const std::string& what, const toml::node& node) const {
    const auto value = node.is_integer() ? node.as_integer()->get() : 0;
    if (value < 1 || value > most_ranks) {
      fail(node, what + " must be a number from 1 to " + std::to_string(most_ranks));
    }
    return static_cast<int>(value);
  }

  void set(Program& program, const std::string& key, const toml::node& node) const {
    const std::string what = "'" + key + "' of " + program.name;
    if (key == "ranks") {
      program.ranks = ranks(what, node);
    } else if (key == "command") {
      program.command = words(what, node);
    } else if (key == "serve") {
      program.serve = words(what, node);
    } else if (key == "options") {
      program.options = words(what, node);
    } else if (key == "calls") {
      program.calls = words(what, node);
    } else if (key == "launcher_options") {
      program.launcher_options = words(what, node);
    } else if (key == "environment") {
      program.environment = variables(what, node);
    } else if (key == "server") {
      if (!node.is_boolean()) fail(node, what + " must be true or false");
      program.is_server = node.as_boolean()->get();
    } else if (key == "directory") {
      if (!node.is_string()) fail(node, what + " must be a string");
      program.directory = text(what, node);
    } else {
      fail(node, program.name + " has no '" + key + "'" +
                     did_you_mean(key, {"ranks", "command", "serve", "options", "calls",
                                        "environment", "server", "directory", "launcher_options"}));
    }
  }

  Program program(const std::string& name, const toml::table& table) const {
    Program result;
    result.name = name;
    for (const auto& [key, node] : table) set(result, std::string(key.str()), node);
    if (result.command.empty() == result.serve.empty()) {
      fail(table, name + " needs either 'command', a program of its own, or 'serve', the classes " +
                      "that `sidl serve` exports");
    }
    if (!result.options.empty() && result.serve.empty()) {
      fail(table, "'options' of " + name + " are for `sidl serve`: put them into 'command'");
    }
    if (!result.serve.empty() && table.contains("server") && !result.is_server) {
      fail(table, name + " has 'serve', and is a server");
    }
    result.is_server = result.is_server || !result.serve.empty();
    return result;
  }

  void check_calls(const Job& job, const std::string& name, const toml::node& table) const {
    std::vector<std::string> servers;
    for (const Program& each : job.programs) {
      if (each.is_server) servers.push_back(each.name);
    }
    for (const std::string& callee : job.program(name).calls) {
      if (std::ranges::count(servers, callee) > 0) continue;
      const bool is_there =
          std::ranges::any_of(job.programs, [&](const Program& p) { return p.name == callee; });
      const toml::node& calls = *table.as_table()->get("calls");
      if (is_there) fail(calls, name + " calls " + callee + ", which is no server");
      fail(calls, name + " calls '" + callee + "', which is not in the job" +
                      did_you_mean(callee, servers));
    }
  }

  /** A caller finds the URLs of each in a variable of its own. */
  void check_variable(const Job& job, const std::string& name, const toml::node& table) const {
    for (const Program& other : job.programs) {
      const bool is_taken = other.name < name && urls_variable(other.name) == urls_variable(name);
      if (!is_taken) continue;
      fail(table, "the URLs of " + other.name + " and of " + name + " would both be in " +
                      urls_variable(name) + ": name one of them otherwise");
    }
  }

  static inline const std::vector<std::string> of_jobs = {"launcher", "hosts", "listen"};
  const std::string& file_;
};

/** Of a pipe as well. */
std::string text_of(const std::string& file) {
  constexpr std::streamsize most = std::streamsize{1} << 20;
  std::ifstream from(file, std::ios::binary);
  if (!from.is_open()) throw UsageError(file + ": " + std::strerror(errno));
  std::string text(most + 1, '\0');
  from.read(text.data(), most + 1);
  if (from.gcount() > most)
    throw UsageError(file + ": it is larger than 1 MiB, and so no job file");
  text.resize(static_cast<std::size_t>(from.gcount()));
  return text;
}

}  // namespace

const Program& Job::program(const std::string& name) const {
  return *std::ranges::find(programs, name, &Program::name);
}

bool Job::reaches(const Program& caller, const std::string& callee) const {
  std::set<std::string> seen;
  std::vector<std::string> next = caller.calls;
  while (!next.empty()) {
    const std::string name = next.back();
    next.pop_back();
    if (name == callee) return true;
    if (!seen.insert(name).second) continue;
    for (const std::string& each : program(name).calls) next.push_back(each);
  }
  return false;
}

Job read_job(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw UsageError(file + ": this is a folder");
  try {
    return JobReader(file).read(shinar::parse_toml(text_of(file), file));
  } catch (const toml::parse_error& error) {
    const auto line = error.source().begin.line;
    const std::string where = line > 0 ? file + ":" + std::to_string(line) : file;
    throw UsageError(where + ": " + std::string(error.description()));
  }
}

void set_ranks(Job& job, const std::string& text) {
  const std::size_t end = text.find('=');
  const std::string name = text.substr(0, end);
  const std::string number = end == std::string::npos ? "" : text.substr(end + 1);
  const auto program = std::ranges::find(job.programs, name, &Program::name);
  if (end != std::string::npos && program == job.programs.end()) {
    std::vector<std::string> names;
    for (const Program& each : job.programs) names.push_back(each.name);
    throw UsageError("--ranks: the job has no program '" + name + "'" + did_you_mean(name, names));
  }
  int ranks = 0;
  const char* const last = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), last, ranks);
  if (error != std::errc() || stop != last || ranks < 1 || ranks > most_ranks) {
    throw UsageError("--ranks: '" + text + "' is not a program and a number from 1 to " +
                     std::to_string(most_ranks) + ", such as ocean=4");
  }
  program->ranks = ranks;
}

std::string urls_variable(const std::string& program) {
  std::string result = "SIDL_URLS_";
  for (const char c : program) {
    const bool is_lower = c >= 'a' && c <= 'z';
    result += c == '-' ? '_' : static_cast<char>(is_lower ? c - 'a' + 'A' : c);
  }
  return result;
}

}  // namespace sidl_tool
