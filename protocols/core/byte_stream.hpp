/**
 * A bidirectional byte stream: what TCP, Unix-domain sockets and the like offer to a StreamChannel.
 * Same threading rules as Channel.
 */
#ifndef SHINAR_CORE_BYTE_STREAM_HPP
#define SHINAR_CORE_BYTE_STREAM_HPP

#include <poll.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "identity.hpp"

namespace shinar::wire {

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  /**
   * Sends some of the bytes, at least one; returns and fails as sendmsg, without SIGPIPE. `waits`:
   * for buffer space, at most the patience; -1 with EAGAIN if there is none.
   */
  virtual ssize_t send(std::span<const iovec> pieces, bool waits) = 0;
  virtual ssize_t send(std::span<const std::byte> bytes, bool waits) = 0;
  /**
   * Receives what is available, at least one byte; 0 at the end of the stream. As recv; `waits` as
   * above.
   */
  virtual ssize_t receive(void* to, std::size_t size, bool waits) = 0;

  /**
   * The same for memory that stays as it is until all of it is sent or received, or the stream is
   * shut down: some streams transfer bytes from and to where they lie. -1 with EAGAIN may then mean
   * that a transfer has begun; the caller goes on by offering the same memory again. (What send()
   * does not say it has sent may have begun, too, but it needs no memory of the caller's.)
   */
  virtual ssize_t send_kept(std::span<const iovec> pieces, bool waits) {
    return send(pieces, waits);
  }
  virtual ssize_t receive_kept(void* to, std::size_t size, bool waits) {
    return receive(to, size, waits);
  }
  /** True if send() leaves long pieces to send_kept(). */
  virtual bool prefers_kept() const { return false; }

  /** As receive() without waiting, for loops of attempts; may not see the end of the stream. */
  virtual ssize_t poll(void* to, std::size_t size) { return receive(to, size, false); }

  /** See Channel. */
  virtual int descriptor() const = 0;
  virtual bool has_buffered() const { return false; }
  virtual pollfd writable_event() { return {descriptor(), POLLOUT, 0}; }
  virtual void rest_sending() {}
  virtual void set_patience(std::chrono::milliseconds receiving,
                            std::chrono::milliseconds sending) = 0;
  virtual void finish_sending() = 0;
  virtual void shut_down() = 0;
  /** Bytes that the peer's host has not acknowledged yet, as far as is known. */
  virtual int unsent() const = 0;
  /** "127.0.0.1:4711", for log lines. */
  virtual std::string peer() const = 0;
  /** See Channel. */
  virtual std::string carriers() const { return ""; }
  virtual Identity identity() const { return {}; }
  virtual std::vector<std::byte> binding() const { return {}; }
  virtual std::uint64_t own_memory() const { return 0; }
};

}  // namespace shinar::wire
#endif
