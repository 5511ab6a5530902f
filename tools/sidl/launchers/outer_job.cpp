/** A rank of a job may run `sidl launch` itself: a coarse simulation that starts fine ones. */
#include "launchers/outer_job.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "launchers/launcher.hpp"

namespace sidl_tool {
namespace {

/**
 * What Open MPI, MPICH and their kin, PMIx and PALS tell each rank: names, or how they begin.
 * Settings, which users make as well, are not among them, such as OMPI_MCA_btl.
 */
constexpr std::string_view told_by_launchers[] = {
    "OMPI_COMM_WORLD_",
    "OMPI_UNIVERSE_SIZE",
    "OMPI_APP_CTX_",
    "OMPI_NUM_APP_CTX",
    "OMPI_COMMAND",
    "OMPI_ARGV",
    "OMPI_FILE_LOCATION",
    "OMPI_FIRST_RANKS",
    "OMPI_MCA_ess",
    "OMPI_MCA_orte_",
    "OMPI_MCA_pmix",
    "OMPI_MCA_initial_wdir",
    "OMPI_MCA_shmem_RUNTIME_QUERY_hint",
    "PMIX_ID",
    "PMIX_RANK",
    "PMIX_NAMESPACE",
    "PMIX_SERVER_",
    "PMIX_DSTORE_",
    "PMIX_GDS_MODULE",
    "PMIX_BFROP_",
    "PMIX_SECURITY_MODE",
    "PMIX_HOSTNAME",
    "PMIX_SYSTEM_TMPDIR",
    "PMIX_VERSION",
    "PMI_",
    "HYDI_CONTROL_FD",
    "MPI_LOCALNRANKS",
    "MPI_LOCALRANKID",
    "MPIR_CVAR_CH3_INTERFACE_HOSTNAME",
    "MV2_COMM_WORLD_",
    "PALS_",
};

/** What `sidl launch` tells ranks on several hosts, and not those on one. */
constexpr std::string_view told_by_us[] = {"SIDL_URL_FILE", "SIDL_NAMES"};

bool is_told(std::string_view variable) {
  const auto begins = [&](std::string_view name) { return variable.starts_with(name); };
  return std::ranges::any_of(told_by_launchers, begins) || std::ranges::any_of(told_by_us, begins);
}

}  // namespace

void forget_outer_job() {
  std::vector<std::string> told = rank_variables();
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable(*each, std::string_view(*each).find('='));
    if (is_told(variable)) told.emplace_back(variable);
  }
  for (const std::string& each : told) ::unsetenv(each.c_str());
}

}  // namespace sidl_tool
