/**
 * What carries a connection: sends and receives frames with bulk segments. The layers above it
 * (sessions, references, order, calls) do not depend on how.
 *
 * Sending. One thread at a time: the sender must hold the connection's write lock. Frames are sent
 * whole and in order, or the channel is broken, which throws Error(unexpected_close, not_sent): the
 * peer never executes part of a frame. send() waits for a slow peer. post() does not: what the peer
 * has not taken is queued, kept alive by its owner, or copied if it has none or may change, until
 * flush() has sent it. send() sends the queue first.
 *
 * Receiving. One thread at a time: the reader, which may change from frame to frame. next()
 * continues where the last reader stopped. The reader decides how to wait (Reading). All sizes are
 * checked before memory is allocated, and what messages hold is limited (Limits::memory_bytes).
 *
 * Waiting. descriptor() becomes readable when data arrives that came after has_buffered() was
 * false; so whoever wants to watch it asks has_buffered() first. It is for epoll and poll only. Any
 * thread may ask.
 *
 * Closing. finish_sending() ends one direction; the peer sees the end after all that was sent.
 * shut_down() ends both, from any thread, and wakes all waiters; the channel stays valid.
 */
#ifndef SHINAR_CORE_CHANNEL_HPP
#define SHINAR_CORE_CHANNEL_HPP

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "encoder.hpp"
#include "identity.hpp"
#include "memory.hpp"
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
   * Returns true when the channel may take more or a retry is worthwhile, false when an interval
   * has passed since `since`.
   */
  virtual bool wait(Channel& channel, Clock::time_point since) = 0;
  /**
   * The peer takes nothing, or may not take all of a frame, of which nothing has been sent: returns
   * when the sender shall begin even so. Throws Error: the frame is not sent.
   */
  virtual void await_beginning(Channel& /*channel*/) {}
  /**
   * True if the sender shall wait no longer for the peer to take a frame: what is left of it, if
   * it is not large, precedes what is sent next, and the sender sees to it that it is sent.
   */
  virtual bool leaves_rest() { return false; }
};

/** Memory that a message needs and that is not there. */
struct Lack {
  /** It is others who have taken it, of what this budget shares with them; NULL: the peer has. */
  std::shared_ptr<Budget> budget;
  std::uint64_t bytes;
};

/** How a reader waits: what makes a client differ from a server. */
class Reading {
 public:
  virtual ~Reading() = default;
  enum class Next {
    look,   ///< take what is available
    spin,   ///< the same, retried for a while
    sleep,  ///< until data arrives, at most the channel's patience (set_patience)
    wait,   ///< spin, then sleep
    stop,   ///< give up; errno says why, EAGAIN: nothing to read
  };
  /**
   * How to get more data. `frame_start`: no byte of the next frame is there yet. errno: result of
   * the previous attempt if it got nothing (EAGAIN) or was interrupted (EINTR).
   */
  virtual Next next(bool frame_start) = 0;
  /**
   * What the attempt got: bytes; 0 at the end of the stream; -1 for an error, with errno, which
   * must be preserved.
   */
  virtual void came(ssize_t got) = 0;

  /**
   * The destination of a message's segments, once its header and body are here; NULL: newly
   * allocated blocks.
   */
  virtual std::shared_ptr<Landing> landing(const FrameHeader& /*header*/) { return nullptr; }
  enum class Crowded {
    fail,   ///< the message exceeds the limit, which ends the connection
    again,  ///< try again: memory may have become free
    stop,   ///< give up, as when there is nothing to read
  };
  /**
   * What to do when a message that has begun to arrive exceeds the memory budget together with
   * those not processed yet.
   */
  virtual Crowded crowded(const Lack& /*lack*/) { return Crowded::fail; }
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
  /** The same without waiting; `contents`: of the frame's arrays, for what is queued. */
  virtual void post(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
                    Contents contents) = 0;
  /** The same for whole frames in contiguous memory. */
  virtual void post(std::span<const std::byte> frames) = 0;
  /**
   * Sends a small frame without segments if the peer takes at least its beginning now; the rest
   * precedes what is sent next. Else it is not sent. Does not throw.
   */
  virtual bool try_send(const FrameHeader& header, Encoder& encoder) = 0;
  bool try_send(const FrameHeader& header) {
    Encoder nothing;
    return try_send(header, nothing);
  }

