// Distributions and redistributions, against what counting element by element finds.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <numeric>
#include <random>

#include "core/redistribution.hpp"

namespace {

using shinar::par::Bounds;
using shinar::par::Distribution;
using shinar::par::Message;
using shinar::par::Misfit;
using shinar::par::Part;
using shinar::par::Piece;
using shinar::par::Redistribution;
using shinar::par::Storage;
using Index = std::vector<std::int64_t>;
using Side = Redistribution::Side;

// visit(index) for all of them, in row-major order.
template <typename Visit>
void for_each_index(const Bounds& bounds, Visit&& visit) {
  if (bounds.size() == 0) return;
  Index index = bounds.lower;
  while (true) {
    visit(index);
    int axis = bounds.dimension() - 1;
    while (axis >= 0 && ++index[axis] > bounds.upper[axis]) {
      index[axis] = bounds.lower[axis];
      --axis;
    }
    if (axis < 0) return;
  }
}

Index lengths_of(const Piece& piece) {
  Index result;
  for (const Part& part : piece) result.push_back(part.size());
  return result;
}

// A rank's piece of an array whose elements are their own numbers; with room around it.
class Local {
 public:
  Local(const Distribution& distribution, int rank, bool in_columns, std::int64_t room)
      : distribution_(distribution), rank_(rank), lengths_(lengths_of(distribution.piece(rank))) {
    const int axes = distribution.dimension();
    std::int64_t stride = 1;
    std::int64_t first = 0;
    strides_.resize(axes);
    for (int n = 0; n < axes; ++n) {
      const int axis = in_columns ? n : axes - 1 - n;
      strides_[axis] = stride;
      first += room * stride;
      stride *= lengths_[axis] + 2 * room;
    }
    values_.assign(stride, -1);
    first_ = first;
  }

  Storage storage() {
    Index strides;
    for (const std::int64_t stride : strides_) strides.push_back(8 * stride);
    return {reinterpret_cast<std::byte*>(values_.data() + first_), strides, 8};
  }

  template <typename Visit>
  void for_each(Visit&& visit) {
    Bounds positions{Index(lengths_.size(), 0), lengths_};
    for (std::int64_t& each : positions.upper) --each;
    for_each_index(positions, [&](const Index& position) {
      std::int64_t at = first_;
      for (std::size_t axis = 0; axis < position.size(); ++axis) {
        at += position[axis] * strides_[axis];
      }
      visit(distribution_.index(rank_, position), values_[at]);
    });
  }

  void fill() {
    for_each([&](const Index& index, std::int64_t& value) { value = number(index); });
  }

  void check() {
    std::int64_t right = 0;
    for_each([&](const Index& index, std::int64_t& value) { right += value == number(index); });
    EXPECT_EQ(right, std::accumulate(lengths_.begin(), lengths_.end(), std::int64_t{1},
                                     std::multiplies<>()));
    EXPECT_EQ(std::count(values_.begin(), values_.end(), -1),
              static_cast<std::int64_t>(values_.size()) - right);
  }

 private:
  std::int64_t number(const Index& index) const {
    std::int64_t result = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      result = result * distribution_.bounds().length(static_cast<int>(axis)) + index[axis] -
               distribution_.bounds().lower[axis];
    }
    return result;
  }

  const Distribution& distribution_;
  int rank_;
  Index lengths_;
  Index strides_;
  std::vector<std::int64_t> values_;
  std::int64_t first_ = 0;
};

