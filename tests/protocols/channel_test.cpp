/**
 * What every Channel has to do, whatever carries it. A new transport is one more line at the end.
 */
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <future>
#include <random>
#include <thread>
#include <tuple>

#include "core/frame_reader.hpp"
#include "core/landing.hpp"
#include "core/peer.hpp"
#include "core/server.hpp"
#include "core/stream_channel.hpp"
#include "core/transport.hpp"
#include "test_host.hpp"
#include "tls_certificates.hpp"
#include "transports/sockets.hpp"

using namespace shinar::wire;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

namespace {

Endpoint endpoint_of(const std::string& transport) {
  if (transport == "tcp") return {"127.0.0.1", 0};
  static std::atomic<int> count{0};
  if (transport == "shm") {
    return {.host = std::to_string(::getpid()) + "." + std::to_string(++count), .via = transport};
  }
  const std::string path =
      testing::TempDir() + "channel" + std::to_string(::getpid()) + "." + std::to_string(++count);
  if (transport == "tls") Certificates::instance().use();
  if (transport == "unix") return {.path = path};
  if (transport == "pipes") return {.path = path, .via = transport};
  return {.host = "127.0.0.1", .via = transport};
}

/** Sleeps until something comes, but not for ever. */
class Patient : public Reading {
 public:
  Next next(bool) override {
    if (Clock::now() < until_) return Next::sleep;
    errno = EAGAIN;
    return Next::stop;
  }
  void came(ssize_t) override {}

 private:
  const Clock::time_point until_ = Clock::now() + std::chrono::seconds(20);
};

/** Takes what is there. */
class Brief : public Reading {
 public:
  Next next(bool) override {
    if (!std::exchange(looked_, true)) return Next::look;
    looked_ = false;
    errno = EAGAIN;
    return Next::stop;
  }
  void came(ssize_t) override { looked_ = false; }

 private:
  bool looked_ = false;
};

/** A frame of chance, which the other end can make again. */
struct Frame {
  explicit Frame(std::uint32_t seed, std::size_t most = 300000) {
    std::mt19937 random(seed);
    header.type = static_cast<std::uint8_t>(FrameType::request);
    header.request = seed;
    for (std::size_t i = random() % 50; i > 0; --i) encoder.put(random());
    for (std::size_t i = random() % 4; i > 0; --i) {
      std::vector<double> values(1 + random() % (most / sizeof(double)));
      for (double& each : values) each = static_cast<double>(random());
      arrays.push_back(std::move(values));
      put(arrays.back(), random() % 4);
    }
    complete_header(header, encoder, 1u << 20, 1u << 30);
  }
  /** Of a message: that it is this one. */
  void expect(const Message& message) {
    EXPECT_EQ(message.header.request, header.request);
    ASSERT_EQ(message.body.size(), encoder.body_size());
    if (encoder.body_size() != 0) {
      EXPECT_EQ(std::memcmp(message.body.data(), encoder.body(), encoder.body_size()), 0);
    }
    ASSERT_EQ(message.segments.size(), encoder.segments().size());
    for (std::size_t i = 0; i < message.segments.size(); ++i) {
      const std::vector<std::byte> sent = bytes_of(i);
      ASSERT_EQ(message.segments[i].size(), sent.size());
      EXPECT_EQ(std::memcmp(message.segments[i].data(), sent.data(), sent.size()), 0);
    }
  }
  std::vector<std::byte> bytes_of(std::size_t segment) const {
    std::vector<std::byte> bytes(encoder.segments()[segment].size());
    encoder.segments()[segment].copy_to(bytes.data());
    return bytes;
  }

