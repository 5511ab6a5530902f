// Arrays of one dimension whose elements may be anywhere, as in unstructured meshes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/redistribution.hpp"

namespace shinar::par {

// What a rank has of a distribution of one dimension; ascending.
std::vector<std::int64_t> indices_of(const Distribution& distribution, int rank);

// The indices that one rank has; their order is that of its piece. No rank knows another one's.
// Immutable, as long as nobody changes the indices.
class IndexList {
 public:
  // The indices live as long as `keeper`.
  IndexList(std::span<const std::int64_t> indices, std::shared_ptr<const void> keeper, int rank,
            int ranks);
  // Another rank's, of which only the number of ranks is known.
  explicit IndexList(int ranks);
  // What indices_of returns.
  static IndexList of(const Distribution& distribution, int rank);

  int rank() const { return rank_; }  // -1: another one's
  int ranks() const { return ranks_; }
  std::int64_t size() const { return static_cast<std::int64_t>(indices_.size()); }
  std::int64_t operator[](std::size_t position) const { return indices_[position]; }

  // All positions, by the parts of a directory that know their indices, and ascending by index in
  // each.
  struct Order {
    std::vector<std::uint32_t> positions;
    std::vector<std::size_t> first;  // of each part, and of one more
  };
  // For a directory of so many parts. Throws Misfit if an index is there twice.
  Order order(int parts) const;

 private:
  std::span<const std::int64_t> indices_;
  std::shared_ptr<const void> keeper_;
  int rank_;
  int ranks_;
};

// The part of a directory that knows an index. Neighbours are mostly in the same one.
int part_of_directory(std::int64_t index, int parts);

// What is exchanged with each rank of the other side, given those that have the indices in `order`.
// Both sides find the elements of a message in the same order.
std::vector<Message> messages_of(const IndexList::Order& order,
                                 std::span<const std::int32_t> peers);
// The same where the sides have asked directories of different numbers of parts: the elements of a
// message ascend by index.
std::vector<Message> messages_by_index(const IndexList& list, const IndexList::Order& order,
                                       std::span<const std::int32_t> peers);

}  // namespace shinar::par
