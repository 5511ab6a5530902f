#include "running_job.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "front.hpp"

namespace sidl_tool {
namespace {

/** What is not told by an event is looked for this often. */
constexpr Milliseconds glance{20};
/** A single variable of an environment has 128 KiB at most, on Linux. */
constexpr std::size_t longest_variable = 120'000;
constexpr Milliseconds long_time{60'000};
/** Launchers of the site's may take this long to end when their ranks have. */
constexpr Milliseconds after_ranks{5'000};

Milliseconds in_milliseconds(double seconds) {
  return Milliseconds(static_cast<long>(seconds * 1000));
}

std::string in_words(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", seconds);
  return text;
}

std::string rank_name(const Program& program, int rank) {
  return program.name + "." + std::to_string(rank);
}

std::string own_path() {
  std::error_code failure;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", failure);
  return failure ? "sidl" : own.string();
}

bool is_step(const Ended& ended) {
  return ended.label == ended.program;
}

void print_start(const Start& start) {
  std::string line = start.label + ":";
  for (const auto& [name, value] : start.environment) line += " " + name + "='" + value + "'";
  for (const std::string& each : start.command) line += " " + each;
  std::puts(line.c_str());
}

}  // namespace

RunningJob::RunningJob(const Job& job, const Launcher& launcher, Places& places,
                       const Patience& patience, const Report& report)
    : job_(job),
      launcher_(launcher),
      places_(places),
      patience_(patience),
      report_(report),
      processes_([](const Start& from, int to, const std::string& lines) {
        print_labelled(from.label, to, lines);
      }) {
  processes_.guard().set_grace(in_milliseconds(patience.grace));
  places.make_folder(processes_.guard());
}

/** Separated by blanks; none as long as not all are known. */
std::optional<std::string> RunningJob::urls_of(const Program& program) {
  std::string urls;
  for (int rank = 0; rank < program.ranks; ++rank) {
    const auto url = places_.url(program, rank);
    if (!url) return {};
    urls += (rank > 0 ? " " : "") + *url;
  }
  return urls;
}

std::map<std::string, std::string> RunningJob::environment_of(const Program& program, int rank) {
  std::map<std::string, std::string> result = program.environment;
  result["SIDL_PROGRAM"] = program.name;
  result["SIDL_RANK"] = std::to_string(rank);
  result["SIDL_RANKS"] = std::to_string(program.ranks);
  result["SIDL_LISTEN"] = places_.address(program, rank);
  for (const auto& [name, value] : places_.variables(program, rank)) result[name] = value;
  std::set<std::string> known(program.calls.begin(), program.calls.end());
  known.insert(program.name);  // its ranks may form a group
  for (const std::string& each : known) {
    const auto urls = urls_of(job_.program(each));
    // Those of thousands of ranks are in the job's folder only.
    const bool fits = urls && (urls->size() < longest_variable || places_.host().empty());
    if (fits) result[urls_variable(each)] = *urls;
  }
  return result;
}

Start RunningJob::start_of(const Program& program, int rank) {
  Start result;
  result.program = program.name;
  result.label = rank_name(program, rank);
  result.command = program.command;
  result.environment = environment_of(program, rank);
  result.directory = program.directory;
  result.is_server = program.is_server;
  if (program.serve.empty()) return result;
  result.command = {own_path(), "serve", "--listen", places_.address(program, rank)};
  for (const std::string& each : program.serve) {
    result.command.insert(result.command.end(), {"--export", each});
  }
  result.command.insert(result.command.end(), program.options.begin(), program.options.end());
  return result;
}

std::optional<Start> RunningJob::step_of(const Program& program) const {
  const std::vector<std::string> front = front_command(
      {Control::file_of(places_.folder(), program.name), program.name, launcher_.rank_variables()});
  Start result;
  result.program = program.name;
  result.label = program.name;
  result.command = launcher_.command(program, front);
  result.is_launcher = true;
  result.is_server = program.is_server;
  return result.command.empty() ? std::nullopt : std::optional(result);
}

void RunningJob::print() {
  for (const Program& program : job_.programs) {
    if (const auto step = step_of(program)) print_start(*step);
    for (int rank = 0; rank < program.ranks; ++rank) print_start(start_of(program, rank));
  }
}

/** Whether all that it calls is there; who calls it in turn cannot be waited for. */
bool RunningJob::is_ready(const Program& program) const {
  return std::ranges::all_of(program.calls, [&](const std::string& callee) {
    return serving_.contains(callee) || job_.reaches(job_.program(callee), program.name);
  });
}

void RunningJob::start(const Program& program) {
  std::vector<Start> ranks;
  for (int rank = 0; rank < program.ranks; ++rank) ranks.push_back(start_of(program, rank));
  const auto step = step_of(program);
  if (!step) {
    for (const Start& each : ranks) processes_.start(each);
    return;
  }
  if (!control_) {
    control_.emplace(places_.folder(), places_.host(), in_milliseconds(patience_.grace));
  }
  // Wherever the launcher starts them.
  const auto here = std::filesystem::current_path();
  for (Start& each : ranks) each.directory = (here / each.directory).string();
  control_->expect(program.name, ranks);
  processes_.start(*step);
}

void RunningJob::start_what_is_ready() {
  for (const Program& program : job_.programs) {
    if (started_.contains(program.name) || !is_ready(program)) continue;
    start(program);
    started_.insert(program.name);
    since_[program.name] = Clock::now();
  }
}

void RunningJob::look_for_servers() {
  for (const Program& program : job_.programs) {
    const bool is_awaited =
        program.is_server && started_.contains(program.name) && !serving_.contains(program.name);
    if (!is_awaited) continue;
    int& rank = served_[program.name];
    while (rank < program.ranks && places_.is_serving(program, rank)) ++rank;
    if (rank < program.ranks) continue;
    serving_.insert(program.name);
    report_.tell("serving " + program.name + " " + urls_of(program).value_or(""));
  }
}

/** For what is not told by an event. */
bool RunningJob::is_waiting() const {
  if (started_.size() < job_.programs.size()) return true;
  return std::ranges::any_of(job_.programs, [&](const Program& each) {
    return (each.is_server && !serving_.contains(each.name)) ||
           (control_ && control_->missing(each.name));
  });
}

void RunningJob::check_patience() const {
  const std::string after = " after " + in_words(patience_.wait) + " (--wait): ";
  for (const Program& program : job_.programs) {
    const auto since = since_.find(program.name);
    const bool is_late =
        since != since_.end() && Clock::now() - since->second > in_milliseconds(patience_.wait);
    if (!is_late) continue;
    const auto missing = control_ ? control_->missing(program.name) : std::nullopt;
    if (missing) {
      throw std::runtime_error(*missing + " has not come" + after +
                               "either its launcher has not started it, or its host cannot reach "
                               "this one");
    }
    if (!program.is_server || serving_.contains(program.name)) continue;
    const int rank = served_.at(program.name);
    throw std::runtime_error(rank_name(program, rank) + " does not serve" + after +
                             places_.advice(program, rank));
  }
}

std::vector<Ended> RunningJob::wait(Milliseconds time) {
  if (!control_) return processes_.wait(time);
  std::vector<Ended> ended = processes_.wait(time, control_->descriptor());
  const std::vector<Ended> ranks = control_->handle();
  ended.insert(ended.begin(), ranks.begin(), ranks.end());
  return ended;
}

Ended RunningJob::judged(const Ended& step) const {
  Ended result = step;
  const std::string command = step_of(job_.program(step.program))->command.front();
  const std::string how =
      "'" + command + "' of " + step.program + " ended with status " + std::to_string(step.status);
  if (const auto left = control_->unfinished(step.program)) {
    result.status = std::max(step.status, 1);
    result.how = how + " without " + *left + ", which had not ended";
  } else if (step.status != 0) {
    result.how = how + ", though none of its ranks did";
  }
  return result;
}

bool RunningJob::is_over(const std::vector<Ended>& all) {
  for (const Ended& ended : all) {
    const Ended each = is_step(ended) ? judged(ended) : ended;
    const bool is_early = each.is_server && !serving_.contains(each.program);
    if (has_failed_ || (each.status == 0 && !is_early)) continue;
    has_failed_ = true;
    status_ = each.status == 0 ? 1 : each.status;
    const bool is_signal = each.status > 128 && each.status <= 128 + SIGRTMAX;
    const std::string how = is_signal          ? "by signal " + std::to_string(each.status - 128)
                            : each.status == 0 ? "before it served"
                                               : "with status " + std::to_string(each.status);
    const std::string what = each.how.empty() ? each.label + " ended " + how : each.how;
    std::fprintf(stderr, "sidl: %s; ending all others\n", what.c_str());
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

/** Launchers of the site's are not told what their ranks are told: some would kill these. */
void RunningJob::tell(int signal) {
  if (!control_) return processes_.send(signal);
  control_->send(signal);
  for (const Program& each : job_.programs) {
    if (control_->missing(each.name)) processes_.send(SIGTERM, each.name);
  }
}

bool RunningJob::await_end(Milliseconds time) {
  const auto end = Clock::now() + time;
  while (!processes_.is_empty() && Clock::now() < end) {
    wait(std::chrono::duration_cast<Milliseconds>(end - Clock::now()));
    const int signal = processes_.take_signal();
    if (signal != 0 && status_ == 0) status_ = 128 + signal;
    if (signal != 0) break;
  }
  return processes_.is_empty();
}

/** Tells all to end. Those that do not are killed, and all at once at another signal. */
void RunningJob::end_all() {
  tell(SIGTERM);
  if (await_end(in_milliseconds(patience_.grace))) return;
  tell(SIGKILL);
  if (!control_ || await_end(after_ranks)) return;
  processes_.send(SIGTERM);  // launchers that wait for what cannot be reached
  await_end(after_ranks);
}

int RunningJob::run() {
  try {
    while (true) {
      start_what_is_ready();
      look_for_servers();
      if (is_over(wait(is_waiting() ? glance : long_time))) break;
      check_patience();
    }
  } catch (...) {
    end_all();
    throw;
  }
  end_all();
  return status_ == 0 && lines_are_lost() ? 1 : status_;
}

}  // namespace sidl_tool
