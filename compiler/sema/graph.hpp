// In: nodes 0 to n-1 and for each the nodes that must come before it.
// Out: a topological order that otherwise keeps the numbering, and any cycles.
#pragma once

#include <cstddef>
#include <vector>

namespace shinar::sema {

struct Sorted {
  std::vector<std::size_t> order;                // without nodes on a cycle or that depend on one
  std::vector<std::vector<std::size_t>> cycles;  // each node needs the next, the last the first
};

Sorted sort_graph(const std::vector<std::vector<std::size_t>>& needs);

}  // namespace shinar::sema
