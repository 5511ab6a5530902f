/**
 * Takes the values of one message apart. The mirror image of Encoder.
 *
 * Every count is checked against the bytes that are there before anything is read or taken; what
 * does not fit throws Error(protocol). Views point into the message, which must outlive them.
 */
#ifndef SIMHANDLE_DECODER_HPP
#define SIMHANDLE_DECODER_HPP

#include <cstdint>
#include <cstring>
#include <string_view>

#include "encoder.hpp"
#include "limits.hpp"
#include "message.hpp"

namespace simhandle {

class Decoder {
 public:
  Decoder() = default;
  explicit Decoder(Message& message, const ValueLimits& limits = ValueLimits::of_process())
      : message_(&message), end_(message.body.size()), limits_(&limits) {}

  template <class T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof(T), sizeof(T)), sizeof(T));
    return value;
  }
  bool get_bool();

  /** A string; `null` tells whether there is none. */
  std::string_view get_string(bool& null);
  /** A string that has to be there and to be at most max_name long. */
  std::string_view get_name();

  /** The elements of an array. Exactly one of `data` and `block` is set if there are any. */
  struct Array {
    ArrayShape shape;  ///< dimension 0: null
    std::uint64_t count = 0;
    const std::byte* data = nullptr;  ///< in the inline part, aligned for the kind
    Block* block = nullptr;           ///< a segment; may be moved from
  };
  /** An array of `kind`; for strings, shape and count: the caller gets count strings. */
  Array get_array(Kind kind);

  /** Enters a part that begin_part began; returns what leave_part wants. */
  std::size_t enter_part();
  /** Goes to the end of the part, read or not. */
  void leave_part(std::size_t outer_end);

  bool at_end() const { return at_ == end_; }

 private:
  /** The next `size` bytes at a multiple of `alignment`, a power of two. */
  const std::byte* take(std::size_t size, std::size_t alignment) {
    const std::size_t gap = -at_ & (alignment - 1);
    const std::size_t left = end_ - at_;
    if (gap > left || size > left - gap) throw_beyond();
    const std::byte* const at = message_->body.data() + at_ + gap;
    at_ += gap + size;
    return at;
  }
  [[noreturn]] static void throw_beyond();
  Block& take_segment(std::uint32_t index);

  Message* message_ = nullptr;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  const ValueLimits* limits_ = nullptr;
  std::size_t next_segment_ = 0;
  int depth_ = 0;
};

}  // namespace simhandle
#endif
