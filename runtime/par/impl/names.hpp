// Where ranks of a job find each other, if not in their environment: a folder that their hosts
// share, with a file for each rank that has its URL (docs/launch.md).
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace shinar::par {

// Of all ranks of a program, in their order. Throws sidl.rmi.TimeOutException, with the name of a
// rank, if one has not come by then.
std::vector<std::string> await_urls(const std::string& folder, const std::string& program,
                                    int ranks, std::chrono::steady_clock::time_point until);

}  // namespace shinar::par
