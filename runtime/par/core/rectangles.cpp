#include "core/rectangles.hpp"

#include <algorithm>
#include <optional>

namespace shinar::par {
namespace {

// What two rectangles share.
Bounds shared(const Bounds& a, const Bounds& b) {
  Bounds result = a;
  for (int axis = 0; axis < a.dimension(); ++axis) {
    result.lower[axis] = std::max(a.lower[axis], b.lower[axis]);
    result.upper[axis] = std::min(a.upper[axis], b.upper[axis]);
  }
  return result;
}

// The indices of an axis at which rectangles begin, or behind which they end, within `space`.
std::vector<std::int64_t> edges_within(const Bounds& space, const std::vector<Bounds>& all,
                                       int axis) {
  std::vector<std::int64_t> result;
  for (const Bounds& each : all) {
    if (each.lower[axis] > space.lower[axis]) result.push_back(each.lower[axis]);
    if (each.upper[axis] < space.upper[axis]) result.push_back(each.upper[axis] + 1);
  }
  return result;
}

// What lies in `space` of each.
std::vector<Bounds> within(const Bounds& space, const std::vector<Bounds>& all) {
  std::vector<Bounds> result;
  for (const Bounds& each : all) {
    Bounds part = shared(each, space);
    if (part.size() > 0) result.push_back(std::move(part));
  }
  return result;
}

std::int64_t total_size(const std::vector<Bounds>& all) {
  std::int64_t result = 0;
  for (const Bounds& each : all) result += each.size();
  return result;
}

// An index of `space` that none of them has, which do not overlap. There must be one. The space is
// cut in the middle of the edges in it, until there are none.
std::vector<std::int64_t> hole_in(Bounds space, std::vector<Bounds> all) {
  while (true) {
    int axis = 0;
    std::vector<std::int64_t> edges;
    for (int each = 0; each < space.dimension(); ++each) {
      std::vector<std::int64_t> here = edges_within(space, all, each);
      if (here.size() <= edges.size()) continue;
      edges = std::move(here);
      axis = each;
    }
    if (edges.empty()) return space.lower;
    const auto middle = edges.begin() + static_cast<std::ptrdiff_t>(edges.size() / 2);
    std::ranges::nth_element(edges, middle);
    Bounds half = space;
    half.upper[axis] = *middle - 1;
    std::vector<Bounds> parts = within(half, all);
    if (total_size(parts) == half.size()) {
      half = space;
      half.lower[axis] = *middle;
      parts = within(half, all);
    }
    space = std::move(half);
    all = std::move(parts);
  }
}

// Finds two that overlap: halves of the array are looked at by themselves, until few rectangles are
// in each.
class OverlapSearch {
 public:
  explicit OverlapSearch(const std::vector<Bounds>& all) : all_(all) {}

  void search(const std::vector<int>& ranks) {
    if (ranks.size() > kFew) {
      if (const std::optional<Cut> cut = best_cut(ranks)) {
        search(chosen(ranks, [&](const Bounds& each) { return each.lower[cut->axis] < cut->at; }));
        search(chosen(ranks, [&](const Bounds& each) { return each.upper[cut->axis] >= cut->at; }));
        return;
      }
    }
    for (std::size_t at = 0; at < ranks.size(); ++at) {
      for (std::size_t next = at + 1; next < ranks.size(); ++next) compare(ranks[at], ranks[next]);
    }
  }

 private:
  static constexpr std::size_t kFew = 16;
  static constexpr std::int64_t kMostComparisons = 1'000'000'000;  // some seconds

  struct Cut {
    int axis;
    std::int64_t at;
  };

  template <typename Choose>
  std::vector<int> chosen(const std::vector<int>& ranks, Choose&& choose) const {
    std::vector<int> result;
    for (const int rank : ranks) {
      if (choose(all_[rank])) result.push_back(rank);
    }
    return result;
  }

  // That with the fewest rectangles on its larger side; none if that is nearly all of them.
  std::optional<Cut> best_cut(const std::vector<int>& ranks) const {
    std::optional<Cut> best;
    std::size_t fewest = ranks.size() - ranks.size() / 8;
    for (int axis = 0; axis < all_[ranks[0]].dimension(); ++axis) {
      std::vector<std::int64_t> begins;
      for (const int rank : ranks) begins.push_back(all_[rank].lower[axis]);
      const auto middle = begins.begin() + static_cast<std::ptrdiff_t>(begins.size() / 2);
      std::ranges::nth_element(begins, middle);
      const std::int64_t at = *middle;
      std::size_t below = 0;
      std::size_t above = 0;
      for (const int rank : ranks) {
        below += all_[rank].lower[axis] < at ? 1 : 0;
        above += all_[rank].upper[axis] >= at ? 1 : 0;
      }
      if (std::max(below, above) >= fewest) continue;
      fewest = std::max(below, above);
      best = {axis, at};
    }
    return best;
  }