  /** Whole, or some of it: single numbers, or rows that are longer or shorter. */
  void put(std::vector<double>& values, std::size_t how) {
    const std::size_t row = how == 2 ? 100 : 1000;
    if (how == 1 && values.size() > 20000) {
      put(Strided(values.data() + values.size() - 1, 8, {{{values.size() / 2, -16}}}));
    } else if (how > 1 && values.size() >= 4 * row) {
      const std::ptrdiff_t apart = 8 * static_cast<std::ptrdiff_t>(row);
      put(Strided(values.data() + 3, 8, {{{row - 7, 8}, {values.size() / row / 2, 2 * apart}}}));
    } else {
      put_doubles(encoder, values);
    }
  }
  void put(const Strided& places) {
    ArrayShape shape;
    shape.kind = Kind::double_;
    shape.order = Order::row;
    shape.dimension = 1;
    shape.upper[0] = static_cast<std::int32_t>(places.size() / 8) - 1;
    encoder.put_array(shape, Bulk::lent(places));
  }
  FrameHeader header;
  std::vector<std::vector<double>> arrays;
  Encoder encoder;
};

/** The seed of one that no system takes at once, if there are some. */
std::uint32_t seed_of_big() {
  std::uint32_t seed = 0;
  while (Frame(seed, 1 << 20).header.bulk < 500000) ++seed;
  return seed;
}

/** A small one. */
void send_number(Channel& channel, std::uint64_t number) {
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::pong);
  header.request = number;
  Encoder nothing;
  channel.send({}, header, nothing, nullptr);
}

}  // namespace

/** Two channels that are connected. */
class Channels : public testing::TestWithParam<const char*> {
 protected:
  Channels() {
    listener_ = listen();
    std::tie(near, far) = connect(*listener_, limits);
    for (Channel* const each : {near.get(), far.get()}) {
      each->set_patience(milliseconds(5000), milliseconds(5000));
    }
    // Some carry nothing before both ends have looked.
    std::thread greets([&] { near->send_greeting(std::as_bytes(std::span("hello", 5))); });
    std::array<std::byte, 5> hello{};
    ssize_t heard = 0;
    EXPECT_TRUE(eventually([&] {
      heard += std::max<ssize_t>(far->receive_greeting(std::span(hello).subspan(heard)), 0);
      return heard == std::ssize(hello);
    }));
    greets.join();
  }

  static std::unique_ptr<Listener> listen() {
    const Endpoint at = endpoint_of(GetParam());
    return Transport::of(at).listen(at);
  }
  /** Both ends of a connection; `far_limits` are those of the far one. */
  static std::pair<std::unique_ptr<Channel>, std::unique_ptr<Channel>> connect(
      Listener& listener, const Limits& far_limits) {
    // To connect may take what accept() sends.
    auto connecting = std::async(std::launch::async, [&] {
      const Endpoint& at = listener.endpoint();
      return Transport::of(at).connect(at, milliseconds(5000), Limits());
    });
    std::unique_ptr<Channel> far_end;
    EXPECT_TRUE(eventually([&] {
      far_end = listener.accept(far_limits).channel;
      return far_end != nullptr;
    }));
    // Or what it does while it looks for something to read, as servers do.
    EXPECT_TRUE(eventually([&] {
      static_cast<void>(far_end->receive_greeting({}));
      return connecting.wait_for(milliseconds(0)) == std::future_status::ready;
    }));
    return {connecting.get(), std::move(far_end)};
  }
  Channel::Status receive(Channel& from, Message& message) {
    Patient patient;
    return from.next(patient, buffer, message);
  }
  std::uint64_t number_from(Channel& from) {
    Message message;
    EXPECT_EQ(receive(from, message), Channel::Status::message);
    return message.header.request;
  }
  /** Until the peer takes no more. */
  void fill(Channel& channel) {
    for (std::uint32_t seed = 0; !channel.has_backlog(); ++seed) {
      Frame frame(seed);
      channel.post({}, frame.header, frame.encoder, Contents::stay);
      posted.push_back(seed);
    }
  }

  Limits limits;
  std::unique_ptr<Channel> near, far;
  ReceiveBuffer buffer;
  std::vector<std::uint32_t> posted;

 private:
  std::unique_ptr<Listener> listener_;
};

TEST_P(Channels, FramesArriveAsTheyWere) {
  constexpr std::uint32_t count = 60;
  std::thread sender([&] {
    for (std::uint32_t seed = 0; seed < count; ++seed) {
      Frame frame(seed), before(1000 + seed, 16);
      const auto whole = before.encoder.with_header(before.header);
      const bool has_two = before.arrays.empty();
      near->send(has_two ? whole : std::span<const std::byte>(), frame.header, frame.encoder,
                 nullptr);
    }
    near->finish_sending();
  });
  Message message;
  for (std::uint32_t seed = 0; seed < count; ++seed) {
    Frame frame(seed), before(1000 + seed, 16);
    if (before.arrays.empty()) {
      ASSERT_EQ(receive(*far, message), Channel::Status::message);
      before.expect(message);
    }
    ASSERT_EQ(receive(*far, message), Channel::Status::message);
    frame.expect(message);
  }
  EXPECT_EQ(receive(*far, message), Channel::Status::closed);
  sender.join();
}

