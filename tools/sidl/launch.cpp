#include "launch.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "job.hpp"
#include "processes.hpp"
#include "usage_error.hpp"

namespace sidl_tool {
namespace {

using Milliseconds = std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr const char* launch_footer = R"(
JOB is a file in TOML with a table for each program:

  [ocean]
  ranks = 3
  serve = ["ocean.Part"]

  [atmosphere]
  command = ["python3", "atmosphere.py"]
  calls = ["ocean"]

Each line that a process writes gets its program and rank in front. The job ends
when all processes but servers have, and when one fails: then all others are told
to end, and the exit status is that of the first one that failed.)";

Milliseconds in_milliseconds(double seconds) {
  return Milliseconds(static_cast<long>(seconds * 1000));
}

/** A folder that only its owner can enter, with the servers' sockets. */
class SocketFolder {
 public:
  SocketFolder() {
    const char* const parent = std::getenv("XDG_RUNTIME_DIR");
    const bool is_usable = parent != nullptr && ::access(parent, W_OK | X_OK) == 0;
    std::string name = std::string(is_usable ? parent : "/tmp") + "/sidl-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("cannot make a folder " + name + ": " + std::strerror(errno));
    }
    path_ = name;
  }
  ~SocketFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  SocketFolder(const SocketFolder&) = delete;
  SocketFolder& operator=(const SocketFolder&) = delete;

  std::string socket(const Program& program, int rank) const {
    return path_ + "/" + program.name + "." + std::to_string(rank);
  }
  std::string url(const Program& program, int rank) const {
    return "simhandle+unix://" + socket(program, rank);
  }
  bool has_listener(const Program& program, int rank) const {
    struct sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    const std::string path = socket(program, rank);
    if (path.size() >= sizeof address.sun_path) return false;
    path.copy(address.sun_path, path.size());
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto* const any = reinterpret_cast<const struct sockaddr*>(&address);
    const bool is_there = fd >= 0 && ::connect(fd, any, sizeof address) == 0;
    if (fd >= 0) ::close(fd);
    return is_there;
  }

 private:
  std::string path_;
};

class Launch {
 public:
  Launch(const Job& job, const LaunchOptions& options) : job_(job), options_(options) {}

  int run();
  /** Prints what run() would start. */
  void print() const;

 private:
  Start start_of(const Program& program, int rank) const;
  std::map<std::string, std::string> environment_of(const Program& program, int rank) const;
  bool is_ready(const Program& program) const;
  void start_what_is_ready();
  void look_for_listeners();
  void check_patience() const;
  /** Takes note of processes that ended; true if the job is over. */
  bool is_over(const std::vector<Ended>& ended);
  void end_all();

  const Job& job_;
  const LaunchOptions& options_;
  SocketFolder folder_;
  Processes processes_;
  std::set<std::string> started_;
  std::set<std::string> serving_;                   ///< with all ranks
  std::map<std::string, Clock::time_point> since_;  ///< when servers were started
  int status_ = 0;
  bool has_failed_ = false;
};

std::map<std::string, std::string> Launch::environment_of(const Program& program, int rank) const {
  std::map<std::string, std::string> result = program.environment;
  result["SIDL_PROGRAM"] = program.name;
  result["SIDL_RANK"] = std::to_string(rank);
  result["SIDL_RANKS"] = std::to_string(program.ranks);
  result["SIDL_LISTEN"] = folder_.url(program, rank);
  std::set<std::string> known(program.calls.begin(), program.calls.end());
  known.insert(program.name);  // its ranks may form a group
  for (const std::string& each : known) {
    const Program& callee = job_.program(each);
    std::string urls;
    for (int other = 0; other < callee.ranks; ++other) {
      urls += (other > 0 ? " " : "") + folder_.url(callee, other);
    }
    result[urls_variable(each)] = urls;
  }
  return result;
}

Start Launch::start_of(const Program& program, int rank) const {
  Start result{program.name,      program.name + "." + std::to_string(rank),
               program.command,   environment_of(program, rank),
               program.directory, program.is_server};
  if (!program.serve.empty()) {
    std::error_code failure;
    const auto own = std::filesystem::read_symlink("/proc/self/exe", failure);
    result.command = {failure ? "sidl" : own.string(), "serve", "--listen",
                      folder_.url(program, rank)};
    for (const std::string& each : program.serve) {
      result.command.insert(result.command.end(), {"--export", each});
    }
    result.command.insert(result.command.end(), program.options.begin(), program.options.end());
  }
  return result;
}

void Launch::print() const {
  for (const Program& program : job_.programs) {
    for (int rank = 0; rank < program.ranks; ++rank) {
      const Start start = start_of(program, rank);
      std::string line = start.label + ":";
      for (const auto& [name, value] : start.environment) line += " " + name + "='" + value + "'";
      for (const std::string& each : start.command) line += " " + each;
      std::puts(line.c_str());
    }
  }
}

