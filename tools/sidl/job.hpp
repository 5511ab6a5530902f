/**
 * The file of a job: which programs it has, how many ranks each, and who calls whom
 * (docs/launch.md).
 */
#ifndef SIDL_TOOL_JOB_HPP
#define SIDL_TOOL_JOB_HPP

#include <map>
#include <string>
#include <vector>

namespace sidl_tool {

struct Program {
  std::string name;
  int ranks = 1;
  std::vector<std::string> command;  ///< with its arguments; empty: `sidl serve`
  std::vector<std::string> serve;    ///< the classes that `sidl serve` exports
  std::vector<std::string> options;  ///< more arguments of `sidl serve`
  bool is_server = false;            ///< ends when it is told to, and not by itself
  std::vector<std::string> calls;    ///< the programs whose URLs it needs
  std::map<std::string, std::string> environment;
  std::string directory;                      ///< in which it runs; empty: that of the launcher
  std::vector<std::string> launcher_options;  ///< arguments for what starts its ranks
};

struct Job {
  std::vector<Program> programs;  ///< by name
  std::string launcher;           ///< what starts its ranks; empty: not said
  std::string hosts;              ///< "one" or "many"; empty: not said
  std::string listen;             ///< at which address servers listen; empty: not said
  std::string listen_source;      ///< where it is said, for messages: "job.toml:2: 'listen'"

  const Program& program(const std::string& name) const;
  /** Whether `caller` calls `callee`, by itself or by way of others. */
  bool reaches(const Program& caller, const std::string& callee) const;
};

/** Throws UsageError with file and line. */
Job read_job(const std::string& file);

/**
 * Another number of ranks than the file says, "PROGRAM=NUMBER"; throws UsageError if that is not
 * such, or there is no such program.
 */
void set_ranks(Job& job, const std::string& text);

/** The variable with a program's URLs: "SIDL_URLS_ICE_SHEET" of "ice-sheet". */
std::string urls_variable(const std::string& program);

}  // namespace sidl_tool
#endif