/** What is merely lent may change, and what has an owner is kept, when post() has returned. */
TEST_P(Channels, WhatIsPostedIsKept) {
  fill(*near);
  EXPECT_GT(near->backlog(), 0u);
  std::atomic<bool> is_over{false};
  std::thread reader([&] {
    Message message;
    for (const std::uint32_t seed : posted) {
      ASSERT_EQ(receive(*far, message), Channel::Status::message);
      Frame(seed).expect(message);
    }
    is_over = true;
  });
  while (near->has_backlog()) {
    near->flush(true);
    near->take_spent();
  }
  EXPECT_EQ(near->backlog(), 0u);
  reader.join();
  EXPECT_TRUE(is_over);
}

TEST_P(Channels, WhatIsOwnedIsLetGoOf) {
  auto values = std::make_shared<std::vector<double>>(1 << 20, 0.5);
  const std::weak_ptr<std::vector<double>> watched = values;
  fill(*near);
  Frame frame(7, 16);
  Encoder encoder;
  ArrayShape shape;
  shape.kind = Kind::double_;
  shape.dimension = 1;
  shape.upper[0] = (1 << 20) - 1;
  const void* const data = values->data();
  encoder.put_array(shape, Bulk::owned(data, sizeof(double) << 20, std::move(values)));
  complete_header(frame.header, encoder, 1u << 20, 1u << 30);
  near->post({}, frame.header, encoder, Contents::stay);
  encoder.clear();
  EXPECT_FALSE(watched.expired());
  near->drop_backlog();
  EXPECT_FALSE(near->has_backlog());
  near->take_spent();
  EXPECT_TRUE(watched.expired());
}

TEST_P(Channels, ASenderWaitsAsItLikes) {
  class Counting : public WriteWait {
   public:
    bool wait(Channel& channel, Clock::time_point) override {
      ++waits;
      channel.await(false, true, -1, milliseconds(20));
      return true;
    }
    std::atomic<int> waits{0};
  };
  Counting write_wait;
  Frame big(seed_of_big(), 1 << 20);
  constexpr int count = 40;
  std::thread sender([&] {
    for (int i = 0; i < count; ++i) near->send({}, big.header, big.encoder, &write_wait);
  });
  EXPECT_TRUE(eventually([&] { return write_wait.waits > 0; }));
  Message message;
  for (int i = 0; i < count; ++i) {
    ASSERT_EQ(receive(*far, message), Channel::Status::message);
    big.expect(message);
  }
  sender.join();
}

TEST_P(Channels, APeerThatTakesNothingIsGivenUp) {
  near->set_patience(milliseconds(20), milliseconds(20));
  try {
    for (std::uint32_t seed = 0;; ++seed) {
      Frame frame(seed);
      near->send({}, frame.header, frame.encoder, nullptr);
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::unexpected_close);
    EXPECT_EQ(error.fate(), Fate::not_sent);
    EXPECT_NE(std::string(error.what()).find("does not accept data"), std::string::npos)
        << error.what();
  }
}

/** Also if only part of one is taken: that had cut the connection. */
TEST_P(Channels, SmallFramesAreSentAtOnceOrNotAtAll) {
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::pong);
  std::vector<std::uint64_t> sent;
  for (std::uint64_t number = 1; number <= 100; ++number) {
    header.request = number;
    if (near->try_send(header)) sent.push_back(number);
  }
  std::thread last([&] { send_number(*near, 1000); });
  for (const std::uint64_t number : sent) EXPECT_EQ(number_from(*far), number);
  EXPECT_EQ(number_from(*far), 1000u);
  last.join();
  EXPECT_GT(sent.size(), 10u);
}

