#include "kept_state.hpp"

#include <vector>

#include "sidl_protocol.h"

namespace shinar::wire {
namespace {

constexpr const char* encoding = "simhandle";
constexpr std::size_t alignment = 8;  // the largest on the wire

/** Header of the kept state; the segment sizes (u64), the bytes and the segments follow. */
struct Header {
  std::uint32_t phase;          ///< of the first byte, within the alignment
  std::uint32_t first_segment;  ///< number of the first one
  std::uint64_t segments;
  std::uint64_t bytes;
};

void append(std::vector<std::byte>& to, const void* data, std::size_t size) {
  const auto* const begin = static_cast<const std::byte*>(data);
  to.insert(to.end(), begin, begin + size);
}

}  // namespace

void keep_state(void* object, const Decoder& decoder, const Decoder::Part& part,
                bool with_segments) {
  const Decoder::Rest rest = decoder.rest();
  if (part.has_references) return;
  if (!rest.segments.empty() && !with_segments) return;
  const Header header = {static_cast<std::uint32_t>(rest.at % alignment),
                         static_cast<std::uint32_t>(rest.first_segment), rest.segments.size(),
                         rest.bytes.size()};
  std::vector<std::byte> kept;
  append(kept, &header, sizeof header);
  for (const Block& each : rest.segments) {
    const std::uint64_t size = each.size();
    append(kept, &size, sizeof size);
  }
  append(kept, rest.bytes.data(), rest.bytes.size());
  for (const Block& each : rest.segments) append(kept, each.data(), each.size());
  sidl_value_keep_state(object, encoding, kept.data(), kept.size());
}

bool keeps_state(const void* object) {
  std::size_t size = 0;
  return sidl_value_kept_state(object, encoding, &size) != nullptr;
}

bool put_kept_state(Encoder& encoder, const void* object) {
  std::size_t size = 0;
  const void* const kept = sidl_value_kept_state(object, encoding, &size);
  Header header;
  std::memcpy(&header, kept, sizeof header);
  const bool fits = encoder.body_size() % alignment == header.phase &&
                    (header.segments == 0 || encoder.segments().size() == header.first_segment);
  if (!fits) return false;
  const std::byte* const sizes = static_cast<const std::byte*>(kept) + sizeof header;
  const std::byte* const bytes = sizes + header.segments * sizeof(std::uint64_t);
  encoder.put_bytes(bytes, header.bytes);
  const std::byte* at = bytes + header.bytes;
  for (std::uint64_t i = 0; i < header.segments; ++i) {
    std::uint64_t length = 0;
    std::memcpy(&length, sizes + i * sizeof length, sizeof length);
    encoder.put_segment(at, length);
    at += length;
  }
  return true;
}

}  // namespace shinar::wire