  /**
   * Sends what the peer takes of the queue, a few MiB at most; returns how much. `waits`: for the
   * peer, at most the patience.
   */
  virtual std::size_t flush(bool waits) = 0;
  /** Bytes that are queued or kept alive for the queue. */
  virtual std::uint64_t backlog() const = 0;
  virtual bool has_backlog() const = 0;
  /** The peer has not taken all that was offered last. */
  bool is_full() const { return is_full_; }
  /** How often it has become that. */
  std::uint32_t times_full() const { return times_full_; }
  /** Discards the queue. */
  virtual void drop_backlog() = 0;
  /**
   * Owners of what was sent or dropped. Their destructors may be users' code: destroy them without
   * locks.
   */
  virtual Spent take_spent() = 0;

  enum class Status { message, nothing, closed, failed };
  /**
   * Reads until a message is complete, which replaces the contents of `message`. `nothing`: the
   * reader gave up; `closed`: end of stream between frames; `failed`: see errno, 0 if the stream
   * ended within a frame. Throws Error(protocol) for an invalid frame, std::bad_alloc if memory is
   * exhausted. `buffer`: holds bytes received beyond the message; if it is not empty, the next
   * reader needs it.
   */
  virtual Status next(Reading& reading, ReceiveBuffer& buffer, Message& message) = 0;
  /** True if a frame has been received in part. */
  virtual bool within_frame() const = 0;
  /**
   * True if one more message may be read before the earlier ones are processed: they hold little
   * memory, and any message within the limits would still fit.
   */
  virtual bool has_capacity_ahead() const = 0;
  /** The memory of its messages is taken of that, too. Before the first message. */
  virtual void share_memory(std::shared_ptr<SharedBudget> /*shared*/) {}
  /** Nothing is expected soon: frees the memory kept for the next message. */
  virtual void rest() = 0;
  /** Nothing has been sent for a while: the same for sending, by the sender. */
  virtual void rest_sending() = 0;

  virtual int descriptor() const = 0;
  virtual bool has_buffered() const { return false; }
  /**
   * What to watch, once, to learn that the channel takes more, or is broken. Any thread; to be
   * asked anew each time; the descriptor is always the same.
   */
  virtual pollfd writable_event() = 0;
  struct Ready {
    bool readable = false;
    bool writable = false;
    bool other = false;
    bool interrupted = false;
  };
  /**
   * Sleeps until the channel is readable or writable, as requested, `other` (a descriptor or -1) is
   * readable, a signal arrives, or `most` has passed. It may be said to be readable though there is
   * nothing: some networks have something to do that brings no bytes.
   */
  virtual Ready await(bool readable, bool writable, int other, std::chrono::milliseconds most) = 0;
  /** How long a thread sleeps at a time in next(), and in send() without a WriteWait. */
  virtual void set_patience(std::chrono::milliseconds receiving,
                            std::chrono::milliseconds sending) = 0;

  /** Sends the bytes of the handshake, before any frame. Throws Error. */
  virtual void send_greeting(std::span<const std::byte> bytes) = 0;
  /** Receives such bytes, as recv without waiting. */
  virtual ssize_t receive_greeting(std::span<std::byte> bytes) = 0;

  virtual void finish_sending() = 0;
  virtual void shut_down() = 0;
  /** Reads and drops up to 4 KiB of what has arrived; false at the end of the stream. */
  virtual bool discard() = 0;
  /** Bytes sent that the peer's host has not acknowledged yet, as far as is known. */
  virtual int unsent() const = 0;
  /** "127.0.0.1:4711", for log lines. */
  virtual std::string peer() const = 0;
  /** What carries the bytes, where the transport leaves that open: "cma, posix"; else empty. */
  virtual std::string carriers() const { return ""; }
  /** Who the peer has proved to be to the transport, once a greeting has come. */
  virtual Identity identity() const { return {}; }
  /**
   * Bytes that both ends of this connection know and that are those of no other, to tie a proof to
   * it; empty if the transport has none.
   */
  virtual std::vector<std::byte> binding() const { return {}; }
  /**
   * Bytes of memory that the peer can make it take beside messages, if that is worth being counted:
   * before the greeting has come, and from then on.
   */
  virtual std::uint64_t own_memory() const { return 0; }

 protected:
  /** The sender has offered something. */
  void note_full(bool is_full) {
    if (is_full && !is_full_) ++times_full_;
    is_full_ = is_full;
  }

 private:
  bool is_full_ = false;
  std::uint32_t times_full_ = 0;
};

}  // namespace shinar::wire
#endif
