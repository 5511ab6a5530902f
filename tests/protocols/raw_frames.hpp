/** Frames and greetings over a socket that the test keeps, which reads and writes as it likes. */
#ifndef RAW_FRAMES_HPP
#define RAW_FRAMES_HPP

#include <fcntl.h>

#include <chrono>
#include <memory>
#include <span>

#include "core/handshake.hpp"
#include "transports/tcp.hpp"

namespace shinar::wire {

/** A TCP connection, and a socket that listens for them. */
inline Socket connect_to(const Endpoint& endpoint, std::chrono::milliseconds patience) {
  return tcp::connect(endpoint, std::chrono::steady_clock::now() + patience);
}
inline Socket listen_on(Endpoint& endpoint) {
  return tcp::listen(endpoint);
}

/** Through another descriptor of the same socket. */
inline std::unique_ptr<Channel> channel_over(int fd) {
  return channel_over(Socket(::fcntl(fd, F_DUPFD_CLOEXEC, 0)), Limits());
}
inline void send_frame(int fd, std::span<const std::byte> before, const FrameHeader& header,
                       Encoder& encoder) {
  channel_over(fd)->send(before, header, encoder, nullptr);
}
inline Welcome perform_handshake(int fd, const Hello& hello, std::uint32_t patience_ms) {
  return perform_handshake(*channel_over(fd), hello, patience_ms);
}
inline void prepare_connection(int fd, std::chrono::milliseconds receiving,
                               std::chrono::milliseconds sending) {
  channel_over(fd)->set_patience(receiving, sending);
}

}  // namespace shinar::wire
#endif
