/**
 * A ring of bytes in memory that two processes share: one end writes, the other reads.
 *
 * The peer may write to this memory at any time, so nothing in it is trusted: each end keeps its
 * own position, copies the peer's once and checks it, and copies bytes out before anybody looks at
 * them. A peer that breaks the rules harms its own data, or is reported as EPROTO.
 *
 * Positions only grow; the byte at position p is at p plus an offset, modulo the capacity, a power
 * of two. Bytes written into an empty ring begin at that offset again, so that small messages
 * always use the same cache lines and the same page.
 *
 * Waking. An end that is going to sleep says so (Sleep), then looks once more; the other end looks
 * at that after it has moved on. A sleep is announced in two independent ways: by a futex, for a
 * thread that waits for nothing else, and by a wish for a signal on a descriptor, which stays until
 * it is fulfilled.
 */
#ifndef SHINAR_TRANSPORTS_SHM_RING_HPP
#define SHINAR_TRANSPORTS_SHM_RING_HPP

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace shinar::wire::shm {

/** Bytes after which the other end is shown progress, so that both copy at the same time. */
constexpr std::size_t portion = std::size_t{64} << 10;

/** How an end sleeps, in shared memory. */
struct Sleep {
  std::atomic<std::uint32_t> on_futex;  ///< 1: a thread waits on this word
  std::atomic<std::uint32_t> wants_signal;

  /** What the other end, which has moved on, is to do. */
  enum class Wake { nothing, signal };
  /** Wakes the thread at the futex, and takes the wish for a signal, which the caller then sends.
   */
  Wake wake();
  /**
   * Sleeps until wake(), for `most` at most, unless is_over() after the announcement. False if
   * interrupted by a signal handler.
   */
  template <class IsOver>
  bool wait(std::chrono::nanoseconds most, const IsOver& is_over) {
    on_futex.store(1);
    const bool uninterrupted = is_over() || wait_on_futex(most);
    on_futex.store(0);
    return uninterrupted;
  }
  /** Ends wait() without a reason: the thread that waits looks itself. */
  void end();

 private:
  bool wait_on_futex(std::chrono::nanoseconds most);
};

/** The shared part of a ring but for its bytes. */
struct RingControl {
  // The writer's:
  alignas(64) std::atomic<std::uint64_t> start;  ///< of the bytes written since it was empty
  std::atomic<std::uint64_t> end;
  Sleep writer;
  // The reader's:
  alignas(64) std::atomic<std::uint64_t> read;  ///< all before has been read
  Sleep reader;
};
static_assert(sizeof(RingControl) == 128 && std::atomic<std::uint64_t>::is_always_lock_free);

/** The writing end. One thread at a time, but for has_space(). */
class RingWriter {
 public:
  RingWriter() = default;
  RingWriter(RingControl& control, std::span<std::byte> bytes, std::size_t offset)
      : control_(&control), bytes_(bytes), offset_(offset) {}

  /** How many bytes can be put. */
  std::size_t space();
  /** Copies as many bytes as there is space for; the reader sees them after publish(). */
  std::size_t put(std::span<const std::byte> bytes);
  /** Shows the reader what was put; returns how to wake it. */
  Sleep::Wake publish();
  /**
   * True if so many bytes can be put, when all has been published. Any thread; may be false before
   * the reader has begun to read.
   */
  bool has_space(std::size_t bytes) const;
  /** True if the reader has not read all that was published. */
  bool is_read() const { return control_->read.load() == end_.load(std::memory_order_relaxed); }
  /** Frees the pages of an empty ring that are its own, if it has used many. */
  void trim();

 private:
  RingControl* control_ = nullptr;
  std::span<std::byte> bytes_;
  std::size_t offset_ = 0;
  std::uint64_t read_ = 0;             ///< as far as is known
  std::uint64_t put_ = 0;              ///< end of what was put
  std::atomic<std::uint64_t> end_{0};  ///< end of what was published
  std::size_t touched_ = 0;            ///< bytes of the ring used since trim()
};

/** The reading end. One thread at a time, but for has_bytes(). */
class RingReader {
 public:
  RingReader() = default;
  RingReader(RingControl& control, std::span<const std::byte> bytes, std::size_t offset)
      : control_(&control), bytes_(bytes), offset_(offset) {}

  /** Copies as many bytes as are there, at most a portion; -1 with errno EPROTO if the peer lies.
   */
  std::ptrdiff_t take(std::span<std::byte> to);
  /** The writer waits and should go on now: how to wake it. */
  Sleep::Wake wake_writer();
  /** Any thread. */
  bool has_bytes() const { return control_->end.load() != read_.load(std::memory_order_relaxed); }

 private:
  bool look();

  RingControl* control_ = nullptr;
  std::span<const std::byte> bytes_;
  std::size_t offset_ = 0;
  std::atomic<std::uint64_t> read_{0};
  std::uint64_t end_ = 0;  ///< as far as is known
};

}  // namespace shinar::wire::shm
#endif
