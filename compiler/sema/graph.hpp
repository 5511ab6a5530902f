// In: nodes 0 to n-1 and for each the nodes that must come before it.
// Out: an order that respects this and otherwise keeps the numbering, and the cycles that do not
// allow any.
#pragma once

#include <cstddef>
#include <vector>

namespace shinar::sema {

struct Sorted {
  std::vector<std::size_t> order;                // without the nodes on or behind a cycle
  std::vector<std::vector<std::size_t>> cycles;  // each node needs the next, the last the first
};

Sorted sort_graph(const std::vector<std::vector<std::size_t>>& needs);

}  // namespace shinar::sema
