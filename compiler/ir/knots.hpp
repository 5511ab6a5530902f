// In: which nodes of a graph refer to which.
// Out: its knots, that is, the largest sets of nodes that all refer to each other, directly or not
// (most are a single node); each after those that it refers to.
#pragma once

#include <vector>

namespace shinar::ir {

using References = std::vector<std::vector<int>>;  // of each node, by index

std::vector<std::vector<int>> find_knots(const References& references);

}  // namespace shinar::ir
