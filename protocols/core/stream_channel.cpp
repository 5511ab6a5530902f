#include "stream_channel.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "error.hpp"
#include "limits.hpp"
#include "portion.hpp"

namespace shinar::wire {
namespace {

constexpr std::size_t iov_limit = 1024;  // IOV_MAX on Linux

iovec piece(const void* data, std::size_t size) {
  return {const_cast<void*>(data), size};
}

[[noreturn]] void broken(const char* what, int err) {
  throw Error(Failure::unexpected_close, std::string(what) + ": " + std::strerror(err),
              Fate::not_sent, err);
}

/** Skips bytes that were sent. */
void advance(std::span<iovec>& pieces, std::size_t sent) {
  while (!pieces.empty() && sent >= pieces.front().iov_len) {
    sent -= pieces.front().iov_len;
    pieces = pieces.subspan(1);
  }
  if (sent != 0) {
    pieces.front().iov_base = static_cast<char*>(pieces.front().iov_base) + sent;
    pieces.front().iov_len -= sent;
  }
}

/** The iovecs of a frame with segments and of frames before it. */
class Pieces {
 public:
  Pieces(std::span<const std::byte> before, const FrameHeader& header, const Encoder& encoder) {
    const auto& segments = encoder.segments();
    if (segments.size() + 4 > few_.size()) {
      many_.resize(segments.size() + 4);
      many_sizes_.resize(segments.size());
    }
    const std::span<iovec> pieces = many_.empty() ? std::span<iovec>(few_) : many_;
    const std::span<std::uint64_t> sizes =
        many_.empty() ? std::span<std::uint64_t>(few_sizes_) : many_sizes_;
    std::size_t count = 0;
    if (!before.empty()) pieces[count++] = piece(before.data(), before.size());
    pieces[count++] = piece(&header, sizeof header);
    if (!segments.empty()) pieces[count++] = piece(sizes.data(), segments.size() * 8);
    if (encoder.body_size() != 0) pieces[count++] = piece(encoder.body(), encoder.body_size());
    for (std::size_t i = 0; i < segments.size(); ++i) {
      sizes[i] = segments[i].size();
      pieces[count++] = piece(segments[i].data(), segments[i].size());
    }
    all = pieces.first(count);
  }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  std::span<iovec> all;

 private:
  std::array<iovec, 16> few_;
  std::vector<iovec> many_;
  std::array<std::uint64_t, 16> few_sizes_;
  std::vector<std::uint64_t> many_sizes_;
};

/** A frame with strided segments, and frames before it. */
class Scattered {
 public:
  Scattered(std::span<const std::byte> before, const FrameHeader& header, const Encoder& encoder) {
    add(before);
    add(std::as_bytes(std::span(&header, 1)));
    for (const Bulk& each : encoder.segments()) sizes_.push_back(each.size());
    add(std::as_bytes(std::span(sizes_)));
    add({encoder.body(), encoder.body_size()});
    for (const Bulk& each : encoder.segments()) {
      left_.push_back({each.data(), each.size(), each.places().get()});
    }
  }
  Scattered(const Scattered&) = delete;
  Scattered& operator=(const Scattered&) = delete;

  bool empty() const { return left_.empty(); }
  Offer offer() {
    Offer offer(copies_, most);
    for (const Portion& each : left_) {
      if (!offer.add(each)) break;
    }
    return offer;
  }
  void step_over(std::size_t sent) {
    while (!left_.empty() && sent >= left_.front().size) {
      sent -= left_.front().size;
      left_.pop_front();
    }
    if (sent != 0) left_.front().step_over(sent);
  }

 private:
  static constexpr std::size_t most = std::size_t{4} << 20;

  void add(std::span<const std::byte> bytes) {
    if (!bytes.empty()) left_.push_back({bytes.data(), bytes.size()});
  }

  std::vector<std::uint64_t> sizes_;
  std::deque<Portion> left_;
  Copies copies_;
};

}  // namespace

/** Receives from the stream, waiting as the reader wants. */
class StreamChannel::Bytes final : public Receiver {
 public:
  Bytes(StreamChannel& channel, Reading& reading) : channel_(channel), reading_(reading) {}