/** Readers that do not wait come and go in the midst of a frame. */
TEST_P(Channels, AnotherReaderGoesOn) {
  Frame frame(seed_of_big(), 1 << 20);
  std::atomic<bool> is_waited_for{false};
  std::thread sender([&] {
    while (!is_waited_for) std::this_thread::yield();
    for (std::uint64_t i = 0; i < 5; ++i) {
      near->send({}, frame.header, frame.encoder, nullptr);
      send_number(*near, i);
    }
  });
  std::uint64_t numbers = 0;
  std::size_t pauses = 0, frames = 0;
  Message message;
  while (numbers < 5) {
    Brief brief;
    const auto status = far->next(brief, buffer, message);
    if (status == Channel::Status::nothing) {
      ++pauses;
      is_waited_for = true;
      if (!far->has_buffered()) far->await(true, false, -1, milliseconds(1000));
      continue;
    }
    ASSERT_EQ(status, Channel::Status::message);
    EXPECT_FALSE(far->within_frame());
    if (message.type() == FrameType::pong) {
      EXPECT_EQ(message.header.request, numbers++);
    } else {
      frame.expect(message);
      ++frames;
    }
  }
  sender.join();
  EXPECT_EQ(frames, 5u);
  EXPECT_GT(pauses, 0u);
}

namespace {

/** Memory for the segments of a frame, of which those are used that a test wants. */
class Places final : public Landing {
 public:
  Places(const Frame& frame, std::ptrdiff_t apart) {
    for (const Bulk& each : frame.encoder.segments()) {
      const std::size_t count = each.size() / 8;
      memory.emplace_back(count * static_cast<std::size_t>(apart), -1.0);
      places_.emplace_back(memory.back().data(), 8,
                           std::vector{Strided::Dimension{count, 8 * apart}});
    }
  }
  void choose(Message&) override {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (i != left_out) set(i, places_[i]);
    }
  }
  void expect(const Frame& frame, std::size_t segment) const {
    const std::vector<std::byte> sent = frame.bytes_of(segment);
    std::vector<std::byte> landed(sent.size());
    places_[segment].gather(0, landed);
    EXPECT_EQ(std::memcmp(landed.data(), sent.data(), sent.size()), 0);
  }
  bool is_untouched() const {
    return std::ranges::all_of(memory, [](const auto& each) {
      return std::ranges::all_of(each, [](double value) { return value == -1.0; });
    });
  }

  std::size_t left_out = 1000;
  std::vector<std::vector<double>> memory;

 private:
  std::vector<Strided> places_;
};

/** A reader that has a landing for whatever comes. */
template <class HowToWait>
class Landed final : public HowToWait {
 public:
  explicit Landed(std::shared_ptr<Landing> landing) : landing_(std::move(landing)) {}
  std::shared_ptr<Landing> landing(const FrameHeader&) override { return landing_; }

 private:
  std::shared_ptr<Landing> landing_;
};

}  // namespace

/** Segments are received where the reader wants them, in one piece or not. */
TEST_P(Channels, SegmentsLand) {
  std::thread sender([&] {
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
      Frame frame(seed);
      near->send({}, frame.header, frame.encoder, nullptr);
    }
  });
  Message message;
  std::size_t landed = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Frame frame(seed);
    const auto places = std::make_shared<Places>(frame, 1 + seed % 3);
    places->left_out = seed % 4;
    Landed<Patient> reading(places);
    ASSERT_EQ(far->next(reading, buffer, message), Channel::Status::message);
    ASSERT_EQ(message.segments.size(), frame.encoder.segments().size());
    for (std::size_t i = 0; i < message.segments.size(); ++i) {
      ASSERT_EQ(message.segments[i].data() == nullptr, i != places->left_out);
      if (i == places->left_out) continue;
      places->expect(frame, i);
      ++landed;
    }
  }
  sender.join();
  EXPECT_GT(landed, 20u);
}

