// What one rank sends or receives so that an array gets from one distribution into another.
#pragma once

#include <cstddef>
#include <memory>

#include "core/distribution.hpp"

namespace shinar::par {

// The elements that go to or come from one rank at the other side: all combinations of what the
// axes share, or those at positions of a piece of one dimension.
struct Message {
  int peer;
  std::vector<std::shared_ptr<const Overlap>> axes;
  std::int64_t size;  // elements
  std::shared_ptr<const std::vector<std::uint32_t>> positions = nullptr;
};

// Elements of a piece, in memory; they need not be dense.
struct Storage {
  std::byte* first;
  std::vector<std::int64_t> strides;  // in bytes, of each axis
  std::size_t element;                // bytes
};

// Of one rank at one side; immutable. It is computed from the two distributions, without messages,
// in a time that goes with the ranks that it shares elements with.
class Redistribution {
 public:
  // `rank` of the side that sends, or of that which receives.
  enum class Side { Sends, Receives };
  Redistribution(const Distribution& from, const Distribution& to, Side side, int rank);
  // Between lists of indices: both sides have found out what they share. `messages` ascend by peer.
  Redistribution(std::vector<Message> messages, std::int64_t length, int rank)
      : messages_(std::move(messages)), lengths_{length}, is_column_major_(false), rank_(rank) {}

  // Ascending by peer; none is empty.
  const std::vector<Message>& messages() const { return messages_; }
  // That to or from a peer; null if there is none.
  const Message* with(int peer) const;
  // How many indices the rank's piece has.
  const std::vector<std::int64_t>& lengths() const { return lengths_; }
  int rank() const { return rank_; }

  // Copies a message's elements, which are in the order that both sides know, one after another.
  void pack(const Message& message, const Storage& piece, std::byte* into) const;
  void unpack(const Message& message, const std::byte* from, const Storage& piece) const;

 private:
  std::vector<Message> messages_;
  std::vector<std::int64_t> lengths_;
  bool is_column_major_;
  int rank_;
};

}  // namespace shinar::par