  void compare(int a, int b) {
    if (++comparisons_ > kMostComparisons) {
      throw Misfit("these " + std::to_string(all_.size()) +
                   " rectangles are too entangled to be checked");
    }
    const Bounds both = shared(all_[a], all_[b]);
    if (both.size() == 0) return;
    throw Misfit("ranks " + std::to_string(std::min(a, b)) + " and " +
                 std::to_string(std::max(a, b)) + " both have " + both.text());
  }

  const std::vector<Bounds>& all_;
  std::int64_t comparisons_ = 0;
};

}  // namespace

Rectangles::Rectangles(const Bounds& whole, std::vector<Bounds> of_ranks)
    : whole_(whole), all_(std::move(of_ranks)) {
  for (int rank = 0; rank < ranks(); ++rank) {
    if (all_[rank].size() > 0) by_begin_.push_back(rank);
  }
  sort();
  OverlapSearch(all_).search(by_begin_);
  check_holes();
}

// How many pairs share indices of an axis.
std::int64_t Rectangles::pairs_along(int axis) const {
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> ends;
  for (const int rank : by_begin_) {
    begins.push_back(all_[rank].lower[axis]);
    ends.push_back(all_[rank].upper[axis]);
  }
  std::ranges::sort(begins);
  std::ranges::sort(ends);
  std::int64_t pairs = 0;
  std::size_t ended = 0;
  for (std::size_t begun = 0; begun < begins.size(); ++begun) {
    while (ends[ended] < begins[begun]) ++ended;
    pairs += static_cast<std::int64_t>(begun - ended);
  }
  return pairs;
}

void Rectangles::sort() {
  std::int64_t fewest = pairs_along(0);
  for (int axis = 1; axis < whole_.dimension() && fewest > 0; ++axis) {
    const std::int64_t pairs = pairs_along(axis);
    if (pairs < fewest) axis_ = axis;
    fewest = std::min(fewest, pairs);
  }
  std::ranges::stable_sort(by_begin_, {}, [&](int rank) { return all_[rank].lower[axis_]; });
  std::int64_t furthest = whole_.lower[axis_];
  for (const int rank : by_begin_) {
    furthest = std::max(furthest, all_[rank].upper[axis_] + 1);
    ends_.push_back(furthest);
  }
}

template <typename Visit>
void Rectangles::for_each_between(std::int64_t begin, std::int64_t end, Visit&& visit) const {
  const auto first = std::ranges::upper_bound(ends_, begin) - ends_.begin();
  for (auto at = static_cast<std::size_t>(first); at < by_begin_.size(); ++at) {
    const Bounds& each = all_[by_begin_[at]];
    if (each.lower[axis_] >= end) return;
    if (each.upper[axis_] >= begin) visit(by_begin_[at]);
  }
}

void Rectangles::check_holes() const {
  if (total_size(all_) == whole_.size()) return;
  std::vector<Bounds> all;
  for (const int rank : by_begin_) all.push_back(all_[rank]);
  const std::string hole = index_text(hole_in(whole_, std::move(all)));
  throw Misfit("no rank has " + hole + " of " + whole_.text());
}

Piece Rectangles::piece(int rank) const {
  Piece result;
  const bool is_empty = all_[rank].size() == 0;
  for (int axis = 0; axis < whole_.dimension(); ++axis) {
    const std::int64_t from = is_empty ? 0 : all_[rank].lower[axis] - whole_.lower[axis];
    const std::int64_t to = is_empty ? 0 : all_[rank].upper[axis] - whole_.lower[axis] + 1;
    result.push_back(Part::whole(from, to));
  }
  return result;
}

std::vector<int> Rectangles::near(const Piece& piece) const {
  std::vector<int> result;
  const std::int64_t base = whole_.lower[axis_];
  for_each_between(base + piece[axis_].begin, base + piece[axis_].end, [&](int rank) {
    for (int axis = 0; axis < whole_.dimension(); ++axis) {
      const std::int64_t lowest = whole_.lower[axis];
      if (all_[rank].lower[axis] >= lowest + piece[axis].end ||
          all_[rank].upper[axis] < lowest + piece[axis].begin) {
        return;
      }
    }
    result.push_back(rank);
  });
  std::ranges::sort(result);
  return result;
}

int Rectangles::owner(std::span<const std::int64_t> index) const {
  std::vector<std::int64_t> whole(index.begin(), index.end());
  for (int axis = 0; axis < whole_.dimension(); ++axis) whole[axis] += whole_.lower[axis];
  int result = 0;
  for_each_between(whole[axis_], whole[axis_] + 1, [&](int rank) {
    if (all_[rank].has(whole)) result = rank;
  });
  return result;
}

}  // namespace shinar::par
