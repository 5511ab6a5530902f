// What a rank's share of a redistribution costs: as programs grow to 100,000 ranks, which are not
// there (what would be sent is counted), and packing and unpacking beside copying. Prints a row of
// JSON for each.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "sidl_par_Distribution.hxx"
#include "sidl_par_Redistribution.hxx"

namespace {

using Clock = std::chrono::steady_clock;
using Longs = sidl::array<std::int64_t>;
using sidl::par::Distribution;
using sidl::par::Redistribution;

constexpr int kSamples = 50;                 // ranks of which shares are made
constexpr std::int64_t kOfRank = 1'000'000;  // elements of each rank

Longs longs(std::vector<std::int64_t> values) {
  return Longs::create1d(static_cast<std::int64_t>(values.size()), values.data());
}

sidl::array<std::int32_t> ints(std::vector<std::int32_t> values) {
  return sidl::array<std::int32_t>::create1d(static_cast<std::int64_t>(values.size()),
                                             values.data());
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double microseconds(const std::function<void()>& work) {
  const auto before = Clock::now();
  work();
  return std::chrono::duration<double, std::micro>(Clock::now() - before).count();
}

// The grid of so many ranks that is nearest to a square.
std::vector<std::int32_t> square(std::int32_t ranks) {
  auto rows = static_cast<std::int32_t>(std::sqrt(static_cast<double>(ranks)));
  while (ranks % rows != 0) --rows;
  return {rows, ranks / rows};
}

// Columns of equal widths, one for each rank, as rectangles.
Distribution columns(std::int32_t ranks, std::int64_t side) {
  auto lower = Longs::create2dRow(ranks, 2);
  auto upper = Longs::create2dRow(ranks, 2);
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    lower.set(rank, 0, 0);
    upper.set(rank, 0, side - 1);
    lower.set(rank, 1, side * rank / ranks);
    upper.set(rank, 1, side * (rank + 1) / ranks - 1);
  }
  return Distribution::rectangles(lower, upper);
}

struct Pair {
  const char* name;
  Distribution source, target;
};

// From `ranks` ranks to three quarters of them; the array grows with the ranks.
std::vector<Pair> pairs(std::int32_t ranks) {
  const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(kOfRank) * ranks));
  const std::int32_t others = std::max(1, ranks / 4 * 3);
  const Longs lower = longs({0, 0});
  const Longs upper = longs({side - 1, side - 1});
  const Distribution tiles = Distribution::blocks(lower, upper, ints(square(ranks)));
  return {{"tiles > tiles", tiles, Distribution::blocks(lower, upper, ints(square(others)))},
          {"tiles > columns", tiles, columns(others, side)},
          {"tiles > block-cyclic", tiles,
           Distribution::blockCyclic(lower, upper, ints(square(others)), longs({512, 512}))}};
}

void growth(std::int32_t ranks) {
  for (const Pair& pair : pairs(ranks)) {
    std::vector<double> times, messages, bytes;
    for (int sample = 0; sample < kSamples; ++sample) {
      const auto rank = static_cast<std::int32_t>(std::int64_t{sample} * ranks / kSamples);
      Redistribution share;
      times.push_back(microseconds(
          [&] { share = Redistribution::createSender(pair.source, pair.target, rank); }));
      const auto peers = share.getPeers();
      double elements = 0;
      for (const std::int32_t peer : peers) elements += static_cast<double>(share.getSize(peer));
      messages.push_back(static_cast<double>(peers.length64()));
      bytes.push_back(8 * elements);
    }
    std::printf(
        "{\"what\": \"growth\", \"pair\": \"%s\", \"ranks\": %d, \"messages\": %.0f, "
        "\"most\": %.0f, \"bytes\": %.0f, \"us\": %.1f}\n",
        pair.name, static_cast<int>(ranks), median(messages), *std::ranges::max_element(messages),
        median(bytes), median(times));
  }
}

// Rank 0 of a 64 MiB array: what it sends, beside as many bytes that are copied.
void packing(const char* name, const Distribution& source, const Distribution& target,
             int repeats) {
  const Longs lengths = source.getLengths(0);
  const auto piece = sidl::array<double>::create2dRow(lengths.get(0), lengths.get(1));
  std::ranges::fill(piece.span(), 1.5);
  const auto share = Redistribution::createSender(source, target, 0);
  const auto peers = share.getPeers();
  const std::size_t bytes = piece.span().size_bytes();
  std::vector<char> copy(bytes);
  std::vector<double> packed, copied, unpacked;
  const auto back = Redistribution::createReceiver(target, source, 0);
  for (int n = 0; n < repeats; ++n) {
    std::vector<sidl::basearray> sent;
    sidl::basearray into = piece;
    packed.push_back(microseconds([&] {
      for (const std::int32_t peer : peers) sent.push_back(share.pack(peer, piece));
    }));
    unpacked.push_back(microseconds([&] {
      for (std::int32_t i = 0; i < peers.length(); ++i) back.unpack(peers.get(i), sent[i], into);
    }));
    // As pack does, into memory that is new.
    copied.push_back(microseconds([&] {
      auto fresh = sidl::array<double>::create1d(static_cast<std::int64_t>(bytes / 8));
      std::memcpy(fresh.first(), piece.first(), bytes);
    }));
    std::memcpy(copy.data(), piece.first(), bytes);
  }
  std::vector<double> plain;
  for (int n = 0; n < repeats; ++n) {
    plain.push_back(microseconds([&] { std::memcpy(copy.data(), piece.first(), bytes); }));
  }
  std::printf(
      "{\"what\": \"packing\", \"pair\": \"%s\", \"bytes\": %zu, \"pack_us\": %.1f, "
      "\"new_us\": %.1f, \"unpack_us\": %.1f, \"copy_us\": %.1f}\n",
      name, bytes, median(packed), median(copied), median(unpacked), median(plain));
}

}  // namespace

int main(int count, char** arguments) {
  const bool is_quick = count > 1 && std::strcmp(arguments[1], "quick") == 0;
  const std::int32_t most = is_quick ? 1'000 : 100'000;
  for (std::int32_t ranks = 10; ranks <= most; ranks *= 10) growth(ranks);
  const std::int64_t side = is_quick ? 512 : 2896;  // 64 MiB
  const Longs lower = longs({0, 0});
  const Longs upper = longs({side - 1, side - 1});
  const Distribution rows = Distribution::blocks(lower, upper, ints({4, 1}));
  const auto turns = [&](std::int64_t block) {
    return Distribution::blockCyclic(lower, upper, ints({3, 1}), longs({block, side}));
  };
  const int repeats = is_quick ? 3 : 21;
  packing("rows > rows in turn", rows, turns(16), repeats);
  packing("rows > tiles of 64", rows,
          Distribution::blockCyclic(lower, upper, ints({1, 3}), longs({64, 64})), repeats);
  packing("rows > tiles of 4", rows,
          Distribution::blockCyclic(lower, upper, ints({1, 3}), longs({4, 4})), repeats);
  return 0;
}