/** A caller that has gone away: its memory is not touched any more, and the next frame is read. */
TEST_P(Channels, LandingsAreRevokedInTheMidstOfAFrame) {
  const std::uint32_t seed = seed_of_big();
  Frame frame(seed, 1 << 20);
  std::atomic<bool> is_revoked{false};
  std::thread sender([&] {
    const auto half = static_cast<std::ptrdiff_t>(frame.header.bulk / 2);
    std::vector<std::byte> bytes(frame_bytes(frame.header));
    std::byte* at = std::copy_n(reinterpret_cast<const std::byte*>(&frame.header),
                                sizeof frame.header, bytes.data());
    for (const Bulk& each : frame.encoder.segments()) {
      const std::uint64_t size = each.size();
      at = std::copy_n(reinterpret_cast<const std::byte*>(&size), sizeof size, at);
    }
    at = std::copy_n(frame.encoder.body(), frame.encoder.body_size(), at);
    for (std::size_t i = 0; i < frame.encoder.segments().size(); ++i) {
      at = std::ranges::copy(frame.bytes_of(i), at).out;
    }
    near->post(std::span(bytes).first(bytes.size() - static_cast<std::size_t>(half)));
    while (!is_revoked) near->flush(true);
    near->post(std::span(bytes).last(static_cast<std::size_t>(half)));
    while (near->has_backlog()) near->flush(true);
    send_number(*near, 17);
  });
  const auto places = std::make_shared<Places>(frame, 2);
  Message message;
  const auto until = Clock::now() + std::chrono::seconds(1);
  auto status = Channel::Status::nothing;
  while (!far->within_frame() || Clock::now() < until) {
    Landed<Brief> reading(places);
    status = far->next(reading, buffer, message);
    ASSERT_EQ(status, Channel::Status::nothing);
  }
  EXPECT_FALSE(places->is_untouched());
  places->revoke();
  const auto before = places->memory;
  is_revoked = true;
  Landed<Patient> reading(places);
  ASSERT_EQ(far->next(reading, buffer, message), Channel::Status::message);
  EXPECT_EQ(places->memory, before);
  EXPECT_EQ(message.header.request, seed);
  EXPECT_EQ(number_from(*far), 17u);
  sender.join();
}

namespace {

/** A socket that seems to have received something whenever it is asked. */
class FalseAlarms final : public ByteStream {
 public:
  explicit FalseAlarms(Socket socket) : below_(std::move(socket)) {}
  ssize_t send(std::span<const iovec> pieces, bool waits) override {
    return below_.send(pieces, waits);
  }
  ssize_t send(std::span<const std::byte> bytes, bool waits) override {
    return below_.send(bytes, waits);
  }
  ssize_t receive(void* to, std::size_t size, bool waits) override {
    return below_.receive(to, size, waits);
  }
  int descriptor() const override { return below_.descriptor(); }
  bool has_buffered() const override { return true; }
  void set_patience(milliseconds receiving, milliseconds sending) override {
    below_.set_patience(receiving, sending);
  }
  void finish_sending() override { below_.finish_sending(); }
  void shut_down() override { below_.shut_down(); }
  int unsent() const override { return 0; }
  std::string peer() const override { return "somebody"; }

 private:
  SocketStream below_;
};

/** Memory for the only segment of a frame. */
class Everything final : public Landing {
 public:
  explicit Everything(std::size_t count) : memory_(count) {}
  void choose(Message&) override {
    set(0, Strided(memory_.data(), 8, std::vector{Strided::Dimension{memory_.size(), 8}}));
  }

 private:
  std::vector<double> memory_;
};

/** Counts how often it was told that its patience has passed. */
class Counting final : public Reading {
 public:
  explicit Counting(std::shared_ptr<Landing> landing) : landing_(std::move(landing)) {}
  Next next(bool) override {
    silences += std::exchange(asked_, true) && errno != EINTR;
    return Next::sleep;
  }
  void came(ssize_t) override { asked_ = false; }
  std::shared_ptr<Landing> landing(const FrameHeader&) override { return landing_; }

  int silences = 0;

 private:
  std::shared_ptr<Landing> landing_;
  bool asked_ = false;
};

}  // namespace

/** A client took a server for dead in a millisecond that had a segment to send. */
TEST(StreamChannel, WhatSeemsToHaveComeIsNoSilence) {
  int fds[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
  const Socket near(fds[0]);
  StreamChannel far(std::make_unique<FalseAlarms>(Socket(fds[1])), Limits());
  far.set_patience(std::chrono::seconds(20), std::chrono::seconds(20));
  const std::vector<double> values(1 << 15, 0.25);
  Encoder encoder;
  put_doubles(encoder, values);
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::request);
  header.segments = 1;
  header.bulk = values.size() * sizeof(double);
  header.body = static_cast<std::uint32_t>(encoder.body_size());
  std::thread sender([&] {
    const std::uint64_t size = header.bulk;
    ::send(near.fd(), &header, sizeof header, 0);
    ::send(near.fd(), &size, sizeof size, 0);
    ::send(near.fd(), encoder.body(), header.body, 0);
    std::this_thread::sleep_for(milliseconds(50));
    ::send(near.fd(), values.data(), size, MSG_WAITALL);
  });
  Counting reading(std::make_shared<Everything>(values.size()));
  ReceiveBuffer buffer;
  Message message;
  EXPECT_EQ(far.next(reading, buffer, message), Channel::Status::message);
  EXPECT_EQ(reading.silences, 0);
  sender.join();
}

