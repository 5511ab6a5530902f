/**
 * Elements of an array in memory, which need not be contiguous.
 *
 * They are addressed in the order in which they are sent, as bytes from 0 to size(). A run is a
 * contiguous part. The creator defines how long the memory stays valid.
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

/** Memory that the processor does not address, as that of a device. Throw Error. Any thread. */
class Elsewhere {
 public:
  virtual ~Elsewhere() = default;
  /** Copies `count` blocks, whose beginnings are `stride` bytes apart, one behind the other. */
  virtual void read(std::byte* to, const std::byte* there, std::size_t size, std::ptrdiff_t stride,
                    std::size_t count) const = 0;
  virtual void write(std::byte* there, std::ptrdiff_t stride, const std::byte* from,
                     std::size_t size, std::size_t count) const = 0;
};

class Strided {
 public:
  /** Number of elements and stride in bytes, which may be negative. */
  struct Dimension {
    std::size_t extent;
    std::ptrdiff_t stride;
  };

  /**
   * `dimensions`: fastest first; at least one element in all. `elsewhere`: NULL for host memory;
   * else only gather and scatter touch the elements.
   */
  Strided(void* first, std::size_t element, std::span<const Dimension> dimensions,
          const Elsewhere* elsewhere = nullptr);

  std::size_t size() const { return size_; }
  std::byte* first() const { return first_; }
  /** Bytes of a run. */
  std::size_t run() const { return run_; }
  bool is_elsewhere() const { return elsewhere_ != nullptr; }
  /** Can be read as they are, in one piece. */
  bool is_dense() const { return run_ == size_ && !is_elsewhere(); }
  /** Runs are long enough for an iovec each. */
  bool has_long_runs() const { return run_ >= long_run && !is_elsewhere(); }

  /** The rest of the run at `offset`, which is below size(). */
  std::span<std::byte> piece(std::size_t offset) const;
  /** Fills `pieces` with runs from `offset` on, at most `most` bytes; returns how many. */
  std::size_t pieces(std::size_t offset, std::size_t most, std::span<iovec> pieces) const;

  /** Copies bytes from `offset` on, which must be within size(). */
  void gather(std::size_t offset, std::span<std::byte> to) const;
  void scatter(std::size_t offset, std::span<const std::byte> from) const;

 private:
  static constexpr std::size_t long_run = 4096;

  class Walk;
  template <class Copy>
  void copy(std::size_t offset, std::size_t size, Copy copy) const;

  const Elsewhere* elsewhere_;
  std::byte* first_;
  std::size_t run_;
  std::size_t size_;
  int count_ = 0;  ///< of the dimensions that runs are in
  std::array<Dimension, max_dimension> dimensions_;
};

}  // namespace shinar::wire
#endif