  ssize_t receive(void* to, std::size_t size, bool frame_start) override {
    return insist(
        frame_start, [&] { return stream().poll(to, size); },
        [&](bool waits) { return stream().receive(to, size, waits); });
  }
  ssize_t receive_kept(void* to, std::size_t size) override {
    const auto receive = [&](bool waits) { return stream().receive_kept(to, size, waits); };
    return insist(
        false, [&] { return receive(false); }, receive);
  }
  /** Waits without the landing's lock, which the caller needs to revoke it. */
  ssize_t receive(Landing& landing, std::size_t segment, std::size_t offset,
                  bool& is_there) override {
    for (;;) {
      const Reading::Next how = reading_.next(false);
      if (how == Reading::Next::stop) return -1;
      ssize_t got = receive_now(landing, segment, offset, is_there);
      if (how != Reading::Next::look && how != Reading::Next::spin) {
        const auto until = WriteWait::Clock::now() + channel_.patience_;
        while (is_there && got < 0 && errno == EAGAIN && await_until(until)) {
          got = receive_now(landing, segment, offset, is_there);
        }
      }
      if (!is_there) return 0;
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      reading_.came(got);
      return got;
    }
  }
  Reading::Crowded crowded(const Lack& lack) override { return reading_.crowded(lack); }
  std::shared_ptr<Landing> landing(const FrameHeader& header) override {
    return reading_.landing(header);
  }

 private:
  ByteStream& stream() { return *channel_.stream_; }

  /**
   * Calls receive(waits), or poll() again and again, which work as recv, until one of them gets
   * something or the reader gives up.
   */
  template <class Poll, class Receive>
  [[gnu::always_inline]] ssize_t insist(bool frame_start, const Poll& poll,
                                        const Receive& receive) {
    for (;;) {
      const Reading::Next how = reading_.next(frame_start);
      if (how == Reading::Next::stop) return -1;
      const ssize_t got = attempt(how, poll, receive);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      reading_.came(got);
      return got;
    }
  }

  template <class Poll, class Receive>
  [[gnu::always_inline]] ssize_t attempt(Reading::Next how, const Poll& poll,
                                         const Receive& receive) {
    const bool may_sleep = how == Reading::Next::sleep || how == Reading::Next::wait;
    const bool may_spin = how == Reading::Next::spin || how == Reading::Next::wait;
    if (may_spin && channel_.spin_.wants_to_spin()) {
      const ssize_t got = channel_.spin_.receive(poll);
      if (got >= 0 || errno != EAGAIN || !may_sleep) return got;
    }
    return receive(may_sleep);
  }

  /** True if a look may be worthwhile: see Channel::await. Else errno: EAGAIN, EINTR. */
  bool await_until(WriteWait::Clock::time_point until) {
    const auto left = until - WriteWait::Clock::now();
    errno = EAGAIN;
    if (left.count() <= 0) return false;
    const Ready ready =
        channel_.await(true, false, -1, std::chrono::ceil<std::chrono::milliseconds>(left));
    errno = ready.interrupted ? EINTR : EAGAIN;
    return ready.readable;
  }

  ssize_t receive_now(Landing& landing, std::size_t segment, std::size_t offset, bool& is_there) {
    ssize_t got = -1;
    is_there = landing.use(segment, [&](const Strided& place) {
      const std::span<std::byte> to = place.piece(offset);
      got = channel_.stream_->receive(to.data(), to.size(), false);
    });
    return got;
  }

