/** Frames and greetings over a socket that the test keeps, which reads and writes as it likes. */
#ifndef RAW_FRAMES_HPP
#define RAW_FRAMES_HPP

#include <fcntl.h>

#include <chrono>
#include <memory>
#include <span>

#include "core/handshake.hpp"
#include "core/socket.hpp"
#include "core/stream_channel.hpp"

namespace simhandle {

/** Another descriptor of the same socket. */
inline StreamChannel channel_over(int fd, const Limits& limits = {}) {
  Socket same(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  return StreamChannel(std::make_unique<SocketStream>(std::move(same)), limits);
}
inline void send_frame(int fd, std::span<const std::byte> before, const FrameHeader& header,
                       Encoder& encoder) {
  channel_over(fd).send(before, header, encoder, nullptr);
}
inline Welcome shake_hands(int fd, const Hello& hello, std::uint32_t patience_ms) {
  StreamChannel channel = channel_over(fd);
  return shake_hands(channel, hello, patience_ms);
}
inline void prepare_connection(int fd, std::chrono::milliseconds receiving,
                               std::chrono::milliseconds sending) {
  channel_over(fd).set_patience(receiving, sending);
}

}  // namespace simhandle
#endif
