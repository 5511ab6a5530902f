/**
 * Bytes still to be sent, contiguous or strided, and the pieces offered to the stream at a time.
 */
#ifndef SHINAR_CORE_PORTION_HPP
#define SHINAR_CORE_PORTION_HPP

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "strided.hpp"

namespace shinar::wire {

/** The unsent rest of some bytes, which others keep alive. */
struct Portion {
  const std::byte* data;  ///< if they are contiguous
  std::size_t size;
  const Strided* places = nullptr;  ///< NULL: contiguous
  std::size_t offset = 0;           ///< within `places`

  /** Skips bytes that were sent. */
  void step_over(std::size_t bytes) {
    size -= bytes;
    if (places == nullptr) {
      data += bytes;
    } else {
      offset += bytes;
    }
  }
};

/**
 * What is offered to a stream at once. Short runs are copied together, a limited amount at a time.
 */
class Offer {
 public:
  explicit Offer(std::size_t most) : left_(most) {}

  /** Adds what fits; false if that was not all. */
  bool add(const Portion& portion) {
    const std::size_t wanted = std::min(portion.size, left_);
    const std::size_t before = bytes_;
    if (count_ == pieces_.size()) return false;
    if (portion.places == nullptr) {
      add(portion.data, wanted);
    } else if (portion.places->has_long_runs()) {
      add_runs(portion, wanted);
    } else {
      add_copy(portion, wanted);
    }
    return bytes_ - before == portion.size;
  }

  std::span<const iovec> pieces() const { return std::span(pieces_).first(count_); }
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t most_copied = std::size_t{256} << 10;

  void add(const std::byte* data, std::size_t size) {
    pieces_[count_++] = {const_cast<std::byte*>(data), size};
    count(size);
  }
  void add_runs(const Portion& portion, std::size_t wanted) {
    const auto room = std::span(pieces_).subspan(count_);
    const std::size_t added = portion.places->pieces(portion.offset, wanted, room);
    for (const iovec& each : room.first(added)) count(each.iov_len);
    count_ += added;
  }
  void add_copy(const Portion& portion, std::size_t wanted) {
    if (copies_ == nullptr) copies_ = std::make_unique_for_overwrite<std::byte[]>(most_copied);
    const std::size_t size = std::min(wanted, most_copied - copied_);
    if (size == 0) return;
    std::byte* const to = copies_.get() + copied_;
    portion.places->gather(portion.offset, {to, size});
    copied_ += size;
    add(to, size);
  }
  void count(std::size_t size) {
    bytes_ += size;
    left_ -= size;
  }

  std::array<iovec, 64> pieces_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  std::size_t left_;
  std::unique_ptr<std::byte[]> copies_;
  std::size_t copied_ = 0;
};

}  // namespace shinar::wire
#endif
