// A folder with the sockets of some processes on this machine, which only their owner can enter.
#pragma once

#include <string>

namespace shinar::par {

// Its name; empty if there cannot be one. First removes those of processes that have all ended
// without removing theirs.
std::string make_socket_folder();
// This process's socket in it. The last process that ends removes the folder.
std::string socket_in(const std::string& folder, int rank);

}  // namespace shinar::par
