/**
 * What this process cannot read of the state of an exception that came by value: the object that
 * stands in for it keeps it (sidl_value_keep_state), so that it can travel on.
 *
 * Values are aligned and name segments by number, so the bytes mean the same only at a place of the
 * same alignment, behind the same number of segments. State with references to objects is not kept:
 * they mean something to the two ends of one connection alone.
 */
#ifndef SHINAR_KEPT_STATE_HPP
#define SHINAR_KEPT_STATE_HPP

#include "core/decoder.hpp"

namespace shinar::wire {

/**
 * Keeps what the decoder has left of its part, be it nothing. `with_segments`: the message's last
 * segments belong to the part.
 */
void keep_state(void* object, const Decoder& decoder, const Decoder::Part& part,
                bool with_segments);

/** True if the object keeps state. */
bool keeps_state(const void* object);

/** Appends what the object keeps. False, having done nothing, if it cannot be read there. */
bool put_kept_state(Encoder& encoder, const void* object);

}  // namespace shinar::wire
#endif
