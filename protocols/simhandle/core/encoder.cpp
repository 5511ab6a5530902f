#include "encoder.hpp"

#include <string>

namespace simhandle {

std::uint64_t ArrayShape::count() const {
  if (dimension < 1 || dimension > max_dimension) {
    throw malformed("an array has " + std::to_string(dimension) + " dimensions");
  }
  std::uint64_t total = 1;
  bool empty = false;
  for (int i = 0; i < dimension; ++i) {
    const std::int64_t length = std::int64_t{upper[i]} - lower[i] + 1;
    if (length < 0) throw malformed("an array's upper bound is below its lower bound");
    empty = empty || length == 0;
    if (__builtin_mul_overflow(total, static_cast<std::uint64_t>(length), &total)) total = ~0ull;
  }
  return empty ? 0 : total;
}

void Encoder::put_long_string(std::string_view text) {
  if (segments_.size() < max_segments) {
    std::shared_ptr<char[]> copy(new char[text.size()]);
    std::memcpy(copy.get(), text.data(), text.size());
    const void* const data = copy.get();
    const std::uint32_t segment = add_segment(data, text.size(), std::move(copy));
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
  const std::size_t size = 8 + 8 * dimension;
  std::byte* const head = place(size + elements, 8);
  head[0] = static_cast<std::byte>(shape.kind);
  head[1] = static_cast<std::byte>(shape.dimension);
  head[2] = static_cast<std::byte>(shape.order);
  head[3] = static_cast<std::byte>(in_segment ? 1 : 0);
  std::memcpy(head + 4, &segment, 4);
  for (std::size_t i = 0; i < dimension; ++i) {
    std::memcpy(head + 8 + 8 * i, &shape.lower[i], 4);
    std::memcpy(head + 12 + 8 * i, &shape.upper[i], 4);
  }
  return head + size;
}

void Encoder::put_array(const ArrayShape& shape, const void* data, std::size_t bytes,
                        std::shared_ptr<const void> owner) {
  if (bytes < bulk_threshold || segments_.size() >= max_segments) {
    copy_array(shape, data, bytes);
    return;
  }
  const std::uint32_t segment = add_segment(data, bytes, std::move(owner));
  put_shape(shape, true, segment);
}

void Encoder::copy_array(const ArrayShape& shape, const void* data, std::size_t bytes) {
  std::byte* const elements = put_array_inline(shape, bytes);
  if (bytes != 0) std::memcpy(elements, data, bytes);
}

std::byte* Encoder::put_array_inline(const ArrayShape& shape, std::size_t bytes) {
  return put_shape(shape, false, 0, bytes);
}

void Encoder::put_string_array(const ArrayShape& shape) {
  put_shape(shape, false, 0);
}

std::uint32_t Encoder::add_segment(const void* data, std::size_t bytes,
                                   std::shared_ptr<const void> owner) {
  segments_.push_back({static_cast<const std::byte*>(data), bytes, std::move(owner)});
  bulk_ += bytes;
  return static_cast<std::uint32_t>(segments_.size() - 1);
}

std::size_t Encoder::begin_part() {
  place(8, 8);
  return body_.size();
}

void Encoder::end_part(std::size_t begin) {
  const std::uint64_t length = body_.size() - begin;
  std::memcpy(body_.data() + begin - 8, &length, 8);
}

void Encoder::clear() {
  body_.clear();
  if (!segments_.empty()) segments_.clear();
  bulk_ = 0;
}

}  // namespace simhandle
