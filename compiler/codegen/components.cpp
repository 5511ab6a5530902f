#include "codegen/components.hpp"

#include <algorithm>

namespace shinar::codegen {
namespace {

constexpr std::size_t kUnseen = static_cast<std::size_t>(-1);

// Tarjan's algorithm with an explicit stack.
class Search {
 public:
  explicit Search(const Graph& needs) : needs_(needs), nodes_(needs.size()) {}

  std::vector<std::vector<std::size_t>> run() {
    for (std::size_t node = 0; node < needs_.size(); ++node) {
      if (nodes_[node].number == kUnseen) visit(node);
    }
    return std::move(components_);
  }

 private:
  struct Node {
    std::size_t number = kUnseen;  // in order of visits
    std::size_t low = 0;           // the lowest number known to be reachable
    std::size_t next = 0;          // index of the next of its needs to visit
    bool is_open = false;          // its component is not complete yet
  };

  void visit(std::size_t root) {
    enter(root);
    while (!path_.empty()) {
      const std::size_t node = path_.back();
      Node& at = nodes_[node];
      if (at.next < needs_[node].size()) {
        const std::size_t need = needs_[node][at.next++];
        const Node& other = nodes_[need];
        if (other.number == kUnseen) {
          enter(need);
        } else if (other.is_open) {
          at.low = std::min(at.low, other.number);
        }
        continue;
      }
      path_.pop_back();
      if (at.low == at.number) close(node);
      if (!path_.empty()) nodes_[path_.back()].low = std::min(nodes_[path_.back()].low, at.low);
    }
  }

  void enter(std::size_t node) {
    nodes_[node] = {count_, count_, 0, true};
    ++count_;
    path_.push_back(node);
    open_.push_back(node);
  }

  void close(std::size_t root) {
    const auto begin = std::find(open_.rbegin(), open_.rend(), root).base() - 1;
    components_.emplace_back(begin, open_.end());
    for (const std::size_t node : components_.back()) nodes_[node].is_open = false;
    open_.erase(begin, open_.end());
  }

  const Graph& needs_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> path_;  // being visited
  std::vector<std::size_t> open_;  // seen, component not complete yet
  std::size_t count_ = 0;
  std::vector<std::vector<std::size_t>> components_;
};

}  // namespace

std::vector<std::vector<std::size_t>> components(const Graph& needs) {
  return Search(needs).run();
}

}  // namespace shinar::codegen
