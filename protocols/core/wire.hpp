/**
 * The fixed parts of the protocol: constants, the frame header, the kinds of values.
 *
 * docs/simhandle-protocol.md is the specification and takes precedence. All numbers are
 * little-endian, so on the supported processors a header is sent as it is in memory.
 */
#ifndef SHINAR_CORE_WIRE_HPP
#define SHINAR_CORE_WIRE_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sidlType.h"

namespace shinar::wire {

static_assert(std::endian::native == std::endian::little,
              "big-endian hosts would have to swap bytes: not implemented");

constexpr std::array<char, 8> magic = {'S', 'H', 'I', 'N', 'A', 'R', '\r', '\n'};
constexpr std::uint16_t lowest_version = 2;
constexpr std::uint16_t highest_version = 2;

constexpr std::size_t hello_bytes = 64;
constexpr std::size_t header_bytes = 32;
/** Lower bound of a peer's inline limit, so that error frames fit. */
constexpr std::uint32_t least_inline_bytes = 8192;
constexpr std::size_t max_extension = 4096;  ///< bytes that may follow a hello or a welcome

/** Arrays whose elements take at least this many bytes are sent as segments of their own. */
constexpr std::size_t bulk_threshold = 4096;
/** The same for strings. */
constexpr std::size_t string_threshold = 16384;
/** Segments of one frame; any further ones are sent inline. */
constexpr std::size_t max_segments = 1000;
/** Serializable objects inside serializable objects. */
constexpr int max_nesting = 64;
/** Bytes of a name: object id, type, method, URL. */
constexpr std::size_t max_name = 4096;

enum class FrameType : std::uint8_t {
  method = 1,
  create = 2,
  attach = 3,
  request = 4,
  oneway = 5,
  cancel = 6,
  reply = 7,
  exception = 8,
  error = 9,
  settle = 10,
  release = 11,
  ping = 12,
  pong = 13,
  goodbye = 14,
  abandon = 15,
};

/**
 * Flag of attach: the session acquires a count on the object (else it takes over one in transit).
 */
constexpr std::uint8_t flag_add_reference = 1;
/** Flag of request: made while running a call of the receiver, whose id ends the body. */
constexpr std::uint8_t flag_nested = 2;
/** Flag of calls and answers: the body ends with a list of its references. See Cargo. */
constexpr std::uint8_t flag_references = 4;
/** Flag of calls: part of a chain, whose id follows that list and precedes a parent's id. */
constexpr std::uint8_t flag_chained = 8;
/** Flag of calls of a chain: made outside any call of a peer, so that no such call waits for it. */
constexpr std::uint8_t flag_outermost = 16;

/** Frames that both ends count: calls, answers, releases and settles. See Stream. */
constexpr bool is_counted(FrameType type) {
  return (type >= FrameType::create && type <= FrameType::oneway) ||
         (type >= FrameType::reply && type <= FrameType::release);
}

struct FrameHeader {
  std::uint8_t type = 0;
  std::uint8_t flags = 0;
  std::uint16_t segments = 0;  ///< entries of the segment table
  std::uint32_t body = 0;      ///< bytes of the inline part
  std::uint64_t request = 0;   ///< id of the call, 0 where there is none
  std::uint64_t bulk = 0;      ///< bytes of all segments together
  std::uint16_t method = 0;    ///< number of the method on this connection
  std::uint16_t strand = 0;    ///< of the calling thread: see CallerStrands; 0: none
  std::uint32_t deadline = 0;  ///< milliseconds the caller will wait, 0: no deadline
};
static_assert(sizeof(FrameHeader) == header_bytes);

/** Bytes of the whole frame. */
constexpr std::uint64_t frame_bytes(const FrameHeader& header) {
  return header_bytes + header.segments * sizeof(std::uint64_t) + header.body + header.bulk;
}

/** A call whose body ends with the id of its chain, followed only by that of its parent. */
constexpr bool has_chain(const FrameHeader& header) {
  const auto type = static_cast<FrameType>(header.type);
  const bool is_call = type >= FrameType::create && type <= FrameType::oneway;
  return is_call && (header.flags & flag_chained) != 0;
}

/** A call whose body ends with the id of its parent. */
constexpr bool has_parent(const FrameHeader& header) {
  return static_cast<FrameType>(header.type) == FrameType::request &&
         (header.flags & flag_nested) != 0;
}

/** Kinds of array elements: values of enum sidl_kind. */
enum class Kind : std::uint8_t {
  none = 0,
#define SIDL_BASIC(name, kind, array, ctype, Name, numpy) name##_ = kind,
#define SIDL_LOCAL(name, kind, array, ctype, Name, numpy)
#include "sidl_kinds.def"
};

/** Bytes of one element on the wire; 0 for a kind that is no array element of fixed size. */
constexpr std::size_t element_bytes(Kind kind) {
  switch (kind) {
    case Kind::bool_:
      return 1;
#define SIDL_NUMBER(name, number, array, ctype, Name, numpy) \
  case Kind::name##_:                                        \
    return sizeof(ctype);
#include "sidl_kinds.def"
    default:
      return 0;
  }
}

/** Alignment of one element on the wire. */
constexpr std::size_t element_alignment(Kind kind) {
  if (kind == Kind::fcomplex_) return 4;
  const std::size_t bytes = element_bytes(kind);
  return bytes > 8 ? 8 : (bytes == 0 ? 4 : bytes);
}

/** Orders of the elements of an array: values of enum sidl_array_ordering. */
enum class Order : std::uint8_t { general = 0, column = 1, row = 2 };

constexpr int max_dimension = 7;
constexpr std::int64_t max_index = std::int64_t{1}
                                   << 62;  ///< of an array, and -max_index the least

/** Special lengths: the null string, and a string in the next segment. */
constexpr std::uint32_t string_null = 0xffffffff;
constexpr std::uint32_t string_in_segment = 0xfffffffe;

/** Flag in a part's length: the part contains object references. */
constexpr std::uint64_t part_has_references = std::uint64_t{1} << 63;

/** How an object is encoded. */
enum class ObjectTag : std::uint8_t { null = 0, at_receiver = 1, at_sender = 2, elsewhere = 3 };

}  // namespace shinar::wire
#endif
