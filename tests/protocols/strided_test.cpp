/**
 * Elements in several places, against a loop over their indices.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "core/strided.hpp"

using namespace shinar::wire;

namespace {

/** An array in which elements know where they are, and some of it by chance. */
struct Example {
  explicit Example(unsigned seed) : random(seed), element(sizes[random() % 6]) {
    const int count = 1 + static_cast<int>(random() % 4);
    std::size_t apart = element;
    for (int i = 0; i < count; ++i) {
      const std::size_t whole = 1 + random() % 9;
      const std::size_t step = random() % 3 == 0 ? 2 : 1;
      const std::size_t extent = (whole + step - 1) / step;
      const bool is_backward = random() % 4 == 0;
      const auto stride = static_cast<std::ptrdiff_t>(apart * step);
      if (is_backward) first += static_cast<std::ptrdiff_t>(extent - 1) * stride;
      dimensions.push_back({extent, is_backward ? -stride : stride});
      apart *= whole + (random() % 3 == 0 ? 1 : 0);
    }
    memory.resize(apart);
    for (std::byte& each : memory) each = static_cast<std::byte>(random());
    std::shuffle(dimensions.begin(), dimensions.end(), random);
  }
  Strided places() { return {memory.data() + first, element, dimensions}; }

  /** The offsets of all bytes in memory, in order. */
  std::vector<std::size_t> offsets() const {
    std::vector<std::size_t> all;
    std::vector<std::size_t> index(dimensions.size(), 0);
    for (;;) {
      std::ptrdiff_t at = first;
      for (std::size_t i = 0; i < index.size(); ++i) {
        at += static_cast<std::ptrdiff_t>(index[i]) * dimensions[i].stride;
      }
      for (std::size_t i = 0; i < element; ++i) all.push_back(static_cast<std::size_t>(at) + i);
      std::size_t d = 0;
      while (d < index.size() && ++index[d] == dimensions[d].extent) index[d++] = 0;
      if (d == index.size()) return all;
    }
  }

  static constexpr std::size_t sizes[] = {1, 4, 8, 8, 16, 3};
  std::mt19937 random;
  std::size_t element;
  std::ptrdiff_t first = 0;
  std::vector<Strided::Dimension> dimensions;
  std::vector<std::byte> memory;
};

TEST(Strided, GathersAndScattersAnyPart) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Example example(seed);
    const Strided places = example.places();
    const std::vector<std::size_t> offsets = example.offsets();
    ASSERT_EQ(places.size(), offsets.size()) << seed;
    const std::size_t begin = example.random() % offsets.size();
    const std::size_t size = 1 + example.random() % (offsets.size() - begin);
    std::vector<std::byte> part(size);
    places.gather(begin, part);
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(part[i], example.memory[offsets[begin + i]]) << seed << ", byte " << begin + i;
    }
    std::vector<std::byte> expected = example.memory;
    for (std::size_t i = 0; i < size; ++i) {
      part[i] = static_cast<std::byte>(example.random());
      expected[offsets[begin + i]] = part[i];
    }
    places.scatter(begin, part);
    ASSERT_EQ(example.memory, expected) << seed;
  }
}

TEST(Strided, ListsRuns) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Example example(seed);
    const Strided places = example.places();
    const std::vector<std::size_t> offsets = example.offsets();
    const std::size_t begin = example.random() % offsets.size();
    const std::size_t most = 1 + example.random() % offsets.size();
    iovec pieces[5];
    const std::size_t count = places.pieces(begin, most, pieces);
    std::size_t at = begin;
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(pieces[i].iov_base, example.memory.data() + offsets[at]) << seed;
      const std::span<std::byte> piece = places.piece(at);
      ASSERT_EQ(piece.data(), pieces[i].iov_base) << seed;
      ASSERT_GE(piece.size(), pieces[i].iov_len) << seed;
      at += pieces[i].iov_len;
    }
    ASSERT_LE(at - begin, most) << seed;
    ASSERT_TRUE(count == 5 || at == std::min(offsets.size(), begin + most)) << seed;
  }
}

/** What lies together is one run, however many dimensions it has. */
TEST(Strided, JoinsWhatLiesTogether) {
  double values[60] = {};
  const Strided whole(values, 8, {{{3, 8}, {4, 24}, {5, 96}}});
  EXPECT_TRUE(whole.is_dense());
  EXPECT_EQ(whole.run(), sizeof values);
  const Strided rows(values, 8, {{{2, 8}, {4, 24}, {5, 96}}});
  EXPECT_EQ(rows.run(), 16u);
  EXPECT_EQ(rows.size(), 320u);
  const Strided one(values, 8, {{{1, -8}, {1, 1000}}});
  EXPECT_TRUE(one.is_dense());
}

}  // namespace
