// How the elements of an array are divided among ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/part.hpp"

namespace shinar::par {

inline constexpr int kMostAxes = 7;

// What a user is told: distributions or pieces that do not fit.
class Misfit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Lowest and highest indices; there is none where upper < lower.
struct Bounds {
  std::vector<std::int64_t> lower;
  std::vector<std::int64_t> upper;

  bool operator==(const Bounds&) const = default;
  int dimension() const { return static_cast<int>(lower.size()); }
  std::int64_t length(int axis) const { return upper[axis] - lower[axis] + 1; }
  std::int64_t size() const;
  bool has(std::span<const std::int64_t> index) const;
  // [0..9, 0..4]
  std::string text() const;
};

// What a rank has: a part of each axis, and all combinations of their indices, which count from 0
// at the lowest index of the whole array.
using Piece = std::vector<Part>;

std::int64_t size_of(const Piece& piece);

// [3, 4]
std::string index_text(std::span<const std::int64_t> index);

// The rule by which a distribution divides; immutable.
class Division {
 public:
  virtual ~Division() = default;
  virtual int ranks() const = 0;
  virtual Piece piece(int rank) const = 0;
  // Ranks that may have indices of a piece, ascending: all that do, and few others.
  virtual std::vector<int> near(const Piece& piece) const = 0;
  // The rank that has an index.
  virtual int owner(std::span<const std::int64_t> index) const = 0;
  // "blocks of 4 x 4 on a grid of 2 x 3"
  virtual std::string text() const = 0;
};

// A value: copies share what it consists of.
class Distribution {
 public:
  // Blocks of each axis go in turn to the positions of a grid of ranks, which are numbered in
  // row-major order. A block of 0 makes as many blocks as there are positions, all but the last
  // ones of equal length.
  static Distribution grid(Bounds bounds, std::vector<int> grid, std::vector<std::int64_t> blocks);
  // Each rank has a rectangle; together they are one, without holes, and none overlap.
  static Distribution rectangles(std::vector<Bounds> of_ranks);

  int ranks() const { return division_->ranks(); }
  const Bounds& bounds() const { return bounds_; }
  int dimension() const { return bounds_.dimension(); }
  Piece piece(int rank) const;
  std::vector<int> near(const Piece& piece) const { return division_->near(piece); }
  // The rank that has an index, and where in its piece that is, counted from 0.
  int owner(std::span<const std::int64_t> index, std::vector<std::int64_t>& position) const;
  // The index of what is at a position of a rank's piece.
  std::vector<std::int64_t> index(int rank, std::span<const std::int64_t> position) const;
  // Whether messages from it have their elements in column-major order.
  const Division& division() const { return *division_; }
  bool is_column_major() const { return is_column_major_; }
  Distribution in_columns(bool is_column_major) const;
  std::string text() const;

 private:
  Distribution(Bounds bounds, std::shared_ptr<const Division> division)
      : bounds_(std::move(bounds)), division_(std::move(division)) {}

  Bounds bounds_;
  std::shared_ptr<const Division> division_;
  bool is_column_major_ = false;
};

}  // namespace shinar::par
