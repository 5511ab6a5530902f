// Fifo: the order, what is erased, and that nothing is kept of what has gone.
#include "core/fifo.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

using shinar::wire::Fifo;

namespace {

std::vector<int> content(const Fifo<int>& queue) {
  return {queue.begin(), queue.end()};
}

}  // namespace

TEST(Fifo, FirstInFirstOut) {
  Fifo<int> queue;
  int next_in = 0, next_out = 0;
  for (int round = 1; round < 300; ++round) {  // grows, is never empty, and moves to the front
    for (int i = 0; i < 3; ++i) queue.push_back(next_in++);
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(queue.front(), next_out++);
      queue.pop_front();
    }
    ASSERT_EQ(queue.size(), static_cast<std::size_t>(round));
    ASSERT_EQ(queue.back(), next_in - 1);
    ASSERT_EQ(queue[queue.size() / 2], next_out + round / 2);
  }
  while (!queue.empty()) {
    ASSERT_EQ(queue.front(), next_out++);
    queue.pop_front();
  }
  EXPECT_EQ(next_out, next_in);
}

TEST(Fifo, ErasesAndInsertsBehindWhatHasGone) {
  Fifo<int> queue;
  for (int i = 0; i < 10; ++i) queue.push_back(i);
  queue.pop_front();
  queue.pop_front();
  EXPECT_EQ(queue.erase_if([](int i) { return i % 2 != 0; }), 4U);
  EXPECT_EQ(content(queue), (std::vector{2, 4, 6, 8}));
  queue.insert(queue.begin() + 1, 3);
  queue.insert(queue.begin(), 1);
  queue.erase(queue.begin() + 1);
  queue.pop_back();
  EXPECT_EQ(content(queue), (std::vector{1, 3, 4, 6}));
  queue.clear();
  EXPECT_TRUE(queue.empty());
  queue.push_back(7);
  EXPECT_EQ(content(queue), (std::vector{7}));
}

/** What waits may be the last owner of something that others wait for the end of. */
TEST(Fifo, WhatHasGoneIsDestroyedAtOnce) {
  Fifo<std::shared_ptr<int>> queue;
  const auto owned = std::make_shared<int>(1);
  queue.push_back(owned);
  queue.push_back(nullptr);
  queue.pop_front();
  EXPECT_EQ(owned.use_count(), 1);
}
