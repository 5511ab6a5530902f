// What `sidl launch` tells a process about its program.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace shinar::par {

struct Job {
  std::vector<std::string> urls;  // of the program's ranks
  int rank;
};

// From the environment; throws Misfit if that does not say it. Where only the ranks themselves know
// their URLs, each tells the others its own, and waits for theirs: throws
// sidl.rmi.TimeOutException if one has not come by then.
Job job_of_process(std::chrono::steady_clock::time_point until);

}  // namespace shinar::par
