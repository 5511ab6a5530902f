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
 * Short runs, copied together, a limited amount at a time. What the stream has not taken is there
 * for the next offer: runs may be elsewhere, and far away.
 */
class Copies {
 public:
  /** Bytes from the portion's beginning on; none if there is no space left for this offer. */
  std::span<const std::byte> of(const Portion& portion, std::size_t wanted) {
    const std::size_t ahead = portion.offset - offset_;
    if (places_ == portion.places && portion.offset >= offset_ && ahead < size_) {
      used_ = capacity;  // the rest is still to be sent
      return {data_ + ahead, std::min(wanted, size_ - ahead)};
    }
    const std::size_t size = std::min(wanted, capacity - used_);
    if (size == 0) return {};
    if (memory_ == nullptr) memory_ = std::make_unique_for_overwrite<std::byte[]>(capacity);
    forget();
    std::byte* const to = memory_.get() + used_;
    portion.places->gather(portion.offset, {to, size});
    places_ = portion.places;
    offset_ = portion.offset;
    size_ = size;
    data_ = to;
    used_ += size;
    return {to, size};
  }

  /** The offers before this one are over. */
  void begin() { used_ = 0; }
  /** The runs are no longer valid. */
  void forget() { places_ = nullptr; }
  /** Nothing is to be sent. */
  void rest() {
    forget();
    memory_.reset();
  }

 private:
  static constexpr std::size_t capacity = std::size_t{256} << 10;

  std::unique_ptr<std::byte[]> memory_;
  std::size_t used_ = 0;  ///< by the present offer
  // What was copied last.
  const Strided* places_ = nullptr;
  std::size_t offset_ = 0;
  std::size_t size_ = 0;
  const std::byte* data_ = nullptr;
};

/** What is offered to a stream at once. */
class Offer {
 public:
  Offer(Copies& copies, std::size_t most) : copies_(copies), left_(most) { copies_.begin(); }

  /** Adds what fits; false if that was not all. */
  bool add(const Portion& portion) {
    const std::size_t wanted = std::min(portion.size, left_);
    const std::size_t before = bytes_;
    // After copies nothing: they stay where they are until the stream has taken all of them.
    if (count_ == pieces_.size() || has_copy_) return false;
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
    const std::span<const std::byte> copy = copies_.of(portion, wanted);
    has_copy_ = true;
    if (!copy.empty()) add(copy.data(), copy.size());
  }
  void count(std::size_t size) {
    bytes_ += size;
    left_ -= size;
  }

  Copies& copies_;
  std::array<iovec, 64> pieces_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
  std::size_t left_;
  bool has_copy_ = false;
};

}  // namespace shinar::wire
#endif
