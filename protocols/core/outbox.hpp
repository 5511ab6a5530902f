/**
 * What a stream has not accepted yet: the rest of one frame and whole frames after it.
 *
 * Array elements are sent in place, kept alive by their owners; lent ones, and those that their
 * owners may change, are copied. Guarded by the connection's write lock.
 */
#ifndef SHINAR_CORE_OUTBOX_HPP
#define SHINAR_CORE_OUTBOX_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "byte_stream.hpp"
#include "checked_mutex.hpp"
#include "encoder.hpp"
#include "fifo.hpp"
#include "portion.hpp"
#include "wire.hpp"

namespace shinar::wire {

/** Owners of data that was sent. */
class Spent {
 public:
  Spent() = default;
  Spent(Spent&&) = default;
  Spent& operator=(Spent&& other) noexcept {
    owners_.swap(other.owners_);
    return *this;
  }
  ~Spent() {
    if (owners_ != nullptr) assert_no_lock_held("releasing what was sent");
  }

  void add(std::shared_ptr<const void> owner) {
    if (owners_ == nullptr) owners_ = std::make_unique<Owners>();
    owners_->push_back(std::move(owner));
  }
  void add(Spent&& others) {
    if (others.owners_ == nullptr) return;
    for (auto& each : *others.owners_) add(std::move(each));
    others.owners_.reset();
  }

 private:
  using Owners = std::vector<std::shared_ptr<const void>>;
  std::unique_ptr<Owners> owners_;  ///< usually NULL, which costs nothing
};

class Outbox {
 public:
  bool empty() const { return pieces_.empty(); }
  /** Unsent, or kept alive for it. */
  std::uint64_t bytes() const { return bytes_; }

  /**
   * Appends `before` (whole frames, may be empty) and a frame; `sent` bytes of these are skipped,
   * as they were sent already.
   */
  void add(std::span<const std::byte> before, const FrameHeader& header, const Encoder& encoder,
           std::size_t sent, Contents contents);
  /** Appends bytes that continue or begin a frame. */
  void add(std::span<const std::byte> bytes);

  /**
   * Sends what the stream accepts, a few MiB at most; returns how much. `waits`: for the peer, at
   * most the stream's patience. Throws Error(unexpected_close).
   */
  std::size_t send(ByteStream& stream, bool waits);

  void clear();

  /**
   * Owners of what was sent or cleared. As their destructors may be users' code, the caller
   * destroys them without the lock.
   */
  Spent take_spent() { return std::move(spent_); }

 private:
  struct Piece {
    Portion bytes;
    std::shared_ptr<const void> owner;
    bool is_copy;  ///< ours, safe to free under a lock
    std::shared_ptr<const Strided> places{};
  };

  std::byte* add_copy(std::size_t size);
  void step_over(std::size_t sent);
  void drop_front();

  Fifo<Piece> pieces_;
  Copies copies_;
  Spent spent_;
  std::uint64_t bytes_ = 0;
};

}  // namespace shinar::wire
#endif
