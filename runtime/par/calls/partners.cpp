#include "calls/partners.hpp"

namespace shinar::par {
namespace {

// Of `others`, those that `rank` has to do with, when each of the larger side has one partner.
std::vector<int> partners(int rank, int ranks, int others) {
  std::vector<int> result;
  if (ranks > others) return {rank % others};
  for (int each = rank; each < others; each += ranks) result.push_back(each);
  return result;
}

}  // namespace

std::vector<int> driven_by(int client, int clients, int servers) {
  return partners(client, clients, servers);
}

std::vector<int> drivers_of(int server, int clients, int servers) {
  return partners(server, servers, clients);
}

std::vector<int> children_of(int rank, int ranks) {
  std::vector<int> result;
  for (int each = 2 * rank + 1; each <= 2 * rank + 2 && each < ranks; ++each) {
    result.push_back(each);
  }
  return result;
}

int parent_of(int rank) {
  return (rank - 1) / 2;
}

}  // namespace shinar::par
