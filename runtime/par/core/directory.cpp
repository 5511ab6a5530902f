#include "core/directory.hpp"

#include <algorithm>
#include <string>

namespace shinar::par {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << kBlockBits;
// Entries take twice as much memory as owners.
constexpr std::size_t kFew = kBlock / 2;

std::uint16_t offset_of(std::int64_t index) {
  return static_cast<std::uint16_t>(index & static_cast<std::int64_t>(kBlock - 1));
}

}  // namespace

void Directory::throw_twice(int one, int other, std::int64_t index) const {
  throw Misfit("ranks " + std::to_string(one) + " and " + std::to_string(other) + " of " + owner_ +
               " both have index " + std::to_string(index));
}

void Directory::add(int rank, std::span<const std::int64_t> indices) {
  std::int64_t number = 0;
  Block* block = nullptr;
  for (const std::int64_t index : indices) {
    if (block == nullptr || index >> kBlockBits != number) {
      number = index >> kBlockBits;
      block = &blocks_[number];
    }
    put(*block, index, rank);
    if (block->few.size() > kFew) spread(*block, number);
  }
}

void Directory::put(Block& block, std::int64_t index, int rank) {
  const std::uint16_t offset = offset_of(index);
  if (block.all.empty()) {
    block.few.push_back({offset, rank});
    return;
  }
  std::int32_t& owner = block.all[offset];
  if (owner >= 0) throw_twice(owner, rank, index);
  owner = rank;
}

void Directory::spread(Block& block, std::int64_t number) {
  block.all.assign(kBlock, -1);
  for (const Entry& each : block.few) {
    put(block, (number << kBlockBits) + each.offset, each.owner);
  }
  block.few = {};
}

void Directory::seal() {
  for (auto& [number, block] : blocks_) {
    std::ranges::sort(block.few, {}, &Entry::offset);
    const auto twice = std::ranges::adjacent_find(block.few, {}, &Entry::offset);
    if (twice != block.few.end()) {
      throw_twice(twice->owner, std::next(twice)->owner, (number << kBlockBits) + twice->offset);
    }
    block.few.shrink_to_fit();
    block.first_slot = slots_;
    slots_ += block.all.empty() ? block.few.size() : kBlock;
  }
}

Directory::Found Directory::find(const Block& block, std::int64_t index) {
  const std::uint16_t offset = offset_of(index);
  if (!block.all.empty()) return {block.all[offset], block.first_slot + offset};
  const auto at = std::ranges::lower_bound(block.few, offset, {}, &Entry::offset);
  if (at == block.few.end() || at->offset != offset) return {-1, 0};
  return {at->owner, block.first_slot + static_cast<std::size_t>(at - block.few.begin())};
}

template <typename Visit>
void Directory::visit_all(std::span<const std::int64_t> indices, Visit visit) const {
  static const Block nothing;
  std::int64_t number = 0;
  const Block* block = nullptr;
  for (const std::int64_t index : indices) {
    if (block == nullptr || index >> kBlockBits != number) {
      number = index >> kBlockBits;
      const auto found = blocks_.find(number);
      block = found == blocks_.end() ? &nothing : &found->second;
    }
    visit(index, find(*block, index));
  }
}

std::vector<std::int32_t> Directory::owners(std::span<const std::int64_t> indices) const {
  std::vector<std::int32_t> owners;
  owners.reserve(indices.size());
  visit_all(indices, [&](std::int64_t, Found found) { owners.push_back(found.owner); });
  return owners;
}

std::vector<std::int32_t> Directory::claim(Claims& claims, int rank,
                                           std::span<const std::int64_t> indices) const {
  std::vector<std::int32_t> owners;
  owners.reserve(indices.size());
  visit_all(indices, [&](std::int64_t index, Found found) {
    if (found.owner < 0) {
      throw Misfit("index " + std::to_string(index) + " of rank " + std::to_string(rank) +
                   " of the callers is on no rank of the object");
    }
    std::int32_t& claimed = claims[found.slot];
    if (claimed >= 0) {
      throw Misfit("ranks " + std::to_string(claimed) + " and " + std::to_string(rank) +
                   " of the callers both have index " + std::to_string(index));
    }
    claimed = rank;
    owners.push_back(found.owner);
  });
  return owners;
}

std::vector<std::int32_t> Directory::claimants(const Claims& claims,
                                               std::span<const std::int64_t> indices) const {
  std::vector<std::int32_t> ranks;
  ranks.reserve(indices.size());
  visit_all(indices, [&](std::int64_t index, Found found) {
    if (found.owner < 0 || found.slot >= claims.size() || claims[found.slot] < 0) {
      throw Misfit("index " + std::to_string(index) +
                   " of the object is on no rank of the callers");
    }
    ranks.push_back(claims[found.slot]);
  });
  return ranks;
}

}  // namespace shinar::par
