#include "decoder.hpp"

#include <string>

namespace shinar::wire {

void Decoder::throw_beyond() const {
  if (depth_ == 0) throw malformed("a value extends beyond its message");
  throw malformed(
      "a value extends beyond its object: does unpackObj unpack what packObj has packed?");
}

bool Decoder::get_bool() {
  const auto value = get<std::uint8_t>();
  if (value > 1) throw malformed("a bool is neither 0 nor 1");
  return value == 1;
}

std::string_view Decoder::get_other_string(bool& null) {
  const auto length = get<std::uint32_t>();
  null = length == string_null;
  if (null) return {};
  if (length == string_in_segment) {
    const Block& block = take_segment(get<std::uint32_t>());
    limits_->check_string(block.size());
    return {reinterpret_cast<const char*>(block.data()), block.size()};
  }
  limits_->check_string(length);
  return {reinterpret_cast<const char*>(take(length, 1)), length};
}

std::string_view Decoder::get_name() {
  bool null = false;
  const std::string_view name = get_string(null);
  if (null) throw malformed("a name is missing");
  if (name.size() > max_name)
    throw Limits::exceeded("bytes of a name", max_name, name.size(), nullptr);
  return name;
}

Block& Decoder::take_segment(std::uint32_t index) {
  // Segments are used in table order, each at most once: no two arrays share one. Some may be
  // skipped with a part that the reader ignores.
  if (index < next_segment_ || index >= message_->segments.size()) {
    throw malformed("a value names segment " + std::to_string(index) + " out of order");
  }
  next_segment_ = index + 1;
  return message_->segments[index];
}

Decoder::Array Decoder::get_array(Kind kind) {
  Array array = get_array_to_come(kind);
  if (!array.in_segment) return array;
  array.block = &take_segment(array.segment);
  if (array.block->size() != array.count * element_bytes(kind)) {
    throw malformed("an array and its segment differ in size");
  }
  return array;
}

Decoder::Array Decoder::get_array_to_come(Kind kind) {
  Array array;
  const std::byte* const head = take(8, 8);
  if (head[0] == std::byte{0}) return array;
  const auto found = static_cast<Kind>(head[0]);
  if (found != kind) {
    throw malformed("an array of kind " + std::to_string(static_cast<int>(found)) + " where kind " +
                    std::to_string(static_cast<int>(kind)) + " was expected");
  }
  const int order = static_cast<int>(head[2]);
  if (order != 1 && order != 2) throw malformed("an array of unknown order");
  if (head[3] > std::byte{1}) throw malformed("an array is at an unknown place");
  array.in_segment = head[3] == std::byte{1};
  std::memcpy(&array.segment, head + 4, 4);
  array.shape.kind = kind;
  array.shape.order = static_cast<Order>(order);
  const int dimension = static_cast<int>(head[1]);
  if (dimension < 1 || dimension > max_dimension) {
    throw malformed("an array has " + std::to_string(dimension) + " dimensions");
  }
  array.shape.dimension = dimension;
  const std::byte* bounds = take(16 * static_cast<std::size_t>(dimension), 8);
  for (int i = 0; i < dimension; ++i, bounds += 16) {
    std::memcpy(&array.shape.lower[i], bounds, 8);
    std::memcpy(&array.shape.upper[i], bounds + 8, 8);
  }
  array.count = array.shape.count();
  limits_->check_elements(array.count);
  if (kind == Kind::string_) {
    if (array.in_segment) throw malformed("an array of strings in a segment");
    if (array.count > (end_ - at_) / 4) throw malformed("more strings announced than sent");
    return array;
  }
  if (!array.in_segment) array.data = take(array.count * element_bytes(kind), 8);
  return array;
}

Decoder::Part Decoder::enter_part() {
  const auto announced = get<std::uint64_t>();
  const std::uint64_t length = announced & ~part_has_references;
  if (length > end_ - at_) throw malformed("a part extends beyond its message");
  if (++depth_ > max_nesting) {
    throw Limits::exceeded("nesting of objects by value", max_nesting,
                           static_cast<std::uint64_t>(depth_), nullptr);
  }
  const std::size_t outer = end_;
  end_ = at_ + static_cast<std::size_t>(length);
  return {outer, length != announced};
}

void Decoder::leave_part(const Part& part) {
  --depth_;
  at_ = end_;
  end_ = part.outer_end;
}

Decoder::Rest Decoder::rest() const {
  const std::span<const Block> segments(message_->segments.data(), message_->segments.size());
  return {at_,
          {message_->body.data() + at_, end_ - at_},
          next_segment_,
          segments.subspan(next_segment_)};
}

}  // namespace shinar::wire
