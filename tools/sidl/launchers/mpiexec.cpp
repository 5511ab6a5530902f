/** mpiexec of Open MPI, MPICH and those that are built on it, and what else has its -n. */
#include <cstdlib>
#include <stdexcept>

#include "launchers/launcher.hpp"

namespace sidl_tool {
namespace {

constexpr const char* mpiexec_variable = "SIDL_MPIEXEC";

std::string mpiexec_of(const LauncherOptions& options) {
  if (!options.mpiexec.empty()) return options.mpiexec;
  const char* const set = std::getenv(mpiexec_variable);
  return set == nullptr || *set == '\0' ? "mpiexec" : set;
}

class MpiexecLauncher : public Launcher {
 public:
  explicit MpiexecLauncher(const LauncherOptions& options)
      : program_(mpiexec_of(options)), arguments_(options.arguments) {}

  void check() const override {
    if (!found_program(program_).empty()) return;
    throw std::runtime_error("there is no program '" + program_ +
                             "' to start ranks with: load the site's MPI module, name the program "
                             "by --mpiexec or " +
                             mpiexec_variable + ", or use another --launcher");
  }

  std::vector<std::string> command(const Program& program,
                                   const std::vector<std::string>& front) const override {
    std::vector<std::string> result = {program_, "-n", std::to_string(program.ranks)};
    for (const auto* more : {&arguments_, &program.launcher_options, &front}) {
      result.insert(result.end(), more->begin(), more->end());
    }
    return result;
  }

  std::vector<std::string> rank_variables() const override {
    return {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "PALS_RANKID", "MV2_COMM_WORLD_RANK"};
  }

 private:
  const std::string program_;
  const std::vector<std::string> arguments_;
};

}  // namespace

const LauncherKind mpiexec_launcher = {
    "mpiexec",
    [](const LauncherOptions& options) -> std::unique_ptr<Launcher> {
      return std::make_unique<MpiexecLauncher>(options);
    },
    [] { return false; },
};

}  // namespace sidl_tool
