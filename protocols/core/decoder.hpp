/**
 * Unpacks the values of one message; the inverse of Encoder.
 *
 * Every count is checked against the bytes present before anything is read or allocated; what does
 * not fit throws Error(protocol). Views point into the message, which must outlive them.
 */
#ifndef SHINAR_CORE_DECODER_HPP
#define SHINAR_CORE_DECODER_HPP

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "encoder.hpp"
#include "limits.hpp"
#include "message.hpp"

namespace shinar::wire {

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

  /** A string; `null` is set if it is the null string. */
  std::string_view get_string(bool& null) {
    std::string_view text;
    null = false;
    if (!take_short(text)) [[unlikely]]
      text = get_other_string(null);
    return text;
  }
  /**
   * Calls each(text, null, readable) for `count` strings, as get_string returns them. `readable`
   * bytes may be read from the beginning of the text: copying more than needed can be cheaper.
   */
  template <class Each>
  void get_strings(std::uint64_t count, Each&& each);
  /** A string that must not be null and is at most max_name long. */
  std::string_view get_name();

  /** The elements of an array. Exactly one of `data` and `block` is set if there are any. */
  struct Array {
    ArrayShape shape;  ///< dimension 0: null
    std::uint64_t count = 0;
    const std::byte* data = nullptr;  ///< in the inline part, aligned for the kind
    Block* block = nullptr;           ///< a segment; may be moved from
    bool in_segment = false;
    std::uint32_t segment = 0;  ///< its number
  };
  /** An array of `kind`; for strings only shape and count: the caller then gets count strings. */
  Array get_array(Kind kind);
  /** The same for a message whose segments may not have arrived yet: without `block`. */
  Array get_array_to_come(Kind kind);

  /** A part written by begin_part; passed to leave_part. */
  struct Part {
    std::size_t outer_end;
    bool has_references;
  };
  Part enter_part();
  /** Skips to the end of the part. */
  void leave_part(const Part& part);

  /** The unread rest of the part, or of the message, and of the segments. */
  struct Rest {
    std::size_t at;  ///< of the first byte in the body
    std::span<const std::byte> bytes;
    std::size_t first_segment;
    std::span<const Block> segments;
  };
  Rest rest() const;

  bool at_end() const { return at_ == end_; }

  /** Offset of the next byte in the body. */
  std::size_t place() const { return at_; }
  void go_to(std::size_t place) {
    if (place > end_) throw_beyond();
    at_ = place;
  }

 private:
  /** The next `size` bytes at a multiple of `alignment`, a power of two. */
  [[gnu::always_inline]] const std::byte* take(std::size_t size, std::size_t alignment) {
    const std::size_t gap = -at_ & (alignment - 1);
    const std::size_t left = end_ - at_;
    if (gap > left || size > left - gap) throw_beyond();
    const std::byte* const at = message_->body.data() + at_ + gap;
    at_ += gap + size;
    return at;
  }
  /** Takes the next string if it is a usual inline one; false if not, and nothing was taken. */
  bool take_short(std::string_view& text) {
    const std::size_t begin = (at_ + 7) & ~std::size_t{3};
    if (begin > end_) return false;
    std::uint32_t length = 0;
    std::memcpy(&length, message_->body.data() + begin - 4, 4);
    if (length >= string_threshold || length > limits_->string_bytes || length > end_ - begin) {
      return false;
    }
    text = {reinterpret_cast<const char*>(message_->body.data() + begin), length};
    at_ = begin + length;
    return true;
  }
  std::string_view get_other_string(bool& null);
  /** Objects by value are read by methods of users; all else is what the peer's protocol wrote. */
  [[noreturn]] void throw_beyond() const;
  Block& take_segment(std::uint32_t index);

  Message* message_ = nullptr;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  const ValueLimits* limits_ = nullptr;
  std::size_t next_segment_ = 0;
  int depth_ = 0;
};

// The usual case without a call or a store; rare and invalid ones are left to get_string.
template <class Each>
void Decoder::get_strings(std::uint64_t count, Each&& each) {
  const std::byte* const body = message_->body.data();
  const std::size_t end = end_;
  const std::uint64_t longest =
      std::min<std::uint64_t>(limits_->string_bytes, string_threshold - 1);
  std::size_t at = at_;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t begin = (at + 7) & ~std::size_t{3};
    std::uint32_t length = string_null;
    if (begin <= end) std::memcpy(&length, body + begin - 4, 4);
    if (length <= longest && length <= end - begin) [[likely]] {
      at = begin + length;
      each({reinterpret_cast<const char*>(body + begin), length}, false, end - begin);
      continue;
    }
    at_ = at;
    bool null = false;
    const std::string_view text = get_string(null);
    at = at_;
    each(text, null, text.size());
  }
  at_ = at;
}

}  // namespace shinar::wire
#endif
