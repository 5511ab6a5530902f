#include "encoder.hpp"

#include <string>

#include "checked_mutex.hpp"

namespace shinar::wire {

namespace {

bool is_index(std::int64_t bound) {
  return bound >= -max_index && bound <= max_index;
}

/** Elements between two bounds; negative if no array has these. */
std::int64_t extent(std::int64_t lower, std::int64_t upper) {
  if (!is_index(lower) || !is_index(upper) || lower > upper + 1) return -1;
  // between the last indices there are more than can be counted
  return static_cast<std::int64_t>(std::uint64_t(upper) - std::uint64_t(lower) + 1);
}

}  // namespace

std::uint64_t ArrayShape::count() const {
  if (dimension < 1 || dimension > max_dimension) {
    throw malformed("an array has " + std::to_string(dimension) + " dimensions");
  }
  if (dimension == 1 && lower[0] == 0 && upper[0] >= -1 && upper[0] <= max_index) {
    return static_cast<std::uint64_t>(upper[0] + 1);
  }
  std::uint64_t total = 1;
  bool empty = false;
  for (int i = 0; i < dimension; ++i) {
    const std::int64_t length = extent(lower[i], upper[i]);
    if (length < 0) {
      throw malformed("an array has bounds " + std::to_string(lower[i]) + " to " +
                      std::to_string(upper[i]));
    }
    empty = empty || length == 0;
    if (__builtin_mul_overflow(total, static_cast<std::uint64_t>(length), &total)) total = ~0ull;
  }
  return empty ? 0 : total;
}

std::byte* Encoder::place_in_more(std::size_t size, std::size_t alignment) {
  if (body_.size() == 0) body_.extend(header_bytes);
  const std::size_t gap = -body_.size() & (alignment - 1);
  std::byte* const at = body_.extend(gap + size);
  std::memset(at, 0, gap);
  return at + gap;
}

void Encoder::put_long_string(std::string_view text) {
  if (segments_.size() < max_segments) {
    std::shared_ptr<char[]> copy(new char[text.size()]);
    std::memcpy(copy.get(), text.data(), text.size());
    const void* const data = copy.get();
    const std::uint32_t segment = add_segment(Bulk::owned(data, text.size(), std::move(copy)));
    put(string_in_segment);
    put(segment);
    return;
  }
  if (text.size() >= string_in_segment) {
    throw Limits::exceeded("bytes of a string", string_in_segment - 1, text.size(), nullptr);
  }
  put(static_cast<std::uint32_t>(text.size()));
  std::memcpy(place(text.size(), 1), text.data(), text.size());
}

void Encoder::put_null_array() {
  put<std::uint64_t>(0);
}

std::byte* Encoder::put_shape(const ArrayShape& shape, bool in_segment, std::uint32_t segment,
                              std::size_t elements) {
  limits_->check_elements(shape.count());
  const auto dimension = static_cast<std::size_t>(shape.dimension);
  const std::size_t size = 8 + 16 * dimension;
  std::byte* const head = place(size + elements, 8);
  head[0] = static_cast<std::byte>(shape.kind);
  head[1] = static_cast<std::byte>(shape.dimension);
  head[2] = static_cast<std::byte>(shape.order);
  head[3] = static_cast<std::byte>(in_segment ? 1 : 0);
  std::memcpy(head + 4, &segment, 4);
  for (std::size_t i = 0; i < dimension; ++i) {
    std::memcpy(head + 8 + 16 * i, &shape.lower[i], 8);
    std::memcpy(head + 16 + 16 * i, &shape.upper[i], 8);
  }
  return head + size;
}

void Encoder::put_array(const ArrayShape& shape, Bulk elements) {
  if (elements.size() < bulk_threshold || segments_.size() >= max_segments) {
    std::byte* const copy = put_array_inline(shape, elements.size());
    elements.copy_to(copy);
    return;
  }
  put_shape(shape, true, add_segment(std::move(elements)));
}

std::byte* Encoder::put_array_inline(const ArrayShape& shape, std::size_t bytes) {
  return put_shape(shape, false, 0, bytes);
}

void Encoder::put_string_array(const ArrayShape& shape) {
  put_shape(shape, false, 0);
}

std::uint32_t Encoder::add_segment(Bulk bytes) {
  bulk_ += bytes.size();
  has_scattered_ |= bytes.places() != nullptr;
  segments_.push_back(std::move(bytes));
  return static_cast<std::uint32_t>(segments_.size() - 1);
}

void Encoder::own_shared() {
  has_scattered_ = false;
  for (Bulk& each : segments_) {
    if (each.is_shared()) {
      auto copy = std::make_shared_for_overwrite<std::byte[]>(each.size());
      each.copy_to(copy.get());
      const void* const begin = copy.get();
      each = Bulk::owned(begin, each.size(), std::move(copy));
    }
    has_scattered_ |= each.places() != nullptr;
  }
}

void Encoder::put_references() {
  for (const std::uint64_t each : references_) put(each);
  put(std::uint64_t{references_.size()});
}

std::size_t Encoder::begin_part() {
  place(8, 8);
  return body_.size();
}

void Encoder::end_part(std::size_t begin, bool has_references) {
  std::uint64_t length = body_.size() - begin;
  if (has_references) length |= part_has_references;
  std::memcpy(body_.data() + begin - 8, &length, 8);
}

void Encoder::empty_part(std::size_t begin, std::size_t segments) {
  body_.shrink(begin);
  for (; segments_.size() > segments; segments_.pop_back()) bulk_ -= segments_.back().size();
}

void Encoder::put_bytes(const std::byte* bytes, std::size_t size) {
  std::memcpy(place(size, 1), bytes, size);
}

void Encoder::put_segment(const std::byte* data, std::size_t size) {
  std::shared_ptr<std::byte[]> copy(new std::byte[size]);
  std::memcpy(copy.get(), data, size);
  const void* const begin = copy.get();
  add_segment(Bulk::owned(begin, size, std::move(copy)));
}

void Encoder::clear_references() {
  if (!segments_.empty()) assert_no_lock_held("releasing arrays that were sent");
  segments_.clear();
  references_.clear();
  has_scattered_ = false;
}

void complete_header(FrameHeader& header, const Encoder& encoder, std::uint32_t inline_limit,
                     std::uint64_t message_limit) {
  if (encoder.body_size() > inline_limit) {
    throw Limits::exceeded("bytes of the small arguments of a call", inline_limit,
                           encoder.body_size(), "SIDL_RMI_MAX_INLINE");
  }
  if (encoder.bulk() > message_limit) {
    throw Limits::exceeded("bytes of the arrays of a call", message_limit, encoder.bulk(),
                           "SIDL_RMI_MAX_MESSAGE");
  }
  header.body = static_cast<std::uint32_t>(encoder.body_size());
  header.segments = static_cast<std::uint16_t>(encoder.segments().size());
  header.bulk = encoder.bulk();
}

}  // namespace shinar::wire
