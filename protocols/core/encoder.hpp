/**
 * Packs the values of one message: the inline part and the list of bulk segments.
 *
 * Bulk data is not copied: a segment points to it in place, lent for the call or with an owner. One
 * thread at a time.
 */
#ifndef SHINAR_CORE_ENCODER_HPP
#define SHINAR_CORE_ENCODER_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "limits.hpp"
#include "memory.hpp"
#include "strided.hpp"
#include "wire.hpp"

namespace shinar::wire {

/** Shape of an array on the wire. Bounds are inclusive; upper = lower - 1: no elements. */
struct ArrayShape {
  Kind kind = Kind::none;
  Order order = Order::general;
  int dimension = 0;  ///< 0: there is no array
  std::int64_t lower[max_dimension] = {};
  std::int64_t upper[max_dimension] = {};

  /** Elements in all dimensions, at most what a u64 holds. Throws if the bounds make no sense. */
  std::uint64_t count() const;
};

/**
 * Bytes that a message refers to. Lent bytes have no owner: they stay valid until the call that
 * sends them returns, and must be copied to be sent later. Owned bytes are valid as long as their
 * owner is kept; others may change them if the owner is shared. Bytes may be strided, and are sent
 * from where they are.
 */
class Bulk {
 public:
  static Bulk lent(const void* data, std::size_t size) { return {data, size, nullptr, nullptr}; }
  static Bulk lent(const Strided& elements) { return owned(elements, nullptr); }
  /** `owner` must not be null; it keeps the bytes valid. */
  static Bulk owned(const void* data, std::size_t size, std::shared_ptr<const void> owner) {
    return {data, size, std::move(owner), nullptr};
  }
  using IsShared = bool (*)(const void* owner);
  /** `is_shared`: whether anybody else may change the bytes; NULL: nobody may. */
  static Bulk owned(const Strided& elements, std::shared_ptr<const void> owner,
                    IsShared is_shared = nullptr) {
    auto places = elements.is_dense() ? nullptr : std::make_shared<const Strided>(elements);
    Bulk made(elements.first(), elements.size(), std::move(owner), std::move(places));
    made.is_shared_ = is_shared;
    return made;
  }

  /** Where they begin. */
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool is_lent() const { return owner_ == nullptr; }
  bool is_shared() const { return is_shared_ != nullptr && is_shared_(owner_.get()); }
  const std::shared_ptr<const void>& owner() const { return owner_; }
  /** Their layout; NULL: contiguous. */
  const std::shared_ptr<const Strided>& places() const { return places_; }
  /** Copies them, but for the first `skipped`. */
  void copy_to(std::byte* to, std::size_t skipped = 0) const {
    if (places_ != nullptr) {
      places_->gather(skipped, {to, size_ - skipped});
    } else if (size_ != skipped) {
      std::memcpy(to, data_ + skipped, size_ - skipped);
    }
  }

 private:
  Bulk(const void* data, std::size_t size, std::shared_ptr<const void> owner,
       std::shared_ptr<const Strided> places)
      : data_(static_cast<const std::byte*>(data)),
        size_(size),
        owner_(std::move(owner)),
        places_(std::move(places)) {}

  const std::byte* data_;
  std::size_t size_;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const Strided> places_;
  IsShared is_shared_ = nullptr;
};

/** Whether the bytes that a message refers to stay as they are until they have been sent. */
enum class Contents { stay, may_change };

class Encoder {
 public:
  explicit Encoder(const ValueLimits& limits = ValueLimits::of_process()) : limits_(&limits) {}

  template <class T>
  void put(T value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
    std::memcpy(place(sizeof(T), sizeof(T)), &value, sizeof(T));
  }
  void put_bool(bool value) { put<std::uint8_t>(value ? 1 : 0); }
  /** Two numbers of type T, aligned as one. */
  template <class T>
  void put_pair(T first, T second) {
    put(first);
    put(second);
  }

