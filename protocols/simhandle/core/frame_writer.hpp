/**
 * Sends frames: one system call, from the memory where the data is, as a rule.
 *
 * Who sends holds the connection's write lock: frames must not be mixed.
 */
#ifndef SIMHANDLE_FRAME_WRITER_HPP
#define SIMHANDLE_FRAME_WRITER_HPP

#include <chrono>
#include <cstddef>
#include <span>

#include "encoder.hpp"
#include "wire.hpp"

namespace simhandle {

/** Completes the header from the encoder; throws Error if a limit of the receiver is passed. */
void complete_header(FrameHeader& header, const Encoder& encoder, std::uint32_t inline_limit,
                     std::uint64_t message_limit);

/** What a sender does instead of sleeping while the peer takes no data. */
class Stall {
 public:
  virtual ~Stall() = default;
  using Clock = std::chrono::steady_clock;
  /**
   * Returns when the socket may take more, or something else was worth a try; with false when an
   * interval has passed since `since`.
   */
  virtual bool wait(int fd, Clock::time_point since) = 0;
};

/**
 * Sends `before` (whole frames, may be empty) and then one frame. `header` is complete.
 *
 * Waits while the peer takes data; gives up after keepalive_misses send time-outs of the socket
 * in a row. Throws Error(unexpected_close); part of a frame may have left then, so that the
 * connection is of no more use. Such a frame is never executed: the fate is not_sent.
 */
void send_frame(int fd, std::span<const std::byte> before, const FrameHeader& header,
                Encoder& encoder, Stall* stall = nullptr);

/** As send_frame, but only what the socket takes at once; returns how many bytes that was. */
std::size_t send_at_once(int fd, std::span<const std::byte> before, const FrameHeader& header,
                         Encoder& encoder);

/** What the socket takes at once of frames that lie in one piece; returns how many bytes. */
std::size_t send_some(int fd, std::span<const std::byte> frames);

/** Sends a small frame without segments if the socket takes it now; else it is not sent. */
bool send_now(int fd, const FrameHeader& header, Encoder& encoder);
bool send_header_now(int fd, const FrameHeader& header);

}  // namespace simhandle
#endif
