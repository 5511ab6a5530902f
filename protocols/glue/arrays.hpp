/**
 * Packs and unpacks SIDL arrays.
 *
 * Big ones are sent from, and received into, their own memory, dense or strided.
 */
#ifndef SHINAR_GLUE_ARRAYS_HPP
#define SHINAR_GLUE_ARRAYS_HPP

#include "core/decoder.hpp"
#include "core/encoder.hpp"
#include "sidl_array.hxx"

namespace shinar::wire {

class ArrayLanding;

/** How long a packed array stays unchanged. */
enum class Sharing {
  lent,  ///< until the call returns: no reference is taken
  kept,  ///< an owned array, as long as it is referenced; a borrowed one is copied
  copy,  ///< it may change at once: copied
};

/** `array` is of the kind (sidl_kind_enum: longs), or null. */
void put_array(Encoder& encoder, sidl_kind kind, struct sidl__array* array, std::int32_t ordering,
               Sharing sharing);

/**
 * The next array of the message in the order received, with a reference for the caller; NULL for a
 * null array. `landing`: where its elements may have been received; NULL: only in the message.
 */
struct sidl__array* get_array(Decoder& decoder, sidl_kind kind, ArrayLanding* landing);

/** The elements of a nonempty array in the order in which they are sent. */
Strided places_of(const struct sidl__array* array, sidl_kind kind, Order order);

/** The same for handles. */
template <class T>
void pack_array(Encoder& encoder, const sidl::array<T>& value, std::int32_t ordering,
                Sharing sharing);

template <class T>
sidl::array<T> unpack_array(Decoder& decoder, std::int32_t ordering);

}  // namespace shinar::wire
#endif