// Sends an array from one distribution to another, and checks each message and each element.
void redistribute(const Distribution& from, const Distribution& to, bool in_columns) {
  SCOPED_TRACE(from.text() + " to " + to.text());
  std::map<std::pair<int, int>, std::vector<std::byte>> sent;
  for (int rank = 0; rank < from.ranks(); ++rank) {
    Local local(from, rank, in_columns, rank % 2);
    local.fill();
    const Redistribution sender(from, to, Side::Sends, rank);
    for (const Message& message : sender.messages()) {
      std::vector<std::byte>& row = sent[{rank, message.peer}];
      row.resize(static_cast<std::size_t>(message.size) * 8);
      sender.pack(message, local.storage(), row.data());
      EXPECT_EQ(sender.with(message.peer), &message);
    }
  }
  for (int rank = 0; rank < to.ranks(); ++rank) {
    Local local(to, rank, !in_columns, rank % 3);
    const Redistribution receiver(from, to, Side::Receives, rank);
    for (const Message& message : receiver.messages()) {
      const auto found = sent.find({message.peer, rank});
      ASSERT_NE(found, sent.end());
      ASSERT_EQ(found->second.size(), static_cast<std::size_t>(message.size) * 8);
      receiver.unpack(message, found->second.data(), local.storage());
      sent.erase(found);
    }
    local.check();
  }
  EXPECT_TRUE(sent.empty());
}

TEST(Parts, ShareWhatCountingFinds) {
  std::mt19937 random(1);
  const auto pick = [&](std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(0, most)(random);
  };
  for (int n = 0; n < 20'000; ++n) {
    const std::int64_t length = pick(60);
    const auto part = [&] {
      const std::int64_t block = 1 + pick(6);
      return Part{std::min(pick(8), length), length, block, block + pick(12)};
    };
    const Part a = part();
    const Part b = part();
    std::vector<std::int64_t> shared;
    std::int64_t position = 0;
    for (std::int64_t index = 0; index < length; ++index) {
      EXPECT_EQ(a.position(index), position);
      const auto is_in = [&](const Part& of) {
        return index >= of.begin && index < of.end && (index - of.begin) % of.period < of.block;
      };
      if (!is_in(a)) continue;
      EXPECT_EQ(a.index(position), index);
      if (is_in(b)) shared.push_back(position);
      ++position;
    }
    EXPECT_EQ(a.size(), position);
    std::vector<std::int64_t> found;
    const shinar::par::Overlap overlap = shinar::par::overlap(a, b);
    overlap.for_each([&](std::int64_t at, std::int64_t count, std::int64_t step) {
      for (std::int64_t each = 0; each < count; ++each) found.push_back(at + each * step);
    });
    EXPECT_EQ(found, shared);
    EXPECT_EQ(overlap.size(), static_cast<std::int64_t>(shared.size()));
  }
}

// A random one of an array; rectangles are what bisections leave.
Distribution any_distribution(const Bounds& bounds, int ranks, std::mt19937& random) {
  const auto pick = [&](std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
  };
  if (pick(0, 2) == 0 && bounds.size() > 0) {
    std::vector<Bounds> all = {bounds};
    while (static_cast<int>(all.size()) < ranks) {
      Bounds& half = all[static_cast<std::size_t>(pick(0, static_cast<int>(all.size()) - 1))];
      const auto axis = static_cast<std::size_t>(pick(0, bounds.dimension() - 1));
      Bounds other = half;
      if (half.lower[axis] <= half.upper[axis]) {
        half.upper[axis] = pick(half.lower[axis] - 1, half.upper[axis]);
        other.lower[axis] = half.upper[axis] + 1;
      }
      all.push_back(other);
    }
    std::shuffle(all.begin(), all.end(), random);
    return Distribution::rectangles(all).in_columns(pick(0, 1) == 1);
  }
  std::vector<int> grid(static_cast<std::size_t>(bounds.dimension()), 1);
  for (int n = ranks, factor = 2; n > 1;) {
    if (n % factor != 0) {
      ++factor;
      continue;
    }
    grid[static_cast<std::size_t>(pick(0, bounds.dimension() - 1))] *= factor;
    n /= factor;
  }
  std::vector<std::int64_t> blocks;
  for (int axis = 0; axis < bounds.dimension(); ++axis) blocks.push_back(pick(0, 4));
  return Distribution::grid(bounds, grid, blocks).in_columns(pick(0, 1) == 1);
}