/** Whether all that it calls is there; who calls it in turn cannot be waited for. */
bool Launch::is_ready(const Program& program) const {
  return std::ranges::all_of(program.calls, [&](const std::string& callee) {
    return serving_.contains(callee) || job_.reaches(job_.program(callee), program.name);
  });
}

void Launch::start_what_is_ready() {
  for (const Program& program : job_.programs) {
    if (started_.contains(program.name) || !is_ready(program)) continue;
    for (int rank = 0; rank < program.ranks; ++rank) processes_.start(start_of(program, rank));
    started_.insert(program.name);
    since_[program.name] = Clock::now();
  }
}

void Launch::look_for_listeners() {
  for (const Program& program : job_.programs) {
    const bool is_awaited =
        program.is_server && started_.contains(program.name) && !serving_.contains(program.name);
    if (!is_awaited) continue;
    int rank = 0;
    while (rank < program.ranks && folder_.has_listener(program, rank)) ++rank;
    if (rank == program.ranks) serving_.insert(program.name);
  }
}

void Launch::check_patience() const {
  for (const Program& program : job_.programs) {
    const auto since = since_.find(program.name);
    const bool is_late = program.is_server && since != since_.end() &&
                         !serving_.contains(program.name) &&
                         Clock::now() - since->second > in_milliseconds(options_.wait);
    if (!is_late) continue;
    int rank = 0;
    while (rank + 1 < program.ranks && folder_.has_listener(program, rank)) ++rank;
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%g", options_.wait);
    throw std::runtime_error(program.name + "." + std::to_string(rank) + " does not serve after " +
                             seconds + " s (--wait): nobody listens at $SIDL_LISTEN, " +
                             folder_.url(program, rank));
  }
}

bool Launch::is_over(const std::vector<Ended>& ended) {
  for (const Ended& each : ended) {
    const bool is_early = each.is_server && !serving_.contains(each.program);
    if (has_failed_ || (each.status == 0 && !is_early)) continue;
    has_failed_ = true;
    status_ = each.status == 0 ? 1 : each.status;
    const std::string how = each.status > 128  ? "by signal " + std::to_string(each.status - 128)
                            : each.status == 0 ? "before it served"
                                               : "with status " + std::to_string(each.status);
    std::fprintf(stderr, "sidl: %s ended %s; ending all others\n", each.label.c_str(), how.c_str());
  }
  if (has_failed_) return true;
  if (const int signal = processes_.take_signal(); signal != 0) {
    status_ = 128 + signal;
    return true;
  }
  const bool has_work =
      std::ranges::any_of(job_.programs, [](const Program& each) { return !each.is_server; });
  const bool has_started_all = started_.size() == job_.programs.size();
  const bool is_done = has_work ? !processes_.has_others_than_servers() : processes_.is_empty();
  return has_started_all && is_done;
}

/** Tells all to end. Those that do not are killed, and all at once at another signal. */
void Launch::end_all() {
  processes_.send(SIGTERM);
  const auto end = Clock::now() + in_milliseconds(options_.grace);
  while (!processes_.is_empty() && Clock::now() < end) {
    processes_.wait(std::chrono::duration_cast<Milliseconds>(end - Clock::now()));
    const int signal = processes_.take_signal();
    if (signal != 0 && status_ == 0) status_ = 128 + signal;
    if (signal != 0) return;
  }
}

int Launch::run() {
  try {
    while (true) {
      start_what_is_ready();
      look_for_listeners();
      const bool is_waiting = started_.size() < job_.programs.size() ||
                              std::ranges::any_of(job_.programs, [&](const Program& each) {
                                return each.is_server && !serving_.contains(each.name);
                              });
      if (is_over(processes_.wait(is_waiting ? Milliseconds(20) : Milliseconds(60'000)))) break;
      check_patience();
    }
  } catch (...) {
    end_all();
    throw;
  }
  end_all();
  return status_;
}

}  // namespace

CLI::App* add_launch(CLI::App& app, LaunchOptions& options) {
  CLI::App* const command =
      app.add_subcommand("launch", "Start the programs of a job, each with its ranks");
  command->add_option("JOB", options.job, "The job, in TOML")->type_name("")->required();
  const auto add = [&](const char* name, double& to, const char* about) {
    command->add_option(name, to, about)
        ->type_name("SECONDS")
        ->check([](const std::string& given) {
          const double seconds = std::strtod(given.c_str(), nullptr);
          return seconds >= 0 && seconds <= 1e6 ? "" : "must be from 0 to 1000000, not " + given;
        })
        ->capture_default_str();
  };
  add("--wait", options.wait, "How long servers may take until they serve");
  add("--grace", options.grace, "How long processes may take to end when they are told to");
  command->add_flag("--dry-run", options.is_dry_run,
                    "Print what would be started, and start nothing");
  command->footer(launch_footer);
  return command;
}

int launch(const LaunchOptions& options) {
  const Job job = read_job(options.job);
  Launch launch(job, options);
  if (!options.is_dry_run) return launch.run();
  launch.print();
  return 0;
}

}  // namespace sidl_tool
