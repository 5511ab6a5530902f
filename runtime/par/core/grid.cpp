#include "core/grid.hpp"

#include <algorithm>

namespace shinar::par {
namespace {

template <typename Number>
std::string by(const std::vector<Number>& numbers) {
  std::string result;
  for (const Number each : numbers) {
    result += (result.empty() ? "" : " x ") + std::to_string(each);
  }
  return result;
}

}  // namespace

Grid::Grid(const Bounds& bounds, std::vector<int> positions, std::vector<std::int64_t> blocks)
    : positions_(std::move(positions)), blocks_(std::move(blocks)) {
  const auto axes = static_cast<std::size_t>(bounds.dimension());
  if (positions_.size() != axes || blocks_.size() != axes) {
    throw Misfit("an array of " + std::to_string(axes) +
                 " dimensions is not divided by a grid of " + std::to_string(positions_.size()) +
                 " and blocks of " + std::to_string(blocks_.size()));
  }
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::int64_t length = std::max<std::int64_t>(bounds.length(static_cast<int>(axis)), 0);
    const int count = positions_[axis];
    const std::string where = " in dimension " + std::to_string(axis);
    if (count < 1) {
      throw Misfit("a grid of ranks has " + std::to_string(count) + " positions" + where +
                   "; 1 is the least");
    }
    if (blocks_[axis] < 0) {
      throw Misfit("a block has " + std::to_string(blocks_[axis]) + " indices" + where +
                   "; 1 is the least, and 0 stands for one block a rank");
    }
    if (__builtin_mul_overflow(ranks_, count, &ranks_)) {
      throw Misfit("a grid of " + by(positions_) + " has more than 2^31 ranks");
    }
    if (blocks_[axis] == 0) blocks_[axis] = length / count + (length % count != 0 ? 1 : 0);
    blocks_[axis] = std::max<std::int64_t>(blocks_[axis], 1);
    lengths_.push_back(length);
  }
}

Part Grid::part(int axis, int position) const {
  const std::int64_t length = lengths_[axis];
  std::int64_t begin = 0;
  std::int64_t period = 0;
  if (__builtin_mul_overflow(blocks_[axis], position, &begin) || begin >= length) {
    return Part::whole(length, length);
  }
  // Where nothing is repeated, any period does.
  const bool is_once =
      __builtin_mul_overflow(blocks_[axis], positions_[axis], &period) || period >= length - begin;
  if (is_once) return Part::whole(begin, std::min(length - begin, blocks_[axis]) + begin);
  return {begin, length, blocks_[axis], period};
}

Piece Grid::piece(int rank) const {
  Piece result(positions_.size());
  for (int axis = static_cast<int>(positions_.size()) - 1; axis >= 0; --axis) {
    result[axis] = part(axis, rank % positions_[axis]);
    rank /= positions_[axis];
  }
  return result;
}

std::vector<int> Grid::positions_with(int axis, const Part& part) const {
  const int count = positions_[axis];
  const std::int64_t block = blocks_[axis];
  std::int64_t turn = 0;  // of all positions
  if (__builtin_mul_overflow(block, count, &turn)) turn = part.end;
  const std::int64_t length = part.end - part.begin;
  const std::int64_t end =
      part.begin + common_period(part.is_whole() ? 1 : part.period, turn, length);
  // Each step goes to the next block of the grid in which the part has an index. Where there are
  // more positions than indices, nobody has to remember which are known.
  std::vector<int> result;
  std::vector<bool> is_known(part.size() < count ? 0 : static_cast<std::size_t>(count), false);
  std::int64_t index = part.begin;
  while (index < end && (is_known.empty() || static_cast<int>(result.size()) < count)) {
    index = std::max(index, part.block_at(index));
    if (index >= end) break;
    const std::int64_t number = index / block;
    const auto position = static_cast<int>(number % count);
    if (is_known.empty() || !is_known[position]) result.push_back(position);
    if (!is_known.empty()) is_known[position] = true;
    index = end - number * block > block ? (number + 1) * block : end;
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<int> Grid::near(const Piece& piece) const {
  std::vector<int> result = {0};
  for (int axis = 0; axis < static_cast<int>(positions_.size()); ++axis) {
    const std::vector<int> here = positions_with(axis, piece[axis]);
    std::vector<int> longer;
    longer.reserve(result.size() * here.size());
    for (const int before : result) {
      for (const int position : here) longer.push_back(before * positions_[axis] + position);
    }
    result = std::move(longer);
  }
  return result;
}

int Grid::owner(std::span<const std::int64_t> index) const {
  int result = 0;
  for (std::size_t axis = 0; axis < positions_.size(); ++axis) {
    const auto position = static_cast<int>(index[axis] / blocks_[axis] % positions_[axis]);
    result = result * positions_[axis] + position;
  }
  return result;
}

std::string Grid::text() const {
  return "blocks of " + by(blocks_) + " on a grid of " + by(positions_);
}

}  // namespace shinar::par
