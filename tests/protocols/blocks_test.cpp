#include <gtest/gtest.h>
#include <malloc.h>

#include <cstring>
#include <vector>

#include "core/memory.hpp"

using namespace shinar::wire;

namespace {

std::size_t in_use() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/** More blocks at once than are kept for later, and then none. */
void take_and_free(std::size_t size) {
  std::vector<Block> blocks;
  for (int i = 0; i < 80; ++i) {
    blocks.push_back(Block::allocate(size));
    std::memset(blocks.back().data(), i, size);
  }
}

}  // namespace

/** Small ones are the C library's, big ones the system's: nothing is given to the other. */
TEST(Blocks, GoBackWhereTheyCameFrom) {
  take_and_free(1);  // what a thread makes once
  drop_kept_blocks();
  const std::size_t before = in_use();
  for (std::size_t size = recycle_threshold - 200; size < recycle_threshold + 200; size += 3) {
    take_and_free(size);
    drop_kept_blocks();
    // Two small ones may be kept.
    ASSERT_LT(in_use(), before + 3 * recycle_threshold) << "blocks of " << size << " bytes";
  }
}

/** Small ones, too, but not where what is used after it was freed shall be found. */
TEST(Blocks, BigOnesAreUsedAgain) {
  for (std::size_t size = recycle_threshold - 200; size < recycle_threshold + 200; size += 3) {
    Block first = Block::allocate(size);
    if (first.capacity() < recycle_threshold) continue;
    std::byte* const place = first.data();
    first = Block();
    EXPECT_EQ(Block::allocate(size).data(), place) << "a block of " << size << " bytes";
  }
}
