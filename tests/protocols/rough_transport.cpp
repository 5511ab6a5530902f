#include "rough_transport.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "core/stream_channel.hpp"
#include "core/transport.hpp"
#include "transports/sockets.hpp"
#include "transports/tcp.hpp"

namespace rough {

std::atomic<std::int64_t> bytes_to_a_cut{0};
std::atomic<int> cuts{0};
std::atomic<std::int64_t> room{-1};
std::atomic<int> delay_ms{0};

namespace {

using namespace shinar::wire;

/** From 0 to `most`, mostly small. */
std::size_t chance(std::size_t most) {
  static std::mutex mutex;
  static std::mt19937 random(4711);
  const std::lock_guard lock(mutex);
  const std::size_t limit = random() % 2 == 0 ? std::min<std::size_t>(most, 9) : most;
  return random() % (limit + 1);
}

class RoughStream final : public ByteStream {
 public:
  explicit RoughStream(Socket socket) : below_(std::move(socket)) {}

  ssize_t send(std::span<const iovec> pieces, bool waits) override {
    if (chance(16) == 0 && !waits) return nothing();
    // Part of one piece, which of empty ones is not the first.
    for (const iovec& each : pieces) {
      if (each.iov_len != 0)
        return send({static_cast<std::byte*>(each.iov_base), each.iov_len}, waits);
    }
    return 0;
  }
  ssize_t send(std::span<const std::byte> bytes, bool waits) override {
    if (chance(16) == 0 && !waits) return nothing();
    std::size_t size = 1 + chance(bytes.size() - 1);
    if (const std::int64_t left = room; left >= 0) size = std::min<std::size_t>(size, left);
    if (size == 0) return nothing();
    const ssize_t sent = below_.send(bytes.first(size), waits);
    if (sent > 0) carried(sent);
    return sent;
  }
  ssize_t receive(void* to, std::size_t size, bool waits) override {
    if (begin_ == end_) {
      const ssize_t got = below_.receive(kept_.data(), kept_.size(), waits);
      if (got <= 0) return got;
      if (delay_ms != 0) std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
      begin_ = 0;
      end_ = static_cast<std::size_t>(got);
    } else if (chance(16) == 0 && !waits) {
      return nothing();
    }
    const std::size_t count = 1 + chance(std::min(size, end_ - begin_) - 1);
    std::memcpy(to, kept_.data() + begin_, count);
    begin_ += count;
    return static_cast<ssize_t>(count);
  }
  int descriptor() const override { return below_.descriptor(); }
  pollfd writable_event() override {
    static const Socket never(::eventfd(0, EFD_CLOEXEC));
    return room == 0 ? pollfd{never.fd(), POLLIN, 0} : below_.writable_event();
  }
  bool has_buffered() const override { return begin_ != end_; }
  void set_patience(std::chrono::milliseconds receiving,
                    std::chrono::milliseconds sending) override {
    below_.set_patience(receiving, sending);
  }
  void finish_sending() override { below_.finish_sending(); }
  void shut_down() override { below_.shut_down(); }
  int unsent() const override { return below_.unsent(); }
  std::string peer() const override { return below_.peer(); }

 private:
  static ssize_t nothing() {
    errno = EAGAIN;
    return -1;
  }
  void carried(ssize_t bytes) {
    if (room >= 0) room = std::max<std::int64_t>(room - bytes, 0);
    const std::int64_t every = bytes_to_a_cut;
    if (every == 0) return;
    static std::atomic<std::int64_t> all{0};
    const std::int64_t before = all.fetch_add(bytes);
    if (before / every == (before + bytes) / every) return;
    ++cuts;
    shut_down();
  }

  SocketStream below_;
  std::array<std::byte, 5000> kept_;
  std::atomic<std::size_t> begin_{0}, end_{0};
};

std::unique_ptr<Channel> rough_channel(Socket socket, const Limits& limits) {
  return std::make_unique<StreamChannel>(std::make_unique<RoughStream>(std::move(socket)), limits);
}

class RoughListener final : public Listener {
 public:
  explicit RoughListener(Endpoint endpoint)
      : socket_(tcp::listen(endpoint)), endpoint_(std::move(endpoint)) {}
  const Endpoint& endpoint() const override { return endpoint_; }
  int descriptor() const override { return socket_.fd(); }
  Accepted accept(const Limits& limits) override {
    Socket socket(::accept4(socket_.fd(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket.is_open()) return {};
    return {rough_channel(std::move(socket), limits), "somebody"};
  }
  void close() override { socket_.shut_down(); }

 private:
  const Socket socket_;
  const Endpoint endpoint_;
};

class Rough final : public Transport {
 public:
  std::unique_ptr<Channel> connect(const Endpoint& endpoint, std::chrono::milliseconds patience,
                                   const Limits& limits) override {
    return rough_channel(tcp::connect(endpoint, std::chrono::steady_clock::now() + patience),
                         limits);
  }
  std::unique_ptr<Listener> listen(const Endpoint& endpoint) override {
    return std::make_unique<RoughListener>(endpoint);
  }
};

Rough transport;
const AddTransport added("rough", transport);

}  // namespace
}  // namespace rough