TEST_P(Channels, AwaitTellsWhatThereIs) {
  const Socket other(::eventfd(0, EFD_CLOEXEC));
  auto ready = near->await(true, true, other.fd(), milliseconds(0));
  EXPECT_TRUE(!ready.readable && ready.writable && !ready.other);
  send_number(*far, 1);
  ready = near->await(true, false, other.fd(), milliseconds(5000));
  EXPECT_TRUE(ready.readable && !ready.writable);
  EXPECT_EQ(number_from(*near), 1u);
  Brief brief;  // what showed that something came may show it until somebody has looked in vain
  Message message;
  EXPECT_EQ(near->next(brief, buffer, message), Channel::Status::nothing);
  ready = near->await(true, false, other.fd(), milliseconds(0));
  EXPECT_FALSE(ready.readable);
  ASSERT_EQ(::eventfd_write(other.fd(), 1), 0);
  ready = near->await(true, false, other.fd(), milliseconds(5000));
  EXPECT_TRUE(!ready.readable && ready.other);
  fill(*near);
  ready = near->await(false, true, -1, milliseconds(0));
  EXPECT_FALSE(ready.readable);
}

/** That a cut within a frame is told from one between two: Frame.AStreamThatEndsWithinAFrameFails.
 */
TEST_P(Channels, WhatIsCutIsNotTakenForWhole) {
  fill(*near);
  near->shut_down();
  Message message;
  Channel::Status status = Channel::Status::message;
  std::size_t whole = 0;
  for (; (status = receive(*far, message)) == Channel::Status::message; ++whole) {
    Frame(posted[whole]).expect(message);
  }
  // Unless nothing at all of the last one had been taken.
  EXPECT_TRUE(status == Channel::Status::failed || status == Channel::Status::closed);
  EXPECT_LT(whole, posted.size());
}

namespace {

/** Memory that cannot be read after the first part. */
class Failing final : public Elsewhere {
 public:
  void read(std::byte* to, const std::byte*, std::size_t size, std::ptrdiff_t,
            std::size_t count) const override {
    if (reads_++ > 0) throw Error(Failure::unexpected_close, "it cannot be read");
    std::memset(to, 0, size * count);
  }
  void write(std::byte*, std::ptrdiff_t, const std::byte*, std::size_t,
             std::size_t) const override {}

 private:
  mutable int reads_ = 0;
};

/** A frame of 8 MiB that cannot be sent. */
struct FailingFrame {
  FailingFrame() {
    ArrayShape shape;
    shape.kind = Kind::double_;
    shape.dimension = 1;
    shape.upper[0] = (1 << 20) - 1;
    encoder.put_array(shape, Bulk::lent(Strided(&there, 8, {{{1u << 20, 8}}}, &memory)));
    complete_header(frame.header, encoder, 1u << 20, 1u << 30);
  }

  std::byte there{};
  Failing memory;
  Frame frame{7, 16};
  Encoder encoder;
};

}  // namespace

/** Another thread's frame would be taken for the rest of it. */
TEST_P(Channels, NothingFollowsHalfAFrame) {
  auto reader = std::async(std::launch::async, [&] {
    Message message;
    return receive(*far, message);
  });
  FailingFrame half;
  EXPECT_THROW(near->send({}, half.frame.header, half.encoder, nullptr), Error);
  EXPECT_NE(reader.get(), Channel::Status::message);
  EXPECT_THROW(
      {
        for (std::uint64_t i = 0; i < 1000; ++i) send_number(*near, i);
      },
      Error);
}

TEST_P(Channels, NothingFollowsHalfAFrameThatIsPosted) {
  FailingFrame half;
  EXPECT_THROW(near->post({}, half.frame.header, half.encoder, Contents::stay), Error);
  Message message;
  EXPECT_NE(receive(*far, message), Channel::Status::message);
  EXPECT_THROW(
      {
        for (std::uint64_t i = 0; i < 1000; ++i) send_number(*near, i);
      },
      Error);
}

