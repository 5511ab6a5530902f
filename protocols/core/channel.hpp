/**
 * What carries a connection: frames with bulk segments go out and come in. All that is above it
 * (sessions, references, order, calls) knows nothing of how.
 *
 * Sending. One thread at a time: whoever holds the connection's write lock. A frame leaves as a
 * whole and in order, or the channel is broken, which an Error(unexpected_close, not_sent) says:
 * the peer never executes part of a frame. send() waits for a peer that takes its time. post() does
 * not: what the peer has not taken is queued, kept alive by its owners or copied if it has none,
 * until flush() has sent it. send() sends that before.
 *
 * Receiving. One thread at a time: the reader, which may be another one for each frame. next() goes
 * on where the last reader has left off. How it waits is the reader's business (Reading). All sizes
 * are checked before memory is taken, and what messages hold is limited (Limits::memory_bytes).
 *
 * Waiting. descriptor() is readable when something has come, unless has_buffered() says that it is
 * here already; it is for epoll and poll, and for nothing else. Any thread may ask.
 *
 * Ends. finish_sending() ends one direction, which the peer finds behind all that was sent.
 * shut_down() ends both, by any thread, and wakes whoever waits; the channel stays valid.
 */
#ifndef SHINAR_CORE_CHANNEL_HPP
#define SHINAR_CORE_CHANNEL_HPP

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "encoder.hpp"
#include "message.hpp"
#include "outbox.hpp"
#include "wire.hpp"

namespace shinar::wire {

class Channel;
class Landing;
class ReceiveBuffer;

/** What a sender does instead of sleeping while the peer takes no data. */
class WriteWait {
 public:
  virtual ~WriteWait() = default;
  using Clock = std::chrono::steady_clock;
  /**
   * Returns when the channel may take more, or something else was worth a try; with false when an
   * interval has passed since `since`.
   */
  virtual bool wait(Channel& channel, Clock::time_point since) = 0;
};

/** How a reader waits: what makes a client differ from a server. */
class Reading {
 public:
  virtual ~Reading() = default;
  enum class Next {
    look,   ///< take what is there
    spin,   ///< the same, again and again for a while
    sleep,  ///< until something comes, or as long as the channel's patience (set_patience)
    wait,   ///< spin, then sleep
    stop,   ///< give up; errno says why, EAGAIN: for want of anything to read
  };
  /** What to do to get more. `frame_start`: no byte of the next frame is there yet. errno: what
   * came of what was done last, if that was nothing (EAGAIN) or was interrupted (EINTR). */
  virtual Next next(bool frame_start) = 0;
  /** It was so many bytes, 0: the end; -1: an error, see errno, which stays. */
  virtual void came(ssize_t got) = 0;

  /** Where the segments of a message go of which header and body are here; NULL: wherever there is
   * memory. */
  virtual std::shared_ptr<Landing> landing(const FrameHeader& /*header*/) { return nullptr; }
  enum class Crowded {
    fail,   ///< the message is one too many, which ends the connection
    again,  ///< there may be room now
    stop,   ///< give up, as for want of anything to read
  };
  /** What to do when a message that has begun to come is too much beside those that were read and
   *  have not been dealt with. */
  virtual Crowded crowded() { return Crowded::fail; }
};

class Channel {
 public:
  virtual ~Channel() = default;

  /**
   * Sends `before` (whole frames, may be empty) and then one frame. `header` is complete. Gives up
   * when the peer has taken nothing for keepalive_misses times the patience.
   */
  virtual void send(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
                    WriteWait* write_wait) = 0;
  /** The same without waiting. */
  virtual void post(std::span<const std::byte> before, const FrameHeader& header,
                    Encoder& encoder) = 0;
  /** The same of whole frames that lie in one piece. */
  virtual void post(std::span<const std::byte> frames) = 0;
  /** Sends a small frame without segments if the peer takes it now, the beginning at least: the
   * rest goes before what is sent next. Else it is not sent. Does not throw. */
  virtual bool try_send(const FrameHeader& header, Encoder& encoder) = 0;
  bool try_send(const FrameHeader& header) {
    Encoder nothing;
    return try_send(header, nothing);
  }

  /** Sends what the peer takes of what is queued, a few MiB at most; returns how much. `waits`: for
   *  room, as long as the patience. */
  virtual std::size_t flush(bool waits) = 0;
  /** Bytes that are queued, or kept alive for it. */
  virtual std::uint64_t backlog() const = 0;
  virtual bool has_backlog() const = 0;
  /** What is queued will not be sent. */
  virtual void drop_backlog() = 0;
  /** What was sent or dropped, whose owners may be users' code: for whoever may run that. */
  virtual Spent take_spent() = 0;

  enum class Status { message, nothing, closed, failed };
  /**
   * Goes on until a message is complete, which replaces what `message` held. `nothing`: the reader
   * gave up; `closed`: the end, between frames; `failed`: with errno, 0: it ended within a frame.
   * Throws Error(protocol) for a frame that must not be, std::bad_alloc if memory is exhausted.
   * `buffer`: memory for what comes with it, which the next reader needs if it is not empty.
   */
  virtual Status next(Reading& reading, ReceiveBuffer& buffer, Message& message) = 0;
  /** True if a frame has begun to come and is not complete. */
  virtual bool within_frame() const = 0;
  /** True if one more message may be read before those that were read have been dealt with: these
   *  hold little, and no message that the limits allow would be too much. */
  virtual bool has_capacity_ahead() const = 0;
  /** Nothing is expected soon: gives back the memory kept for the next message. */
  virtual void rest() = 0;

  virtual int descriptor() const = 0;
  virtual bool has_buffered() const { return false; }
  struct Ready {
    bool readable = false;
    bool writable = false;
    bool other = false;
    bool interrupted = false;
  };
  /** Sleeps until the channel is readable or writable, as wanted, `other` (a descriptor, -1: none)
   *  is readable, a signal comes, or the time is over. */
  virtual Ready await(bool readable, bool writable, int other, std::chrono::milliseconds most) = 0;
  /** How long a thread sleeps at a time in next() and send(), for want of a WriteWait. */
  virtual void set_patience(std::chrono::milliseconds receiving,
                            std::chrono::milliseconds sending) = 0;

  /** The bytes of the handshake, before any frame, all of which the peer takes as a rule. Throws
   *  Error. */
  virtual void send_greeting(std::span<const std::byte> bytes) = 0;
  /** Those that have come, as recv without waiting. */
  virtual ssize_t receive_greeting(std::span<std::byte> bytes) = 0;

  virtual void finish_sending() = 0;
  virtual void shut_down() = 0;
  /** Reads what has come and drops it, some of it at least; false at the end. */
  virtual bool discard() = 0;
  /** Bytes that were sent and that the peer's machine has not taken yet, as far as is known. */
  virtual int unsent() const = 0;
  /** "127.0.0.1:4711", for log lines. */
  virtual std::string peer() const = 0;
};

}  // namespace shinar::wire
#endif
