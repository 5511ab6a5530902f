/**
 * SIDL arrays on their way to and from messages.
 *
 * Big ones are sent from and received into the memory where they live, dense or not.
 */
#ifndef SHINAR_GLUE_ARRAYS_HPP
#define SHINAR_GLUE_ARRAYS_HPP

#include "core/decoder.hpp"
#include "core/encoder.hpp"
#include "sidl_array.hxx"

namespace shinar::wire {

class ArrayLanding;

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
 * The next array of the message as it came, with a reference for the caller; null if there is none.
 * `landing`: where its elements may be; NULL: nowhere but in the message.
 */
struct sidl__array* get_array(Decoder& decoder, sidl_kind kind, ArrayLanding* landing);

/** Where the elements of an array are, which has some, in the order in which they travel. */
Strided places_of(const struct sidl__array* array, sidl_kind kind, Order order);

/** The same for handles. */
template <class T>
void pack_array(Encoder& encoder, const sidl::array<T>& value, std::int32_t ordering,
                Sharing sharing);

template <class T>
sidl::array<T> unpack_array(Decoder& decoder, std::int32_t ordering);

}  // namespace shinar::wire
#endif
