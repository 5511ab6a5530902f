/**
 * A Channel over a byte stream. A frame is usually sent in one system call straight from its data;
 * bulk segments are received straight into their destination buffers.
 */
#ifndef SHINAR_CORE_STREAM_CHANNEL_HPP
#define SHINAR_CORE_STREAM_CHANNEL_HPP

#include <memory>

#include "byte_stream.hpp"
#include "channel.hpp"
#include "frame_reader.hpp"
#include "outbox.hpp"
#include "spin.hpp"

namespace shinar::wire {

class StreamChannel final : public Channel {
 public:
  StreamChannel(std::unique_ptr<ByteStream> stream, const Limits& limits);

  void send(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
            WriteWait* write_wait) override;
  void post(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
            Contents contents) override;
  void post(std::span<const std::byte> frames) override;
  bool try_send(const FrameHeader& header, Encoder& encoder) override;
  using Channel::try_send;

  std::size_t flush(bool waits) override;
  std::uint64_t backlog() const override { return outbox_.bytes(); }
  bool has_backlog() const override { return !outbox_.empty(); }
  void drop_backlog() override;
  Spent take_spent() override { return outbox_.take_spent(); }

  Status next(Reading& reading, ReceiveBuffer& buffer, Message& message) override;
  bool within_frame() const override { return reader_.within_frame(); }
  bool has_capacity_ahead() const override { return reader_.has_capacity_ahead(); }
  void share_memory(std::shared_ptr<SharedBudget> shared) override {
    reader_.share_memory(std::move(shared));
  }
  void rest() override { reader_.rest(); }
  void rest_sending() override { stream_->rest_sending(); }

  int descriptor() const override { return stream_->descriptor(); }
  bool has_buffered() const override { return stream_->has_buffered(); }
  pollfd writable_event() override { return stream_->writable_event(); }
  Ready await(bool readable, bool writable, int other, std::chrono::milliseconds most) override;
  void set_patience(std::chrono::milliseconds receiving,
                    std::chrono::milliseconds sending) override {
    patience_ = receiving;
    stream_->set_patience(receiving, sending);
  }

  void send_greeting(std::span<const std::byte> bytes) override;
  ssize_t receive_greeting(std::span<std::byte> bytes) override {
    return stream_->receive(bytes.data(), bytes.size(), false);
  }

  void finish_sending() override { stream_->finish_sending(); }
  void shut_down() override { stream_->shut_down(); }
  bool discard() override;
  int unsent() const override { return stream_->unsent(); }
  std::string peer() const override { return stream_->peer(); }
  std::string carriers() const override { return stream_->carriers(); }
  Identity identity() const override { return stream_->identity(); }
  std::vector<std::byte> binding() const override { return stream_->binding(); }
  std::uint64_t own_memory() const override { return stream_->own_memory(); }

 private:
  class Bytes;
  /**
   * Elements that cannot be copied, memory that is exhausted: a frame may have been sent in part,
   * and other threads would go on behind it.
   */
  template <class Send>
  decltype(auto) whole_or_not(Send send) {
    try {
      return send();
    } catch (...) {
      stream_->shut_down();
      throw;
    }
  }
  /** A frame, behind `before`, of which `done` bytes have been sent. */
  struct Begun {
    std::span<const std::byte> before;
    const FrameHeader& header;
    const Encoder& encoder;
    std::size_t done;
  };
  void send_pieces(const Begun& begun, std::span<iovec> left, WriteWait* write_wait);
  template <class SendSome>
  void go_on(const Begun& begun, WriteWait* write_wait, SendSome send_some);
  void send_behind(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
                   WriteWait* write_wait);
  void post_rest(std::span<const std::byte> before, const FrameHeader& header, Encoder& encoder,
                 std::size_t left, Contents contents);
  /** See ByteStream::send_kept. */
  enum class Memory { kept, passing };
  std::size_t send_once(std::span<const iovec> pieces, Memory memory, bool waits);
  std::size_t send_some(std::span<iovec> pieces);
  std::size_t send_some(std::span<const std::byte> bytes);
  void send_all(std::span<iovec> pieces, WriteWait* write_wait);
  template <class IsDone, class SendSome>
  void insist(IsDone is_done, SendSome send_some, WriteWait* write_wait);

  Outbox outbox_;
  FrameReader reader_;
  Spin spin_;                                 ///< of the reader
  Spin sending_spin_;                         ///< of who sends
  const std::unique_ptr<ByteStream> stream_;  ///< ends first: it may be using the others' memory
  const bool prefers_kept_;                   ///< see ByteStream
  std::chrono::milliseconds patience_{1000};  ///< of the reader
};

}  // namespace shinar::wire
#endif
