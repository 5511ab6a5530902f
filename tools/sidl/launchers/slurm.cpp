/** srun: each program is a step of the allocation in which `sidl launch` runs. */
#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "launchers/launcher.hpp"

namespace sidl_tool {
namespace {

const char* slurm_variable(const char* name) {
  const char* const set = std::getenv(name);
  return set == nullptr ? "" : set;
}

bool is_in_allocation() {
  return *slurm_variable("SLURM_JOB_ID") != '\0';
}

class SlurmLauncher : public Launcher {
 public:
  explicit SlurmLauncher(const LauncherOptions& options) : arguments_(options.arguments) {}

  void check() const override {
    if (found_program("srun").empty()) {
      throw std::runtime_error(
          "there is no program 'srun' to start ranks with: load the site's Slurm module, or use "
          "another --launcher");
    }
    if (is_in_allocation()) return;
    throw std::runtime_error(
        "--launcher=slurm starts steps of an allocation, and this is in none (SLURM_JOB_ID): run "
        "it in a batch script (sbatch), or by salloc");
  }

  /** Not a shell of salloc's: that may be on another host than the nodes. */
  bool is_on_this_host() const override {
    return std::string(slurm_variable("SLURM_JOB_NUM_NODES")) == "1" &&
           *slurm_variable("SLURMD_NODENAME") != '\0';
  }

  std::vector<std::string> command(const Program& program,
                                   const std::vector<std::string>& front) const override {
    std::vector<std::string> own = arguments_;
    own.insert(own.end(), program.launcher_options.begin(), program.launcher_options.end());
    std::vector<std::string> result = {"srun", "--ntasks=" + std::to_string(program.ranks),
                                       "--job-name=" + program.name, "--input=none",
                                       // The others of a program end by sidl launch.
                                       "--kill-on-bad-exit=0"};
    // As many nodes as the allocation has, unless the program has fewer ranks.
    if (program.ranks < std::atoi(slurm_variable("SLURM_JOB_NUM_NODES"))) {
      result.push_back("--nodes=" + std::to_string(program.ranks));
    }
    // Programs run beside each other, on all processors of the allocation, unless the job divides
    // these among them.
    if (std::ranges::count(own, "--exact") == 0) result.emplace_back("--overlap");
    result.insert(result.end(), own.begin(), own.end());
    result.insert(result.end(), front.begin(), front.end());
    return result;
  }

  std::vector<std::string> rank_variables() const override { return {"SLURM_PROCID"}; }

 private:
  const std::vector<std::string> arguments_;
};

}  // namespace

const LauncherKind slurm_launcher = {
    "slurm",
    [](const LauncherOptions& options) -> std::unique_ptr<Launcher> {
      return std::make_unique<SlurmLauncher>(options);
    },
    [] { return is_in_allocation() && !found_program("srun").empty(); },
};

}  // namespace sidl_tool
