#include "sema/graph.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace shinar::sema {
namespace {

using Graph = std::vector<std::vector<std::size_t>>;
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Every remaining node needs a remaining node, so following them must find a cycle.
std::vector<std::vector<std::size_t>> find_cycles(const Graph& needs,
                                                  const std::vector<std::size_t>& open) {
  std::vector<std::vector<std::size_t>> cycles;
  std::vector<std::size_t> walk_of(needs.size(), kNone);
  for (std::size_t start = 0; start < needs.size(); ++start) {
    std::vector<std::size_t> path;
    std::size_t node = start;
    while (open[node] > 0 && walk_of[node] == kNone) {
      walk_of[node] = start;
      path.push_back(node);
      node = *std::ranges::find_if(needs[node], [&](std::size_t n) { return open[n] > 0; });
    }
    if (path.empty() || walk_of[node] != start) continue;  // ran into an earlier walk
    cycles.emplace_back(std::ranges::find(path, node), path.end());
  }
  return cycles;
}

}  // namespace

// Kahn's algorithm: no recursion, so that long chains cannot exhaust the stack.
Sorted sort_graph(const Graph& needs) {
  Graph needed_by(needs.size());
  std::vector<std::size_t> open(needs.size(), 0);  // needs not yet in the order
  for (std::size_t node = 0; node < needs.size(); ++node) {
    open[node] = needs[node].size();
    for (std::size_t need : needs[node]) needed_by[need].push_back(node);
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t node = 0; node < needs.size(); ++node) {
    if (open[node] == 0) ready.push(node);
  }
  Sorted sorted;
  while (!ready.empty()) {
    const std::size_t node = ready.top();
    ready.pop();
    sorted.order.push_back(node);
    for (std::size_t other : needed_by[node]) {
      if (--open[other] == 0) ready.push(other);
    }
  }
  sorted.cycles = find_cycles(needs, open);
  return sorted;
}

}  // namespace shinar::sema
