// In: a directed graph: for each node those it needs.
// Out: its strongly connected components (nodes that need each other, directly or not), each behind
// those it needs. A chain may be as long as memory allows: nothing is recursive.
#pragma once

#include <cstddef>
#include <vector>

namespace shinar::codegen {

using Graph = std::vector<std::vector<std::size_t>>;

std::vector<std::vector<std::size_t>> components(const Graph& needs);

}  // namespace shinar::codegen
