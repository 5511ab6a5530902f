/**
 * State of an exception passed by value that this process cannot read, as it does not know the
 * class: the object that stands in for it keeps it (sidl_value_keep_state) and passes it on.
 *
 * Values are aligned and refer to segments by number, so the bytes are valid only at the same
 * alignment and after the same number of segments. State with object references is not kept: those
 * are valid on one connection only.
 */
#ifndef SHINAR_KEPT_STATE_HPP
#define SHINAR_KEPT_STATE_HPP

#include "core/decoder.hpp"

namespace shinar::wire {

/**
 * Keeps the unread rest of the decoder's part, even if empty. `with_segments`: the remaining
 * segments of the message belong to the part.
 */
void keep_state(void* object, const Decoder& decoder, const Decoder::Part& part,
                bool with_segments);

/** True if the object keeps state. */
bool keeps_state(const void* object);

/** Appends the kept state. False, without effect, if it would not be valid there. */
bool put_kept_state(Encoder& encoder, const void* object);

}  // namespace shinar::wire
#endif
