/**
 * A job that runs: which of its programs is started when, and when and how it ends.
 */
#ifndef SIDL_TOOL_RUNNING_JOB_HPP
#define SIDL_TOOL_RUNNING_JOB_HPP

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "control.hpp"
#include "job.hpp"
#include "launchers/launcher.hpp"
#include "places.hpp"
#include "processes.hpp"
#include "report.hpp"

namespace sidl_tool {

/** How long things may take, in seconds. */
struct Patience {
  double wait;   ///< until servers serve, and ranks have come
  double grace;  ///< until processes that are told to end have
};

class RunningJob {
 public:
  RunningJob(const Job& job, const Launcher& launcher, Places& places, const Patience& patience,
             const Report& report);

  /** The exit status: that of the first process that failed. */
  int run();
  /** Prints what run() would start. */
  void print();

 private:
  using Clock = std::chrono::steady_clock;

  Start start_of(const Program& program, int rank);
  /** What has the ranks of a program started by a launcher of the site's; none: nothing has. */
  std::optional<Start> step_of(const Program& program) const;
  std::map<std::string, std::string> environment_of(const Program& program, int rank);
  std::optional<std::string> urls_of(const Program& program);
  bool is_ready(const Program& program) const;
  void start(const Program& program);
  void start_what_is_ready();
  void look_for_servers();
  bool is_waiting() const;
  void check_patience() const;
  std::vector<Ended> wait(Milliseconds time);
  /** Takes note of processes that ended; true if the job is over. */
  bool is_over(const std::vector<Ended>& ended);
  /** Of a launcher that has ended: whether that is a failure, and what is said about it. */
  Ended judged(const Ended& step) const;
  void tell(int signal);
  /** Until all have ended, the time is over, or a signal comes; false: not all have. */
  bool await_end(Milliseconds time);
  void end_all();

  const Job& job_;
  const Launcher& launcher_;
  Places& places_;
  const Patience patience_;
  const Report& report_;
  Processes processes_;
  std::optional<Control> control_;  ///< if the launcher is one of the site's
  std::set<std::string> started_;
  std::map<std::string, int> served_;               ///< how many ranks, the lowest first
  std::set<std::string> serving_;                   ///< with all ranks
  std::map<std::string, Clock::time_point> since_;  ///< when programs were started
  int status_ = 0;
  bool has_failed_ = false;
};

}  // namespace sidl_tool
#endif
