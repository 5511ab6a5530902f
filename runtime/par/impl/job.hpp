// What `sidl launch` tells a process about its program.
#pragma once

#include <string>
#include <vector>

namespace shinar::par {

struct Job {
  std::vector<std::string> urls;  // of the program's ranks
  int rank;
};

// From the environment; throws Misfit if that does not say it.
Job job_of_process();

}  // namespace shinar::par
