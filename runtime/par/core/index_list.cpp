#include "core/index_list.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "core/directory.hpp"

namespace shinar::par {

IndexList::IndexList(std::span<const std::int64_t> indices, std::shared_ptr<const void> keeper,
                     int rank, int ranks)
    : indices_(indices), keeper_(std::move(keeper)), rank_(rank), ranks_(ranks) {
  if (ranks < 1 || rank < 0 || rank >= ranks) {
    throw Misfit("rank " + std::to_string(rank) + " is none of " + std::to_string(ranks));
  }
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (indices_.size() > most) {
    throw Misfit("the list of rank " + std::to_string(rank) + " has " +
                 std::to_string(indices_.size()) + " indices; at most " + std::to_string(most) +
                 " are possible");
  }
}

IndexList::IndexList(int ranks) : rank_(-1), ranks_(ranks) {
  if (ranks < 1) throw Misfit("lists of indices of " + std::to_string(ranks) + " ranks");
}

std::vector<std::int64_t> indices_of(const Distribution& distribution, int rank) {
  const Part part = distribution.piece(rank).front();
  const std::int64_t lower = distribution.bounds().lower.front();
  std::vector<std::int64_t> indices;
  indices.reserve(static_cast<std::size_t>(part.size()));
  for (std::int64_t position = 0; position < part.size(); ++position) {
    indices.push_back(lower + part.index(position));
  }
  return indices;
}

IndexList IndexList::of(const Distribution& distribution, int rank) {
  const auto indices =
      std::make_shared<const std::vector<std::int64_t>>(indices_of(distribution, rank));
  return {*indices, indices, rank, distribution.ranks()};
}

// Blocks go to parts as if by chance: wherever the indices are, parts have about as many.
int part_of_directory(std::int64_t index, int parts) {
  auto block = static_cast<std::uint64_t>(index) >> kBlockBits;
  block = (block ^ (block >> 31)) * 0x9e3779b97f4a7c15U;
  block ^= block >> 29;
  return static_cast<int>(block % static_cast<std::uint64_t>(parts));
}

IndexList::Order IndexList::order(int parts) const {
  Order order;
  order.first.assign(static_cast<std::size_t>(parts) + 1, 0);
  for (const std::int64_t index : indices_) {
    ++order.first[static_cast<std::size_t>(part_of_directory(index, parts)) + 1];
  }
  std::partial_sum(order.first.begin(), order.first.end(), order.first.begin());
  std::vector<std::size_t> next(order.first.begin(), order.first.end() - 1);
  order.positions.resize(indices_.size());
  for (std::size_t position = 0; position < indices_.size(); ++position) {
    const int part = part_of_directory(indices_[position], parts);
    order.positions[next[static_cast<std::size_t>(part)]++] = static_cast<std::uint32_t>(position);
  }
  const auto by_index = [this](std::uint32_t position) { return indices_[position]; };
  for (std::size_t part = 0; part + 1 < order.first.size(); ++part) {
    const std::span positions(
        order.positions.begin() + static_cast<std::ptrdiff_t>(order.first[part]),
        order.first[part + 1] - order.first[part]);
    if (!std::ranges::is_sorted(positions, {}, by_index))
      std::ranges::sort(positions, {}, by_index);
    const auto twice = std::ranges::adjacent_find(positions, {}, by_index);
    if (twice != positions.end()) {
      throw Misfit("index " + std::to_string(indices_[*twice]) + " is in the list of rank " +
                   std::to_string(rank_) + " twice");
    }
  }
  return order;
}

std::vector<Message> messages_of(const IndexList::Order& order,
                                 std::span<const std::int32_t> peers) {
  std::map<int, std::int64_t> sizes;
  for (const std::int32_t peer : peers) ++sizes[peer];
  std::vector<Message> messages;
  std::map<int, std::vector<std::uint32_t>*> positions;
  for (const auto& [peer, size] : sizes) {
    auto here = std::make_shared<std::vector<std::uint32_t>>();
    here->reserve(static_cast<std::size_t>(size));
    positions.emplace(peer, here.get());
    messages.push_back({peer, {}, size, std::move(here)});
  }
  std::vector<std::uint32_t>* last = nullptr;
  std::int32_t of = -1;
  for (std::size_t i = 0; i < peers.size(); ++i) {
    if (last == nullptr || peers[i] != of) last = positions.at(of = peers[i]);
    last->push_back(order.positions[i]);
  }
  return messages;
}

std::vector<Message> messages_by_index(const IndexList& list, const IndexList::Order& order,
                                       std::span<const std::int32_t> peers) {
  if (order.first.size() == 2) return messages_of(order, peers);
  std::vector<std::int32_t> by_position(peers.size());
  for (std::size_t i = 0; i < peers.size(); ++i) by_position[order.positions[i]] = peers[i];
  const IndexList::Order whole = list.order(1);
  std::vector<std::int32_t> ascending;
  ascending.reserve(peers.size());
  for (const std::uint32_t position : whole.positions) ascending.push_back(by_position[position]);
  return messages_of(whole, ascending);
}

}  // namespace shinar::par
