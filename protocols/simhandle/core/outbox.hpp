/**
 * What a socket has not taken yet: the rest of one frame and whole ones behind it.
 *
 * Elements of arrays stay where they are, kept alive by their owners; what is merely lent is
 * copied. Belongs to whoever holds the connection's write lock.
 */
#ifndef SIMHANDLE_OUTBOX_HPP
#define SIMHANDLE_OUTBOX_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "encoder.hpp"
#include "wire.hpp"

namespace simhandle {

class Outbox {
 public:
  bool empty() const { return pieces_.empty(); }
  /** Still to be sent, or kept alive for it. */
  std::uint64_t bytes() const { return bytes_; }

  /** Adds `before` (whole frames, may be empty) and a frame; `sent` bytes of that have left. */
  void add(std::span<const std::byte> before, const FrameHeader& header, const Encoder& encoder,
           std::size_t sent);
  /** Adds bytes that continue, or begin, a frame. */
  void add(std::span<const std::byte> bytes);

  /**
   * Sends what the socket takes, a few MiB at most; returns how much. `waits`: for room, as long as
   * the socket's send time-out. Throws Error(unexpected_close).
   */
  std::size_t send(int fd, bool waits);

  void clear();

  /**
   * Lets go of what was sent or cleared, whose owners may be users' code. Until then it is kept:
   * who sends need not be one who may run that.
   */
  void drop_spent() { spent_.clear(); }
  bool has_spent() const { return !spent_.empty(); }

 private:
  struct Piece {
    const std::byte* data;
    std::size_t size;
    std::shared_ptr<const void> owner;
  };

  void step_over(std::size_t sent);

  void drop_front();

  std::deque<Piece> pieces_;
  std::vector<std::shared_ptr<const void>> spent_;
  std::uint64_t bytes_ = 0;
};

}  // namespace simhandle
#endif
