/**
 * Elements of an array where they lie in memory, which need not be one behind the other.
 *
 * They are taken in one order, that in which they travel, as bytes from 0 to size(). Runs are what
 * lies in one piece. Whoever makes one says how long the memory is there.
 */
#ifndef SHINAR_CORE_STRIDED_HPP
#define SHINAR_CORE_STRIDED_HPP

#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "wire.hpp"

namespace shinar::wire {

class Strided {
 public:
  /** How many elements a dimension has, and how many bytes they are apart, which may be negative.
   */
  struct Dimension {
    std::size_t extent;
    std::ptrdiff_t stride;
  };

  /** At least one element. `dimensions`: the one that changes fastest first. */
  Strided(void* first, std::size_t element, std::span<const Dimension> dimensions);

  std::size_t size() const { return size_; }
  std::byte* first() const { return first_; }
  /** Bytes of a run. */
  std::size_t run() const { return run_; }
  bool is_dense() const { return run_ == size_; }
  /** Runs are long enough for the system to be told of each. */
  bool has_long_runs() const { return run_ >= long_run; }

  /** The rest of the run at `offset`, which is below size(). */
  std::span<std::byte> piece(std::size_t offset) const;
  /** As many of the runs from `offset` on as `pieces` has room for, `most` bytes in all; returns
   *  how many. */
  std::size_t pieces(std::size_t offset, std::size_t most, std::span<iovec> pieces) const;

  /** Copies bytes from `offset` on; there are as many. */
  void gather(std::size_t offset, std::span<std::byte> to) const;
  void scatter(std::size_t offset, std::span<const std::byte> from) const;

 private:
  static constexpr std::size_t long_run = 4096;

  class Walk;
  template <class Copy>
  void copy(std::size_t offset, std::size_t size, Copy copy) const;

  std::byte* first_;
  std::size_t run_;
  std::size_t size_;
  int count_ = 0;  ///< of the dimensions that runs are in
  std::array<Dimension, max_dimension> dimensions_;
};

}  // namespace shinar::wire
#endif
