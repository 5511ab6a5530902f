/** What the header of a frame says of it. */
#ifndef SIMHANDLE_FRAME_WRITER_HPP
#define SIMHANDLE_FRAME_WRITER_HPP

#include "encoder.hpp"
#include "wire.hpp"

namespace simhandle {

/** Completes the header from the encoder; throws Error if a limit of the receiver is passed. */
void complete_header(FrameHeader& header, const Encoder& encoder, std::uint32_t inline_limit,
                     std::uint64_t message_limit);

}  // namespace simhandle
#endif