  StreamChannel& channel_;
  Reading& reading_;
};

StreamChannel::StreamChannel(std::unique_ptr<ByteStream> stream, const Limits& limits)
    : reader_(limits, std::make_shared<Budget>(limits.memory_bytes)),
      spin_(limits.spin_us),
      sending_spin_(limits.spin_us),
      stream_(std::move(stream)),
      prefers_kept_(stream_->prefers_kept()) {}

/** Sends what the peer takes without waiting; returns how many bytes. */
std::size_t StreamChannel::send_some(std::span<iovec> pieces) {
  std::size_t total = 0;
  while (!pieces.empty()) {
    const std::size_t sent = send_once(pieces, Memory::passing, false);
    if (sent == 0) break;
    total += sent;
    advance(pieces, sent);
  }
  return total;
}

/** The same for contiguous bytes. */
std::size_t StreamChannel::send_some(std::span<const std::byte> bytes) {
  for (;;) {
    const ssize_t sent = stream_->send(bytes, false);
    if (sent >= 0) return static_cast<std::size_t>(sent);
    if (errno == EAGAIN) return 0;
    if (errno != EINTR) broken("cannot send", errno);
  }
}

/** Calls send_some, which returns the bytes sent or 0 if the peer takes none, until is_done. */
template <class IsDone, class SendSome>
void StreamChannel::insist(IsDone is_done, SendSome send_some, WriteWait* write_wait) {
  int misses = 0;
  std::optional<WriteWait::Clock::time_point> since;  // since when the peer has taken nothing
  while (!is_done()) {
    if (send_some() != 0) {
      misses = 0;
      since.reset();
      continue;
    }
    if (!since) since = WriteWait::Clock::now();
    if (write_wait != nullptr && write_wait->wait(*this, *since)) continue;
    since.reset();
    if (++misses >= keepalive_misses) broken("the peer does not accept data", ETIMEDOUT);
  }
}

void StreamChannel::send_all(std::span<iovec> pieces, WriteWait* write_wait) {
  const auto send_some = [&] {
    const std::size_t sent = send_once(pieces, Memory::kept, write_wait == nullptr);
    advance(pieces, sent);
    return sent;
  };
  insist([&] { return pieces.empty(); }, send_some, write_wait);
}

/** Sends some of it; 0 if the peer takes none. */
std::size_t StreamChannel::send_once(std::span<const iovec> pieces, Memory memory, bool waits) {
  const auto some = pieces.first(std::min(pieces.size(), iov_limit));
  const bool is_kept = memory == Memory::kept;
  const auto attempt = [&](bool sleeps) {
    return is_kept ? stream_->send_kept(some, sleeps) : stream_->send(some, sleeps);
  };
  for (;;) {
    ssize_t sent = -1;
    errno = EAGAIN;
    if (is_kept && prefers_kept_ && sending_spin_.wants_to_spin()) {  // the peer fetches it
      sent = sending_spin_.receive([&] { return attempt(false); });
    }
    if (sent < 0 && errno == EAGAIN) sent = attempt(waits);
    if (sent >= 0) return static_cast<std::size_t>(sent);
    if (errno == EAGAIN) return 0;
    if (errno != EINTR) broken("cannot send", errno);
  }
}

std::size_t StreamChannel::flush(bool waits) {
  return whole_or_not([&] { return outbox_.send(*stream_, waits); });
}

void StreamChannel::drop_backlog() {
  if (!outbox_.empty() && prefers_kept_) stream_->shut_down();
  outbox_.clear();
}

void StreamChannel::send(std::span<const std::byte> before, const FrameHeader& header,
                         Encoder& encoder, WriteWait* write_wait) {
  if (!encoder.segments().empty() || !before.empty() || has_backlog()) {
    send_behind(before, header, encoder, write_wait);
    return;
  }
  const auto frame = encoder.with_header(header);
  const ssize_t sent = stream_->send(frame, write_wait == nullptr);
  if (sent == static_cast<ssize_t>(frame.size())) {
    note_full(false);
    return;  // the usual case
  }
  iovec whole = piece(frame.data(), frame.size());
  std::span<iovec> left(&whole, 1);
  const std::size_t done = sent < 0 ? 0 : static_cast<std::size_t>(sent);
  advance(left, done);
  send_pieces({before, header, encoder, done}, left, write_wait);
}

/** What is not a small frame by itself. */
void StreamChannel::send_behind(std::span<const std::byte> before, const FrameHeader& header,
                                Encoder& encoder, WriteWait* write_wait) {
  if (write_wait != nullptr && is_full()) write_wait->await_beginning(*this);
  if (has_backlog()) {  // the rest of another frame
    const auto is_done = [&] { return !has_backlog(); };
    const auto send_some = [&] { return flush(write_wait == nullptr); };
    whole_or_not([&] { insist(is_done, send_some, write_wait); });
  }
  const Begun begun{before, header, encoder, 0};
  if (!encoder.has_scattered()) {
    Pieces pieces(before, header, encoder);
    send_pieces(begun, pieces.all, write_wait);
    return;
  }
  Scattered frame(before, header, encoder);
  go_on(begun, write_wait, [&] {
    const std::size_t sent = send_once(frame.offer().pieces(), Memory::kept, write_wait == nullptr);
    frame.step_over(sent);
    return sent;
  });
}

void StreamChannel::send_pieces(const Begun& begun, std::span<iovec> left, WriteWait* write_wait) {
  go_on(begun, write_wait, [&] {
    const std::size_t sent = send_once(left, Memory::kept, write_wait == nullptr);
    advance(left, sent);
    return sent;
  });
}

/** Calls send_some, which returns the bytes sent or 0 if the peer takes none, to the end. */
template <class SendSome>
void StreamChannel::go_on(const Begun& begun, WriteWait* write_wait, SendSome send_some) {
  constexpr std::size_t most_copied = std::size_t{1} << 20;
  const std::size_t size = begun.before.size() + frame_bytes(begun.header);
  std::size_t done = begun.done;
  const auto send_more = [&] {
    const std::size_t sent = send_some();
    done += sent;
    return sent;
  };
  const auto is_left = [&] {
    return write_wait != nullptr && size <= most_copied && !prefers_kept_ &&
           write_wait->leaves_rest();
  };
  if (done == 0) whole_or_not(send_more);
  if (done == 0 && write_wait != nullptr) {
    note_full(true);
    write_wait->await_beginning(*this);
  }
  whole_or_not([&] {
    insist([&] { return done == size || is_left(); }, send_more, write_wait);
    if (done != size) {  // the caller goes on, and may write to its arrays
      outbox_.add(begun.before, begun.header, begun.encoder, done, Contents::may_change);
    }
  });
  note_full(done != size);
}

void StreamChannel::post(std::span<const std::byte> before, const FrameHeader& header,
                         Encoder& encoder, Contents contents) {
  std::size_t left = 0;
  if (encoder.segments().empty() && before.empty() && !has_backlog()) {
    const auto frame = encoder.with_header(header);
    const ssize_t sent = stream_->send(frame, false);
    if (sent == static_cast<ssize_t>(frame.size())) return;  // the usual case
    if (sent > 0) left = static_cast<std::size_t>(sent);
  }
  whole_or_not([&] { post_rest(before, header, encoder, left, contents); });
}

/** `left` bytes of it have been sent already. */
void StreamChannel::post_rest(std::span<const std::byte> before, const FrameHeader& header,
                              Encoder& encoder, std::size_t left, Contents contents) {
  if (!has_backlog() && encoder.has_scattered()) {
    Scattered frame(before, header, encoder);
    while (!frame.empty()) {
      const std::size_t sent = send_once(frame.offer().pieces(), Memory::passing, false);
      if (sent == 0) break;
      frame.step_over(sent);
      left += sent;
    }
  } else if (!has_backlog()) {
    Pieces pieces(before, header, encoder);
    advance(pieces.all, left);
    left += send_some(pieces.all);
  }
  if (left == before.size() + frame_bytes(header)) return;
  outbox_.add(before, header, encoder, left, contents);
  if (prefers_kept_) flush(false);
}

void StreamChannel::post(std::span<const std::byte> frames) {
  whole_or_not([&] {
    const std::size_t sent = has_backlog() ? 0 : send_some(frames);
    if (sent != frames.size()) outbox_.add(frames.subspan(sent));
  });
}

bool StreamChannel::try_send(const FrameHeader& header, Encoder& encoder) {
  try {
    if (has_backlog()) flush(false);
  } catch (const Error&) {
    return false;  // the connection is broken
  }
  if (has_backlog()) return false;
  const auto frame = encoder.with_header(header);
  const ssize_t sent = stream_->send(frame, false);
  const bool is_whole = sent == static_cast<ssize_t>(frame.size());
  note_full(!is_whole);
  if (sent <= 0) return false;
  // The socket buffer is almost full: the rest precedes what is sent next.
  if (!is_whole) {
    whole_or_not([&] { outbox_.add(frame.subspan(static_cast<std::size_t>(sent))); });
  }
  return true;
}

StreamChannel::Status StreamChannel::next(Reading& reading, ReceiveBuffer& buffer,
                                          Message& message) {
  Bytes bytes(*this, reading);
  return reader_.next(bytes, buffer, message);
}

StreamChannel::Ready StreamChannel::await(bool readable, bool writable, int other,
                                          std::chrono::milliseconds most) {
  if (readable && has_buffered()) return {.readable = true};
  constexpr pollfd nothing{-1, 0, 0};
  std::array<pollfd, 3> waiting{readable ? pollfd{descriptor(), POLLIN, 0} : nothing,
                                writable ? stream_->writable_event() : nothing,
                                {other, POLLIN, 0}};
  const int count = ::poll(waiting.data(), waiting.size(),
                           static_cast<int>(std::max<std::int64_t>(most.count(), 0)));
  if (count <= 0) return {.interrupted = count < 0};
  // A broken one counts, too: the next attempt reports the error.
  return {.readable = waiting[0].revents != 0,
          .writable = waiting[1].revents != 0,
          .other = waiting[2].revents != 0};
}

void StreamChannel::send_greeting(std::span<const std::byte> bytes) {
  iovec whole = piece(bytes.data(), bytes.size());
  send_all({&whole, 1}, nullptr);
}

bool StreamChannel::discard() {
  std::byte ignored[4096];
  const ssize_t got = stream_->receive(ignored, sizeof ignored, false);
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

}  // namespace shinar::wire
