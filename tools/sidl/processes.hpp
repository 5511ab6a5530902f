/**
 * The processes of a job: started, listened to, and ended together.
 */
#ifndef SIDL_TOOL_PROCESSES_HPP
#define SIDL_TOOL_PROCESSES_HPP

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "guard.hpp"

namespace sidl_tool {

/** What to start. */
struct Start {
  std::string program;
  std::string label;  ///< in front of each line that it writes: "ocean.1"
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;  ///< beside the launcher's own
  std::string directory;
  bool is_server = false;
  /** One of the site's, such as mpiexec: what it starts has somebody else who ends it. */
  bool is_launcher = false;
};

/** How a process has ended. */
struct Ended {
  std::string program;
  std::string label;
  int status = 0;  ///< as a shell has it: 128 and the signal's number if a signal ended it
  bool is_server = false;
  std::string how = "";  ///< what is said about it instead of the status; empty: nothing
};

/** Gets whole lines of a process, for standard output (1) or errors (2). */
using Sink = std::function<void(const Start& from, int to, const std::string& lines)>;

/** The lines, with a label in front of each. */
std::string labelled(const std::string& label, const std::string& lines);

/** Writes lines with the label of the process in front. Says once if that is not possible. */
void print_labelled(const std::string& label, int to, const std::string& lines);
/** Whether that was not possible. */
bool lines_are_lost();

/**
 * Children that have sessions of their own, so that what they start ends with them, in whichever
 * process group it is; launchers have groups of their own. They are told to end if the launcher is
 * killed, and killed if they do not within the time that the guard gives them. Signals to the
 * launcher are blocked, and received by wait().
 */
class Processes {
 public:
  explicit Processes(Sink sink);
  /** Kills what is left. */
  ~Processes();
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  /** Throws std::runtime_error if that is not possible. */
  void start(const Start& what);

  /**
   * Passes on what the processes write, whole lines, until one of them ends, a signal comes, `also`
   * can be read, or the time is over. Returns those that ended.
   */
  std::vector<Ended> wait(Milliseconds time, int also = -1);

  /** The signal that has come and should end the launcher; 0: none since the last time. */
  int take_signal() { return std::exchange(signal_, 0); }

  bool has_others_than_servers() const;
  bool is_empty() const { return children_.empty(); }

  /** Sends a signal to all children, and to what they have started. */
  void send(int signal) const;
  /** To those of a program. */
  void send(int signal, const std::string& program) const;

  /** What ends the processes if this one is killed. */
  const Guard& guard() const { return guard_; }

 private:
  /** A pipe from a child. */
  struct Stream {
    int fd = -1;
    int to = 1;
    std::string line;  ///< which is not complete yet
  };
  struct Child {
    Start what;
    pid_t pid = -1;
    Stream out, err;
  };

  /** Passes on what is there; false if there was nothing. */
  bool read(Child& child, Stream& stream) const;
  void close(Child& child, Stream& stream) const;
  void read_signals();
  std::set<pid_t> ended_children() const;
  std::vector<Ended> reap();

  const Sink sink_;
  Guard guard_;
  std::vector<Child> children_;
  int signals_;  ///< a signalfd
  int signal_ = 0;
};

}  // namespace sidl_tool
#endif
