/**
 * The channel of a connection that has ended and is kept for its calls: it has no descriptor.
 */
#ifndef SHINAR_CORE_SERVER_NO_CHANNEL_HPP
#define SHINAR_CORE_SERVER_NO_CHANNEL_HPP

#include <string>
#include <utility>

#include "core/channel.hpp"
#include "core/error.hpp"

namespace shinar::wire {

class NoChannel final : public Channel {
 public:
  explicit NoChannel(std::string peer) : peer_(std::move(peer)) {}

  void send(std::span<const std::byte> /*before*/, const FrameHeader& /*header*/,
            Encoder& /*encoder*/, WriteWait* /*write_wait*/) override {
    throw ended();
  }
  void post(std::span<const std::byte> /*before*/, const FrameHeader& /*header*/,
            Encoder& /*encoder*/, Contents /*contents*/) override {
    throw ended();
  }
  void post(std::span<const std::byte> /*frames*/) override { throw ended(); }
  bool try_send(const FrameHeader& /*header*/, Encoder& /*encoder*/) override { return false; }

  std::size_t flush(bool /*waits*/) override { return 0; }
  std::uint64_t backlog() const override { return 0; }
  bool has_backlog() const override { return false; }
  void drop_backlog() override {}
  Spent take_spent() override { return {}; }

  Status next(Reading& /*reading*/, ReceiveBuffer& /*buffer*/, Message& /*message*/) override {
    return Status::closed;
  }
  bool within_frame() const override { return false; }
  bool has_capacity_ahead() const override { return false; }
  void rest() override {}
  void rest_sending() override {}

  int descriptor() const override { return -1; }
  pollfd writable_event() override { return {-1, 0, 0}; }
  Ready await(bool readable, bool writable, int /*other*/,
              std::chrono::milliseconds /*most*/) override {
    return {readable, writable};
  }
  void set_patience(std::chrono::milliseconds /*receiving*/,
                    std::chrono::milliseconds /*sending*/) override {}

  void send_greeting(std::span<const std::byte> /*bytes*/) override { throw ended(); }
  ssize_t receive_greeting(std::span<std::byte> /*bytes*/) override { return 0; }

  void finish_sending() override {}
  void shut_down() override {}
  bool discard() override { return false; }
  int unsent() const override { return 0; }
  std::string peer() const override { return peer_; }

 private:
  static Error ended() {
    return Error(Failure::unexpected_close, "the client has closed the connection");
  }

  const std::string peer_;
};

}  // namespace shinar::wire
#endif