TEST_P(Channels, ShuttingDownWakesWhoeverWaits) {
  auto reader = std::async(std::launch::async, [&] {
    Message message;
    return receive(*near, message);
  });
  std::this_thread::sleep_for(milliseconds(20));
  near->shut_down();
  EXPECT_NE(reader.get(), Channel::Status::message);
  FrameHeader header;
  Encoder nothing;
  EXPECT_THROW(
      {
        for (int i = 0; i < 1000; ++i) near->send({}, header, nothing, nullptr);
      },
      Error);
}

TEST_P(Channels, MemoryIsLimited) {
  Limits little;
  little.memory_bytes = 1 << 20;
  const auto listener = listen();
  std::unique_ptr<Channel> sender, receiver;
  std::tie(sender, receiver) = connect(*listener, little);
  receiver->set_patience(milliseconds(5000), milliseconds(5000));
  EXPECT_TRUE(receiver->has_capacity_ahead() || little.message_bytes > little.memory_bytes);
  const std::vector<double> values(1 << 18, 1.0);
  Encoder encoder;
  put_doubles(encoder, values);
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::request);
  complete_header(header, encoder, 1u << 20, 1u << 30);
  std::thread sends([&] {
    try {
      sender->send({}, header, encoder, nullptr);
    } catch (const Error&) {
      // the receiver has gone
    }
  });
  Message message;
  try {
    receive(*receiver, message);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("SIDL_RMI_MEMORY"), std::string::npos);
  }
  receiver->shut_down();
  sends.join();
}

TEST_P(Channels, AGreetingComesFirst) {
  const std::string text = "hello there";
  std::string got;
  near->send_greeting(std::as_bytes(std::span(text)));
  while (got.size() < text.size()) {
    std::byte some[4];
    const auto most = std::span(some).first(std::min(sizeof some, text.size() - got.size()));
    const ssize_t count = far->receive_greeting(most);
    if (count > 0) got.append(reinterpret_cast<const char*>(some), static_cast<std::size_t>(count));
  }
  EXPECT_EQ(got, text);
  send_number(*near, 3);
  EXPECT_EQ(number_from(*far), 3u);
}

/** Calls over it, with answers of all sizes. */
TEST_P(Channels, CarryCalls) {
  TestHost host;
  ServerOptions options;
  options.listen = endpoint_of(GetParam());
  Server server(host, options);
  server.start();
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  const auto peer = std::make_shared<Peer>(server.endpoint());
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 40; ++i) {
        const std::vector<double> values(static_cast<std::size_t>(i * i * i + t), i + 0.5);
        Call call("public", "echo");
        put_doubles(call.encoder, values);
        Message message = call.run(*peer);
        wrong += get_doubles(message) != values;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(wrong, 0);
  say_goodbye(*peer);
  EXPECT_TRUE(server.stop(std::chrono::seconds(20)));
}

/**
 * A thread that was to read had waited to send, for one that waited until somebody read. Over
 * shared memory 16 threads with 20 MiB each did not get on.
 */
TEST_P(Channels, AnswersAreReadWhileCallsAreSent) {
  ServerOptions options;
  options.listen = endpoint_of(GetParam());
  options.limits.unsent_bytes = 1 << 20;
  TestServer server(options);
  const auto peer = server.peer(one_connection());
  const std::vector<double> values(1 << 18, 0.5);
  std::atomic<int> done{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) {
        Call("public", "grow").with(std::int64_t{1 << 18}).run(*peer);
        Call echo("public", "echo");
        put_doubles(echo.encoder, values);
        Message message = echo.run(*peer);
        if (get_doubles(message) == values) ++done;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(done, 20);
  say_goodbye(*peer);
}

constexpr const char* transports[] = {
    "tcp", "unix", "rough", "shm", "pipes",
#ifdef SHINAR_HAS_TLS
    "tls",
#endif
#ifdef SHINAR_HAS_UCX
    "ucx",
#endif
};
INSTANTIATE_TEST_SUITE_P(All, Channels, testing::ValuesIn(transports),
                         [](const auto& info) { return std::string(info.param); });
