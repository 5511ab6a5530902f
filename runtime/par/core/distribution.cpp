#include "core/distribution.hpp"

#include <algorithm>
#include <limits>

#include "core/grid.hpp"
#include "core/rectangles.hpp"

namespace shinar::par {
namespace {

constexpr std::int64_t kEndOfIndices = std::int64_t{1} << 62;

void check_bounds(const Bounds& bounds) {
  const std::size_t axes = bounds.lower.size();
  if (axes != bounds.upper.size() || axes < 1 || axes > kMostAxes) {
    throw Misfit("an array with " + std::to_string(axes) + " lowest and " +
                 std::to_string(bounds.upper.size()) +
                 " highest indices; arrays have 1 to 7 of each");
  }
  for (std::size_t axis = 0; axis < axes; ++axis) {
    for (const std::int64_t index : {bounds.lower[axis], bounds.upper[axis]}) {
      if (index > -kEndOfIndices && index < kEndOfIndices) continue;
      throw Misfit("the array " + bounds.text() +
                   " has indices that are not between -2^62 and 2^62");
    }
  }
}

std::string rank_text(int rank) {
  return "rank " + std::to_string(rank);
}

}  // namespace

Distribution Distribution::grid(Bounds bounds, std::vector<int> grid,
                                std::vector<std::int64_t> blocks) {
  check_bounds(bounds);
  bounds.size();  // throws if there are too many
  auto division = std::make_shared<const Grid>(bounds, std::move(grid), std::move(blocks));
  return Distribution(std::move(bounds), std::move(division));
}

Distribution Distribution::rectangles(std::vector<Bounds> of_ranks) {
  if (of_ranks.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw Misfit(std::to_string(of_ranks.size()) + " rectangles are more than there can be ranks");
  }
  Bounds whole;
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
    const Bounds& each = of_ranks[rank];
    check_bounds(each);
    if (each.dimension() != of_ranks.front().dimension()) {
      throw Misfit(rank_text(static_cast<int>(rank)) + " has a rectangle of " +
                   std::to_string(each.dimension()) + " dimensions, rank 0 one of " +
                   std::to_string(of_ranks.front().dimension()));
    }
    if (each.size() == 0) continue;
    if (whole.lower.empty()) whole = each;
    for (int axis = 0; axis < each.dimension(); ++axis) {
      whole.lower[axis] = std::min(whole.lower[axis], each.lower[axis]);
      whole.upper[axis] = std::max(whole.upper[axis], each.upper[axis]);
    }
  }
  if (whole.lower.empty()) throw Misfit("no rank has any element");
  whole.size();  // throws if there are too many
  auto division = std::make_shared<const Rectangles>(whole, std::move(of_ranks));
  return Distribution(std::move(whole), std::move(division));
}

Piece Distribution::piece(int rank) const {
  if (rank < 0 || rank >= ranks()) {
    throw Misfit("there is no " + rank_text(rank) + ": the array is divided among " +
                 std::to_string(ranks()) + " ranks");
  }
  return division_->piece(rank);
}

int Distribution::owner(std::span<const std::int64_t> index,
                        std::vector<std::int64_t>& position) const {
  if (!bounds_.has(index)) {
    throw Misfit("the array " + bounds_.text() + " has no element " + index_text(index));
  }
  std::vector<std::int64_t> from_zero(index.begin(), index.end());
  for (int axis = 0; axis < dimension(); ++axis) from_zero[axis] -= bounds_.lower[axis];
  const int rank = division_->owner(from_zero);
  const Piece piece = division_->piece(rank);
  position.resize(piece.size());
  for (int axis = 0; axis < dimension(); ++axis) {
    position[axis] = piece[axis].position(from_zero[axis]);
  }
  return rank;
}

std::vector<std::int64_t> Distribution::index(int rank,
                                              std::span<const std::int64_t> position) const {
  const Piece owned = piece(rank);
  std::vector<std::int64_t> result;
  for (int axis = 0; axis < dimension(); ++axis) {
    const bool is_there = static_cast<int>(position.size()) == dimension() && position[axis] >= 0 &&
                          position[axis] < owned[axis].size();
    if (!is_there) {
      throw Misfit("the piece of " + rank_text(rank) + " has no element " + index_text(position));
    }
    result.push_back(bounds_.lower[axis] + owned[axis].index(position[axis]));
  }
  return result;
}

Distribution Distribution::in_columns(bool is_column_major) const {
  Distribution result = *this;
  result.is_column_major_ = is_column_major;
  return result;
}

std::string Distribution::text() const {
  return bounds_.text() + " in " + division_->text() + ", " + std::to_string(ranks()) +
         (ranks() == 1 ? " rank" : " ranks");
}

}  // namespace shinar::par
