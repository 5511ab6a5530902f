// A rectangle for each rank.
#pragma once

#include "core/distribution.hpp"

namespace shinar::par {

class Rectangles final : public Division {
 public:
  // Checks that they are `whole`, without holes, and that none overlap.
  Rectangles(const Bounds& whole, std::vector<Bounds> of_ranks);

  int ranks() const override { return static_cast<int>(all_.size()); }
  Piece piece(int rank) const override;
  std::vector<int> near(const Piece& piece) const override;
  int owner(std::span<const std::int64_t> index) const override;
  std::string text() const override { return "rectangles"; }

  const std::vector<Bounds>& all() const { return all_; }

 private:
  std::int64_t pairs_along(int axis) const;
  void sort();
  void check_holes() const;
  // visit(rank) for those that have indices in [begin, end) of the axis by which they are sorted.
  template <typename Visit>
  void for_each_between(std::int64_t begin, std::int64_t end, Visit&& visit) const;

  Bounds whole_;
  std::vector<Bounds> all_;
  int axis_ = 0;                    // along which the fewest share indices
  std::vector<int> by_begin_;       // of that axis; without the empty ones
  std::vector<std::int64_t> ends_;  // the furthest end of those up to there
};

}  // namespace shinar::par
