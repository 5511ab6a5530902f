/**
 * What starts the ranks of programs: this machine itself, or a launcher of the site's. A file in
 * this folder is one, and has a line in launchers.def.
 */
#ifndef SIDL_TOOL_LAUNCHER_HPP
#define SIDL_TOOL_LAUNCHER_HPP

#include <memory>
#include <string>
#include <vector>

#include "job.hpp"

namespace sidl_tool {

/** What the command line of `sidl launch` says about launchers. */
struct LauncherOptions {
  std::vector<std::string> arguments;  ///< of the launcher's own, for all programs
  std::string mpiexec;                 ///< the program; empty: SIDL_MPIEXEC, or "mpiexec"
};

class Launcher {
 public:
  virtual ~Launcher() = default;

  /** Throws std::runtime_error, with what to do, if it is not there or cannot start anything. */
  virtual void check() const {}

  /** Whether it is known that all ranks will be on this machine. */
  virtual bool is_on_this_host() const { return true; }

  /**
   * The command that starts `front`, a command as well, once for each rank of a program, all at
   * once, and ends when all have ended. Empty: each rank is a process that `sidl launch` starts
   * itself.
   */
  virtual std::vector<std::string> command(const Program& program,
                                           const std::vector<std::string>& front) const = 0;

  /** The variables in which it tells a process its rank within the program; the first counts. */
  virtual std::vector<std::string> rank_variables() const { return {}; }
};

/** A kind of launcher. */
struct LauncherKind {
  const char* name;
  std::unique_ptr<Launcher> (*make)(const LauncherOptions&);
  /** Whether --launcher=auto takes it: the first that is so, in the order of launchers.def. */
  bool (*is_at_hand)();
};

#define SIDL_LAUNCHER(name) extern const LauncherKind name##_launcher;
#include "launchers/launchers.def"
#undef SIDL_LAUNCHER

/** "auto" and the names of all. */
std::vector<std::string> launcher_names();

/** The variables in which any of them tells a process its rank. */
std::vector<std::string> rank_variables();

/** By one of these names. */
std::unique_ptr<Launcher> make_launcher(const std::string& name, const LauncherOptions& options);

/** Where a program is, by PATH if its name has no '/'; empty: nowhere. */
std::string found_program(const std::string& name);

}  // namespace sidl_tool
#endif