TEST(Redistributions, BringEachElementOnceToItsPlace) {
  std::mt19937 random(2);
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  for (int n = 0; n < 600; ++n) {
    Bounds bounds;
    for (int axis = pick(1, 4); axis > 0; --axis) {
      bounds.lower.push_back(pick(-3, 3));
      bounds.upper.push_back(bounds.lower.back() + pick(n % 50 == 0 ? -1 : 0, 11));
    }
    const auto [from, to] = n % 20 == 0 ? std::pair(7, 5) : std::pair(pick(1, 4), pick(1, 4));
    redistribute(any_distribution(bounds, from, random), any_distribution(bounds, to, random),
                 n % 2 == 0);
  }
}

TEST(Redistributions, OfAllSizesOfElements) {
  const Distribution from = Distribution::grid({{0}, {9}}, {1}, {0});
  const Distribution to = Distribution::grid({{0}, {9}}, {2}, {1});
  for (const std::size_t size : {1, 2, 4, 8, 16, 24}) {
    std::vector<std::byte> piece(20 * size);
    for (std::size_t n = 0; n < piece.size(); ++n) piece[n] = static_cast<std::byte>(n);
    const Storage every_other{piece.data(), {2 * static_cast<std::int64_t>(size)}, size};
    const Redistribution sender(from, to, Side::Sends, 0);
    std::vector<std::byte> row(5 * size);
    sender.pack(sender.messages()[1], every_other, row.data());
    for (std::size_t n = 0; n < row.size(); ++n) {
      EXPECT_EQ(row[n], static_cast<std::byte>((2 * (2 * (n / size) + 1)) * size + n % size));
    }
  }
}

TEST(Distributions, KnowWhoHasWhat) {
  std::mt19937 random(3);
  for (int n = 0; n < 100; ++n) {
    const Bounds bounds{{-2, 1}, {7, 12}};
    const Distribution distribution = any_distribution(bounds, 1 + n % 6, random);
    std::int64_t total = 0;
    for (int rank = 0; rank < distribution.ranks(); ++rank) {
      total += size_of(distribution.piece(rank));
    }
    EXPECT_EQ(total, bounds.size());
    for_each_index(bounds, [&](const Index& index) {
      Index position;
      const int rank = distribution.owner(index, position);
      EXPECT_EQ(distribution.index(rank, position), index);
    });
  }
}

