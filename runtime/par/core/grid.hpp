// Blocks in turn on a grid of ranks.
#pragma once

#include <utility>

#include "core/distribution.hpp"

namespace shinar::par {

class Grid final : public Division {
 public:
  // Checks what users may have got wrong; see Distribution::grid.
  Grid(const Bounds& bounds, std::vector<int> positions, std::vector<std::int64_t> blocks);

  int ranks() const override { return ranks_; }
  Piece piece(int rank) const override;
  std::vector<int> near(const Piece& piece) const override;
  int owner(std::span<const std::int64_t> index) const override;
  std::string text() const override;

  const std::vector<int>& positions() const { return positions_; }
  const std::vector<std::int64_t>& blocks() const { return blocks_; }

 private:
  Part part(int axis, int position) const;
  std::vector<int> positions_with(int axis, const Part& part) const;

  std::vector<int> positions_;
  std::vector<std::int64_t> blocks_;
  std::vector<std::int64_t> lengths_;
  int ranks_ = 1;
};

}  // namespace shinar::par
