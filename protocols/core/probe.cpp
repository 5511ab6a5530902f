#include "probe.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <vector>

#include "authentication.hpp"
#include "channel.hpp"
#include "encoder.hpp"
#include "error.hpp"
#include "frame_reader.hpp"
#include "handshake.hpp"
#include "transport.hpp"

namespace shinar::wire {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/** Waits as a caller does, until a moment. */
class Until final : public Reading {
 public:
  explicit Until(Clock::time_point until) : until_(until) {}
  Next next(bool) override {
    if (Clock::now() < until_) return Next::wait;
    errno = ETIMEDOUT;
    return Next::stop;
  }
  void came(ssize_t) override {}

 private:
  const Clock::time_point until_;
};

class Probed {
 public:
  Probed(const Endpoint& at, const Id128& server, const Limits& limits, Clock::time_point until)
      : until_(until) {
    channel_ = Transport::of(at).connect(at, left(), limits);
    Hello hello;
    hello.session = random_id();
    hello.inline_bytes = limits.inline_bytes;
    hello.message_bytes = limits.message_bytes;
    hello.keepalive_ms = limits.keepalive_ms;
    welcome = perform_handshake(*channel_, hello, static_cast<std::uint32_t>(left().count()),
                                Authenticator::of_process().get());
    if (welcome.server != server) throw Error(Failure::no_server, "another server is there");
    constexpr milliseconds look_again(100);
    channel_->set_patience(look_again, look_again);
  }
  Probed(const Probed&) = delete;
  Probed& operator=(const Probed&) = delete;
  ~Probed() {
    Encoder body;
    body.put<std::uint32_t>(0);
    body.put_string("the client has seen how well it reaches the server");
    FrameHeader header;
    header.type = static_cast<std::uint8_t>(FrameType::goodbye);
    header.body = static_cast<std::uint32_t>(body.body_size());
    channel_->try_send(header, body);
    channel_->finish_sending();
    // The server closes when it has read that; what is unread might else take it away.
    constexpr milliseconds farewell(200);
    const auto until = Clock::now() + farewell;
    while (Clock::now() < until && channel_->await(true, false, -1, farewell).readable &&
           channel_->discard()) {
    }
    channel_->shut_down();
  }

  void send_ping(Encoder& encoder) {
    FrameHeader header;
    header.type = static_cast<std::uint8_t>(FrameType::ping);
    header.request = ++last_;
    header.segments = static_cast<std::uint16_t>(encoder.segments().size());
    header.bulk = encoder.bulk();
    header.body = static_cast<std::uint32_t>(encoder.body_size());
    channel_->send({}, header, encoder, nullptr);
  }
  /** Until the last ping is answered. */
  void await_pong() {
    Until reading(until_);
    Message message;
    do {
      const auto status = channel_->next(reading, buffer_, message);
      if (status != Channel::Status::message) {
        const bool is_late = Clock::now() >= until_;
        throw Error(is_late ? Failure::time_out : Failure::unexpected_close,
                    is_late ? "no answer in time" : "the connection was lost");
      }
    } while (message.type() != FrameType::pong || message.header.request != last_);
  }

  std::string carriers() const { return channel_->carriers(); }

  Welcome welcome;

 private:
  milliseconds left() const {
    return std::max(std::chrono::ceil<milliseconds>(until_ - Clock::now()), milliseconds(1));
  }

  const Clock::time_point until_;
  std::unique_ptr<Channel> channel_;
  ReceiveBuffer buffer_;
  std::uint64_t last_ = 0;
};

/** Of a few, after the first ones. */
std::chrono::duration<double> round_trip(Probed& probed) {
  constexpr std::size_t unheeded = 5;
  std::array<std::chrono::duration<double>, 41> times;
  for (std::size_t i = 0; i < unheeded + times.size(); ++i) {
    const auto begin = Clock::now();
    Encoder nothing;
    probed.send_ping(nothing);
    probed.await_pong();
    if (i >= unheeded) times[i - unheeded] = Clock::now() - begin;
  }
  std::ranges::nth_element(times, times.begin() + times.size() / 2);
  return times[times.size() / 2];
}

/** Seconds for so many bytes, in several messages. */
double seconds_for(Probed& probed, Encoder& encoder, std::size_t messages) {
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < messages; ++i) probed.send_ping(encoder);
  probed.await_pong();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/** With more and more bytes until it takes a while: slow networks are spared. */
double bandwidth(Probed& probed) {
  constexpr std::size_t messages = 4;
  constexpr double long_enough = 0.01;
  const std::size_t most =
      std::min<std::uint64_t>(std::size_t{8} << 20, probed.welcome.message_bytes);
  for (std::size_t size = std::min(bulk_threshold * 4, most);; size = std::min(4 * size, most)) {
    const std::vector<std::byte> bytes(size, std::byte{1});
    Encoder encoder;
    encoder.put_segment(bytes.data(), bytes.size());
    seconds_for(probed, encoder, 1);  // finds memory that nobody has touched
    const double time = seconds_for(probed, encoder, messages);
    if (time >= long_enough || size == most) return static_cast<double>(messages * size) / time;
  }
}

}  // namespace

Probe probe(const Endpoint& at, const Id128& server, const Limits& limits,
            Clock::time_point until) {
  Probed probed(at, server, limits, until);
  Probe result;
  result.round_trip = round_trip(probed);
  result.bytes_per_second = bandwidth(probed);
  result.carriers = probed.carriers();
  return result;
}

}  // namespace shinar::wire
