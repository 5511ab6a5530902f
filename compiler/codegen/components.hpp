// In: a directed graph: for each node the nodes it needs.
// Out: its strongly connected components (nodes that need each other, directly or not), each after
// those it needs. Not recursive: chains may be as long as memory allows.
#pragma once

#include <cstddef>
#include <vector>

namespace shinar::codegen {

using Graph = std::vector<std::vector<std::size_t>>;

std::vector<std::vector<std::size_t>> components(const Graph& needs);

}  // namespace shinar::codegen
