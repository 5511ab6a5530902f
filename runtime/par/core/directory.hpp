// One part of a directory of all indices of an array that two programs have divided by lists: which
// rank of the owner has an index, and which rank of a caller. Each part knows its indices alone.
// One of a single program has no callers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/distribution.hpp"

namespace shinar::par {

// Neighbours are in one block, and that in one part of the directory.
inline constexpr int kBlockBits = 10;

class Directory {
 public:
  // `owner` in messages.
  explicit Directory(std::string owner = "the object") : owner_(std::move(owner)) {}

  // A rank of the owner has these indices. Throws Misfit if another one has one of them, or seal()
  // does.
  void add(int rank, std::span<const std::int64_t> indices);
  // All are there.
  void seal();

  // The ranks of the owner that have these indices; -1 where none has.
  std::vector<std::int32_t> owners(std::span<const std::int64_t> indices) const;

  // Of one caller: which of its ranks has an index, by where the directory has it; -1: none has
  // said so. Of one that has claimed nothing yet they are empty.
  using Claims = std::vector<std::int32_t>;
  Claims no_claims() const { return Claims(slots_, -1); }
  // A rank of the caller has these indices; returns the owner's ranks that have them. Throws Misfit
  // if one is unknown, or another rank has claimed it.
  std::vector<std::int32_t> claim(Claims& claims, int rank,
                                  std::span<const std::int64_t> indices) const;
  // The ranks of the caller that have these indices. Throws Misfit if none has one.
  std::vector<std::int32_t> claimants(const Claims& claims,
                                      std::span<const std::int64_t> indices) const;

 private:
  struct Entry {
    std::uint16_t offset;
    std::int32_t owner;
  };
  // A block with few indices has entries, one with many an owner for each index, or -1.
  struct Block {
    std::vector<Entry> few;
    std::vector<std::int32_t> all;
    std::size_t first_slot = 0;
  };
  struct Found {
    std::int32_t owner;  // -1: the index is unknown
    std::size_t slot;
  };
  void put(Block& block, std::int64_t index, int rank);
  void spread(Block& block, std::int64_t number);
  [[noreturn]] void throw_twice(int one, int other, std::int64_t index) const;
  static Found find(const Block& block, std::int64_t index);
  template <typename Visit>
  void visit_all(std::span<const std::int64_t> indices, Visit visit) const;

  std::string owner_;
  std::unordered_map<std::int64_t, Block> blocks_;  // by number
  std::size_t slots_ = 0;
};

}  // namespace shinar::par
