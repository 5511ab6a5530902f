// The processes of an MPI communicator.
#pragma once

#include <cstdint>

#include "impl/job.hpp"

namespace shinar::par {

// Their URLs, and this one's rank; each has a server then. `communicator` is that of Fortran.
// Collective: all throw, with the same note, if one fails.
Job job_of_communicator(std::int32_t communicator);

}  // namespace shinar::par