TEST(Distributions, OfGiantArraysTakeNoTime) {
  const std::int64_t most = (std::int64_t{1} << 62) - 1;
  const Distribution rows = Distribution::grid({{0}, {most - 1}}, {100'000}, {0});
  const Distribution turns = Distribution::grid({{0}, {most - 1}}, {90'000}, {most / 1024});
  const Redistribution sender(rows, turns, Side::Sends, 99'999);
  EXPECT_EQ(sender.messages().size(), 2U);
  EXPECT_EQ(sender.messages()[0].size + sender.messages()[1].size, sender.lengths()[0]);
  const Distribution cyclic = Distribution::grid({{0}, {most - 1}}, {3}, {1});
  const Redistribution receiver(rows, cyclic, Side::Receives, 1);
  EXPECT_EQ(receiver.messages().size(), 100'000U);
}

// Strips that lie in rows in one half, and in columns in the other.
std::vector<Bounds> strips(std::int64_t count) {
  std::vector<Bounds> result;
  for (std::int64_t n = 0; n < count; ++n) {
    result.push_back({{n, 0}, {n, count - 1}});
    result.push_back({{0, count + n}, {count - 1, count + n}});
  }
  return result;
}

TEST(Distributions, OfManyRectanglesAreChecked) {
  std::vector<Bounds> all = strips(20'000);
  EXPECT_EQ(Distribution::rectangles(all).ranks(), 40'000);
  all[777].upper[0] -= 5;  // of column 388 of the second half
  try {
    Distribution::rectangles(all);
    FAIL();
  } catch (const Misfit& thrown) {
    const std::string what = thrown.what();
    EXPECT_TRUE(what.starts_with("no rank has [1999") && what.find(", 20388]") != what.npos)
        << what;
  }
  all[777].upper[0] += 5;
  all[776].upper[1] += 1;  // of row 388
  try {
    Distribution::rectangles(all);
    FAIL();
  } catch (const Misfit& thrown) {
    EXPECT_STREQ(thrown.what(), "ranks 1 and 776 both have [388..388, 20000..20000]");
  }
}

TEST(Distributions, OfManyMoreRanksThanElements) {
  const Distribution from = Distribution::grid({{0}, {999}}, {3}, {1});
  const Distribution to = Distribution::grid({{0}, {999}}, {2'000'000'000}, {1});
  EXPECT_EQ(Redistribution(from, to, Side::Sends, 2).messages().size(), 333U);
}

// A message that says what is wrong.
template <typename Make>
std::string misfit(Make&& make) {
  try {
    make();
  } catch (const Misfit& thrown) {
    return thrown.what();
  }
  return "nothing was wrong";
}

TEST(Distributions, SayWhichRankIsWrong) {
  const auto rectangles = [](std::vector<Bounds> all) {
    return misfit([&] { Distribution::rectangles(std::move(all)); });
  };
  EXPECT_EQ(rectangles({{{0, 0}, {4, 9}}, {{8, 0}, {9, 9}}, {{4, 3}, {7, 9}}}),
            "ranks 0 and 2 both have [4..4, 3..9]");
  EXPECT_EQ(rectangles({{{0, 0}, {4, 9}}, {{5, 0}, {9, 4}}, {{6, 5}, {9, 9}}}),
            "no rank has [5, 5] of [0..9, 0..9]");
  EXPECT_EQ(rectangles({{{0}, {4}}, {{0, 0}, {4, 4}}}),
            "rank 1 has a rectangle of 2 dimensions, rank 0 one of 1");
  EXPECT_EQ(rectangles({{{0}, {-1}}}), "no rank has any element");
  EXPECT_EQ(rectangles({}), "no rank has any element");
  const auto grid = [](Bounds bounds, std::vector<int> positions, Index blocks) {
    return misfit([&] { Distribution::grid(bounds, positions, blocks); });
  };
  EXPECT_EQ(grid({{0, 0}, {9, 9}}, {2}, {0}),
            "an array of 2 dimensions is not divided by a grid of 1 and blocks of 1");
  EXPECT_EQ(grid({{0, 0}, {9, 9}}, {2, 0}, {0, 0}),
            "a grid of ranks has 0 positions in dimension 1; 1 is the least");
  EXPECT_EQ(grid({{0}, {9}}, {2}, {-1}),
            "a block has -1 indices in dimension 0; 1 is the least, and 0 stands for one block a "
            "rank");
  EXPECT_EQ(grid({{0, 0}, {9, 9}}, {65536, 65536}, {0, 0}),
            "a grid of 65536 x 65536 has more than 2^31 ranks");
  EXPECT_EQ(grid({{0}, {9, 9}}, {2}, {0}),
            "an array with 1 lowest and 2 highest indices; arrays have 1 to 7 of each");
  const std::int64_t end = std::int64_t{1} << 62;
  EXPECT_EQ(grid({{0}, {end}}, {2}, {0}),
            "the array [0..4611686018427387904] has indices that are not between -2^62 and 2^62");
  const std::int64_t huge = std::int64_t{1} << 40;
  EXPECT_EQ(grid({{0, 0}, {huge, huge}}, {2, 2}, {0, 0}),
            "the array [0..1099511627776, 0..1099511627776] has more than 2^63 elements");
  const Distribution ten = Distribution::grid({{0}, {9}}, {2}, {0});
  const Distribution twenty = Distribution::grid({{0}, {19}}, {2}, {0});
  EXPECT_EQ(misfit([&] { Redistribution(ten, twenty, Side::Sends, 0); }),
            "an array [0..9] is not one [0..19]");
  EXPECT_EQ(misfit([&] { Redistribution(ten, ten, Side::Receives, 2); }),
            "there is no rank 2: the array is divided among 2 ranks");
  Index position;
  EXPECT_EQ(misfit([&] { ten.owner(Index{10}, position); }),
            "the array [0..9] has no element [10]");
  EXPECT_EQ(misfit([&] { ten.index(0, Index{5}); }), "the piece of rank 0 has no element [5]");
}

}  // namespace
