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

// Where one of them ends within `space`: an axis, and the first index behind.
std::optional<std::pair<int, std::int64_t>> edge_within(const Bounds& space,
                                                        const std::vector<Bounds>& all) {
  for (const Bounds& each : all) {
    for (int axis = 0; axis < space.dimension(); ++axis) {
      if (each.lower[axis] > space.lower[axis]) return std::pair(axis, each.lower[axis]);
      if (each.upper[axis] < space.upper[axis]) return std::pair(axis, each.upper[axis] + 1);
    }
  }
  return std::nullopt;
}

// An index of `space` that none of them has, which do not overlap. There must be one.
std::vector<std::int64_t> hole_in(Bounds space, std::vector<Bounds> all) {
  while (const auto edge = edge_within(space, all)) {
    const auto [axis, at] = *edge;
    Bounds half = space;
    half.upper[axis] = at - 1;
    std::vector<Bounds> within;
    std::int64_t covered = 0;
    for (const Bounds& each : all) {
      within.push_back(shared(each, half));
      covered += within.back().size();
      if (within.back().size() == 0) within.pop_back();
    }
    if (covered == half.size()) {
      half = space;
      half.lower[axis] = at;
      within.clear();
      for (const Bounds& each : all) {
        within.push_back(shared(each, half));
        if (within.back().size() == 0) within.pop_back();
      }
    }
    space = half;
    all = std::move(within);
  }
  return space.lower;
}

}  // namespace

Rectangles::Rectangles(const Bounds& whole, std::vector<Bounds> of_ranks)
    : whole_(whole), all_(std::move(of_ranks)) {
  for (int rank = 0; rank < ranks(); ++rank) {
    if (all_[rank].size() > 0) by_begin_.push_back(rank);
  }
  sort();
  check_overlaps();
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

void Rectangles::check_overlaps() const {
  for (std::size_t at = 0; at < by_begin_.size(); ++at) {
    const int rank = by_begin_[at];
    for (std::size_t next = at + 1; next < by_begin_.size(); ++next) {
      const int other = by_begin_[next];
      if (all_[other].lower[axis_] > all_[rank].upper[axis_]) break;
      const Bounds both = shared(all_[rank], all_[other]);
      if (both.size() == 0) continue;
      throw Misfit("ranks " + std::to_string(std::min(rank, other)) + " and " +
                   std::to_string(std::max(rank, other)) + " both have " + both.text());
    }
  }
}

void Rectangles::check_holes() const {
  std::int64_t covered = 0;
  for (const Bounds& each : all_) covered += each.size();
  if (covered == whole_.size()) return;
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
