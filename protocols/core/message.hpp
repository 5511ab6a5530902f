/**
 * One received frame: header, inline part, bulk segments in their destination buffers.
 *
 * Plain data that moves from the thread that read it to the one that uses it. Reading repeatedly
 * into the same Message reuses its memory.
 */
#ifndef SHINAR_CORE_MESSAGE_HPP
#define SHINAR_CORE_MESSAGE_HPP

#include <memory>
#include <utility>
#include <vector>

#include "memory.hpp"
#include "wire.hpp"

namespace shinar::wire {

class Cargo;
struct CargoEnd {
  void operator()(Cargo* cargo) const;
};

struct Message {
  FrameHeader header;
  Buffer body;
  std::vector<Block> segments;
  Share share;  ///< of the connection's memory, given back with the message
  /** The references in it; NULL: none. */
  std::unique_ptr<Cargo, CargoEnd> cargo;

  FrameType type() const { return static_cast<FrameType>(header.type); }

  void swap(Message& other) noexcept {
    std::swap(header, other.header);
    body.swap(other.body);
    segments.swap(other.segments);
    std::swap(share, other.share);
    std::swap(cargo, other.cargo);
  }
  /** Frees everything except a little memory for the next message. */
  void clear() {
    body.clear();
    if (!segments.empty()) segments.clear();
    share.give_back();
    if (cargo != nullptr) cargo.reset();
  }
};

}  // namespace shinar::wire
#endif
