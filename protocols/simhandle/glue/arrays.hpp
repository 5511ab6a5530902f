/**
 * SIDL arrays on their way to and from messages.
 *
 * Dense arrays travel as they lie in memory; others are packed first. Big ones are sent from and
 * received into the memory where they live.
 */
#ifndef SIMHANDLE_GLUE_ARRAYS_HPP
#define SIMHANDLE_GLUE_ARRAYS_HPP

#include "core/decoder.hpp"
#include "core/encoder.hpp"
#include "sidl_array.hxx"

namespace simhandle {

/** How long the sender may rely on an array that it packs. */
enum class Sharing {
  lent,  ///< it stays as it is until the call returns: nothing of it is kept, not even counted
  kept,  ///< it stays as it is if it is owned, and then by a reference; else it is copied
  copy,  ///< it may change at once
};

/** `array` is of the kind (sidl_kind_enum: longs), or null. */
void put_array(Encoder& encoder, sidl_kind kind, struct sidl__array* array, std::int32_t ordering,
               Sharing sharing);

/**
 * The next array of the message, with a reference for the caller; null if there is none.
 * `ordering` 0: as it came.
 */
struct sidl__array* get_array(Decoder& decoder, sidl_kind kind, std::int32_t ordering);

/** The same for handles. */
template <class T>
void pack_array(Encoder& encoder, const sidl::array<T>& value, std::int32_t ordering,
                Sharing sharing);

template <class T>
sidl::array<T> unpack_array(Decoder& decoder, std::int32_t ordering);

}  // namespace simhandle
#endif
