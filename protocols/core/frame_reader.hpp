/**
 * Reads frames from a byte stream: a state machine that stops when no more data is available and
 * resumes later.
 *
 * Small frames are taken from a receive buffer, so that one recv suffices for header and body, and
 * for several frames; bulk segments are received straight into their destination buffers. All sizes
 * are checked before memory is allocated. One thread at a time; which one may change between calls.
 */
#ifndef SHINAR_CORE_FRAME_READER_HPP
#define SHINAR_CORE_FRAME_READER_HPP

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "channel.hpp"
#include "landing.hpp"
#include "limits.hpp"
#include "message.hpp"

namespace shinar::wire {

/**
 * How often a thread receives from a peer that sends without a pause before it checks the clock and
 * other clients: each time a few hundred frames at most.
 */
constexpr unsigned receives_in_a_turn = 16;

/** Bytes received and not consumed yet. Belongs to the reader; unconsumed bytes move with it. */
class ReceiveBuffer {
 public:
  static constexpr std::size_t capacity = 16384;

  ReceiveBuffer() = default;
  ReceiveBuffer(ReceiveBuffer&& other) noexcept
      : memory_(std::move(other.memory_)),
        begin_(std::exchange(other.begin_, 0)),
        end_(std::exchange(other.end_, 0)) {}
  ReceiveBuffer& operator=(ReceiveBuffer&& other) noexcept {
    memory_ = std::move(other.memory_);
    begin_ = std::exchange(other.begin_, 0);
    end_ = std::exchange(other.end_, 0);
    return *this;
  }

  void allocate() {
    if (memory_ == nullptr) memory_.reset(new std::byte[capacity]);
  }
  std::byte* memory() { return memory_.get(); }
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }
  void clear() { filled(0); }
  const std::byte* front() const { return memory_.get() + begin_; }
  /** True if the buffer starts with a complete small frame. */
  bool has_small_frame() const;
  /** `bytes` have been received into memory(). */
  void filled(std::size_t bytes) {
    begin_ = 0;
    end_ = bytes;
  }
  const std::byte* take(std::size_t bytes) {
    const std::byte* const at = memory_.get() + begin_;
    begin_ += bytes;
    return at;
  }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/** Where bytes come from. */
class Receiver {
 public:
  virtual ~Receiver() = default;
  /** As recv. `frame_start`: no byte of the next frame is there yet. errno EAGAIN: give up. */
  virtual ssize_t receive(void* to, std::size_t size, bool frame_start) = 0;
  /** The same for memory that is offered again until it is full: see ByteStream::receive_kept. */
  virtual ssize_t receive_kept(void* to, std::size_t size) { return receive(to, size, false); }
  /**
   * The same into a segment's destination from `offset` on, as far as it is contiguous; `is_there`
   * is false if the landing was revoked. Holds the landing's lock, so receivers that wait must
   * override it.
   */
  virtual ssize_t receive(Landing& landing, std::size_t segment, std::size_t offset,
                          bool& is_there) {
    ssize_t got = -1;
    is_there = landing.use(segment, [&](const Strided& place) {
      const std::span<std::byte> to = place.piece(offset);
      got = receive(to.data(), to.size(), false);
    });
    return got;
  }
  /** See Reading. */
  virtual Reading::Crowded crowded(const Lack& /*lack*/) { return Reading::Crowded::fail; }
  virtual std::shared_ptr<Landing> landing(const FrameHeader& /*header*/) { return nullptr; }
};

class FrameReader {
 public:
  using Status = Channel::Status;

  FrameReader(const Limits& limits, std::shared_ptr<Budget> budget);

  /**
   * Reads until a message is complete, which replaces the contents of `message`. Returns `nothing`
   * if the receiver gave up, `closed` at the end of the stream between frames, else `failed` with
   * errno (0: it ended within a frame). Throws Error(protocol) for an invalid frame, std::bad_alloc
   * if memory is exhausted.
   */
  Status next(Receiver& receiver, ReceiveBuffer& buffer, Message& message);

  /** Nothing is expected soon: frees the memory kept for the next message. */
  void rest() {
    if (!within_frame()) pending_.body.free();
  }

  /** See Channel. */
  bool has_capacity_ahead() const;

  /** See Channel. */
  void share_memory(std::shared_ptr<SharedBudget> shared) { budget_->share(std::move(shared)); }

  /** True if a frame has been received in part. */
  bool within_frame() const { return phase_ != Phase::header || got_ != 0; }

 private:
  enum class Phase { header, table, body, segment };

  bool fill(Receiver& receiver, ReceiveBuffer& buffer, Status& status);
  bool begin_frame(Receiver& receiver, ReceiveBuffer& buffer, Status& status);
  bool receive(Receiver& receiver, ReceiveBuffer& buffer, Status& status);
  ssize_t receive_elsewhere(Receiver& receiver);
  void land(std::span<const std::byte> bytes);
  bool take_small(ReceiveBuffer& buffer, Message& message);
  void begin(Phase phase, std::byte* to, std::size_t size);
  enum class Progress { more, message, no_room };
  Progress advance(Receiver& receiver);
  void check(const FrameHeader& header) const;
  bool take_table(Receiver& receiver);
  Progress begin_segments(Receiver& receiver);
  Progress next_segment();
  void give_up_place();

  const std::uint32_t inline_limit_;
  const std::uint64_t message_limit_;
  std::shared_ptr<Budget> budget_;
  Phase phase_ = Phase::header;
  std::byte* to_ = nullptr;  ///< where the bytes of this phase go
  std::size_t want_ = 0;
  std::size_t got_ = 0;
  std::size_t segment_ = 0;
  std::shared_ptr<Landing> landing_;      ///< of the segments; NULL if there is none
  bool lands_ = false;                    ///< the bytes of this phase go into it
  std::unique_ptr<std::byte[]> staging_;  ///< for a destination that is elsewhere
  std::vector<std::uint64_t> table_;
  std::byte header_[header_bytes];
  Message pending_;  ///< the frame that is being read
};

}  // namespace shinar::wire
#endif
