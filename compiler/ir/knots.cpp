#include "ir/knots.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace shinar::ir {
namespace {

// Tarjan's algorithm, without recursion: chains of references may be long.
class Finder {
 public:
  explicit Finder(const References& references)
      : references_(references), nodes_(references.size()) {}

  std::vector<std::vector<int>> run() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].order < 0) visit(static_cast<int>(i));
    }
    return std::move(knots_);
  }

 private:
  struct Node {
    int order = -1;  // of discovery
    int low = 0;     // lowest order reachable from here
    bool is_open = false;
    std::size_t next = 0;  // reference to follow
  };

  void enter(int node) {
    nodes_[node] = {found_, found_, true, 0};
    ++found_;
    open_.push_back(node);
    path_.push_back(node);
  }

  void visit(int root) {
    enter(root);
    while (!path_.empty()) {
      const int at = path_.back();
      Node& node = nodes_[at];
      if (node.next < references_[at].size()) {
        const int other = references_[at][node.next++];
        if (nodes_[other].order < 0) {
          enter(other);
        } else if (nodes_[other].is_open) {
          node.low = std::min(node.low, nodes_[other].order);
        }
        continue;
      }
      if (node.low == node.order) close(at);
      path_.pop_back();
      if (!path_.empty()) nodes_[path_.back()].low = std::min(nodes_[path_.back()].low, node.low);
    }
  }

  // The open nodes from `first` on are a knot.
  void close(int first) {
    std::vector<int>& knot = knots_.emplace_back();
    do {
      knot.push_back(open_.back());
      nodes_[open_.back()].is_open = false;
      open_.pop_back();
    } while (knot.back() != first);
  }

  const References& references_;
  std::vector<Node> nodes_;
  std::vector<int> open_;  // discovered, knot not complete yet
  std::vector<int> path_;
  int found_ = 0;
  std::vector<std::vector<int>> knots_;
};

}  // namespace

std::vector<std::vector<int>> find_knots(const References& references) {
  return Finder(references).run();
}

}  // namespace shinar::ir
