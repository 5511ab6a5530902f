// Which ranks have to do with each other.
#pragma once

#include <vector>

namespace shinar::par {

// Ranks of a server, ascending, to which a rank of a client sends the arguments of a collective
// call, and which answer it with the results. Every rank of either side has one of the other.
std::vector<int> driven_by(int client, int clients, int servers);
// The ranks of a client, ascending, that do so with a rank of a server.
std::vector<int> drivers_of(int server, int clients, int servers);

// Ranks of the same group to which a rank passes on what comes from rank 0.
std::vector<int> children_of(int rank, int ranks);
int parent_of(int rank);  // not of rank 0

}  // namespace shinar::par
