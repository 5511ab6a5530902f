#include "frame_writer.hpp"

namespace simhandle {

void complete_header(FrameHeader& header, const Encoder& encoder, std::uint32_t inline_limit,
                     std::uint64_t message_limit) {
  if (encoder.body_size() > inline_limit) {
    throw Limits::exceeded("bytes of the small arguments of a call", inline_limit,
                           encoder.body_size(), "SIDL_RMI_MAX_INLINE");
  }
  if (encoder.bulk() > message_limit) {
    throw Limits::exceeded("bytes of the arrays of a call", message_limit, encoder.bulk(),
                           "SIDL_RMI_MAX_MESSAGE");
  }
  header.body = static_cast<std::uint32_t>(encoder.body_size());
  header.segments = static_cast<std::uint16_t>(encoder.segments().size());
  header.bulk = encoder.bulk();
}

}  // namespace simhandle