  /** A string; long ones are sent as a segment, copied once. */
  void put_string(std::string_view text) {
    limits_->check_string(text.size());
    if (text.size() >= string_threshold) return put_long_string(text);
    const auto length = static_cast<std::uint32_t>(text.size());
    std::byte* const at = place(sizeof length + length, sizeof length);
    std::memcpy(at, &length, sizeof length);
    if (length != 0) std::memcpy(at + sizeof length, text.data(), length);
  }
  void put_null_string() { put(string_null); }

  /** The next value is a reference to be listed for the receiver: see Cargo. */
  void note_reference() { references_.push_back(body_size()); }
  bool has_references() const { return !references_.empty(); }
  /** Appends the list of references to the body. */
  void put_references();

  /** The header of an array; the elements follow. */
  void put_null_array();
  /** The elements, as many as `shape` has, in the order of shape.order. */
  void put_array(const ArrayShape& shape, Bulk elements);
  /** As put_array for elements written one by one; returns where to write them. */
  std::byte* put_array_inline(const ArrayShape& shape, std::size_t bytes);
  /** The header of an array of strings; the caller puts count() strings. */
  void put_string_array(const ArrayShape& shape);

  /** Begins a part that is preceded by its length; returns the argument of end_part. */
  std::size_t begin_part();
  /** `has_references`: the part contains object references. */
  void end_part(std::size_t begin, bool has_references = false);
  /** Removes what was put since the part began; `segments` is how many there were before it. */
  void empty_part(std::size_t begin, std::size_t segments);
  /** Bytes written by another encoder at the same alignment. */
  void put_bytes(const std::byte* bytes, std::size_t size);
  /** A segment that such bytes refer to, copied. */
  void put_segment(const std::byte* data, std::size_t size);

  const std::byte* body() const {
    return body_.size() == 0 ? nullptr : body_.data() + header_bytes;
  }
  std::size_t body_size() const { return body_.size() == 0 ? 0 : body_.size() - header_bytes; }
  /** The body with `header` in front of it, contiguous. */
  std::span<const std::byte> with_header(const FrameHeader& header) {
    if (body_.size() == 0) body_.extend(header_bytes);
    std::memcpy(body_.data(), &header, header_bytes);
    return {body_.data(), body_.size()};
  }
  const std::vector<Bulk>& segments() const { return segments_; }
  /** Copies those that others may change from now on. */
  void own_shared();
  /** Some of them are not contiguous. */
  bool has_scattered() const { return has_scattered_; }
  std::uint64_t bulk() const { return bulk_; }

  /** Drops everything put so far. */
  void clear() {
    body_.clear();
    bulk_ = 0;
    if (!segments_.empty() || !references_.empty()) clear_references();
  }

 private:
  void clear_references();
  void put_long_string(std::string_view text);
  /**
   * Appends `size` bytes at a multiple of `alignment`, a power of two and at most `size`; padding
   * is zeroed.
   */
  [[gnu::always_inline]] std::byte* place(std::size_t size, std::size_t alignment) {
    const std::size_t used = body_.size();  // alignments divide header_bytes
    const std::size_t gap = -used & (alignment - 1);
    if (used == 0 || !body_.has_room(gap + size)) [[unlikely]]
      return place_in_more(size, alignment);
    std::byte* const at = body_.extend(gap + size);
    if (gap != 0) std::memset(at, 0, alignment);  // more than the gap, but one instruction
    return at + gap;
  }
  /** The same if the buffer has to grow. */
  std::byte* place_in_more(std::size_t size, std::size_t alignment);
  /** Returns where the `elements` bytes after it go. */
  std::byte* put_shape(const ArrayShape& shape, bool in_segment, std::uint32_t segment,
                       std::size_t elements = 0);
  std::uint32_t add_segment(Bulk bytes);

  Buffer body_;  ///< empty, or space for the frame's header and then the body
  std::vector<Bulk> segments_;
  std::vector<std::uint64_t> references_;  ///< offsets in the body
  std::uint64_t bulk_ = 0;
  bool has_scattered_ = false;
  const ValueLimits* limits_;
};

/** Completes the header from the encoder; throws Error if a limit of the receiver is exceeded. */
void complete_header(FrameHeader& header, const Encoder& encoder, std::uint32_t inline_limit,
                     std::uint64_t message_limit);

}  // namespace shinar::wire
#endif
