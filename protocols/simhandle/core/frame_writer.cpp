#include "frame_writer.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

namespace simhandle {
namespace {

constexpr std::size_t iov_limit = 1024;  // IOV_MAX on Linux

iovec piece(const void* data, std::size_t size) {
  return {const_cast<void*>(data), size};
}

[[noreturn]] void broken(const char* what, int err) {
  throw Error(Failure::unexpected_close, std::string(what) + ": " + std::strerror(err),
              Fate::not_sent, err);
}

/** Steps over the bytes that have left. */
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

/** The pieces of a frame with segments, or of a frame and those before it. */
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

void send_pieces(int fd, std::span<iovec> pieces, Stall* stall) {
  const int flags = stall == nullptr ? MSG_NOSIGNAL : MSG_NOSIGNAL | MSG_DONTWAIT;
  int misses = 0;
  std::optional<Stall::Clock::time_point> since;  // when the peer has taken nothing more
  while (!pieces.empty()) {
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = std::min(pieces.size(), iov_limit);
    const ssize_t sent = ::sendmsg(fd, &message, flags);
    if (sent >= 0) {
      misses = 0;
      since.reset();
      advance(pieces, static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      if (!since) since = Stall::Clock::now();
      if (stall != nullptr && stall->wait(fd, *since)) continue;
      since.reset();
      if (++misses >= keepalive_misses) broken("the peer takes no data", ETIMEDOUT);
    } else if (errno != EINTR) {
      broken("cannot send", errno);
    }
  }
}

/** Whole frames that lie in one piece. */
void send_bytes(int fd, std::span<const std::byte> frame, Stall* stall) {
  const int flags = stall == nullptr ? MSG_NOSIGNAL : MSG_NOSIGNAL | MSG_DONTWAIT;
  const ssize_t sent = ::send(fd, frame.data(), frame.size(), flags);
  if (sent == static_cast<ssize_t>(frame.size())) return;
  if (sent > 0) frame = frame.subspan(static_cast<std::size_t>(sent));
  iovec rest = piece(frame.data(), frame.size());
  send_pieces(fd, {&rest, 1}, stall);  // waits, or finds out what is wrong
}

}  // namespace

void complete_header(FrameHeader& header, const Encoder& encoder, std::uint32_t inline_limit,
                     std::uint64_t message_limit) {
  if (encoder.body_size() > inline_limit) {
    throw Limits::exceeded("bytes of the small arguments of a call", inline_limit,
                           encoder.body_size(), "SIDL_RMI_MAX_INLINE");
  }
  if (encoder.bulk() > message_limit) {
    throw Limits::exceeded("bytes of the arrays of a call", message_limit, encoder.bulk(),
                           "SIDL_RMI_MAX_MESSAGE");
  }
  header.body = static_cast<std::uint32_t>(encoder.body_size());
  header.segments = static_cast<std::uint16_t>(encoder.segments().size());
  header.bulk = encoder.bulk();
}

void send_frame(int fd, std::span<const std::byte> before, const FrameHeader& header,
                Encoder& encoder, Stall* stall) {
  if (encoder.segments().empty() && before.empty()) {
    send_bytes(fd, encoder.with_header(header), stall);
    return;
  }
  send_pieces(fd, Pieces(before, header, encoder).all, stall);
}

std::size_t send_at_once(int fd, std::span<const std::byte> before, const FrameHeader& header,
                         Encoder& encoder) {
  if (encoder.segments().empty() && before.empty())
    return send_some(fd, encoder.with_header(header));
  const Pieces pieces(before, header, encoder);
  std::span<iovec> left = pieces.all;
  std::size_t total = 0;
  while (!left.empty()) {
    msghdr message{};
    message.msg_iov = left.data();
    message.msg_iovlen = std::min(left.size(), iov_limit);
    const ssize_t sent = ::sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EAGAIN) break;
    if (sent < 0 && errno != EINTR) broken("cannot send", errno);
    if (sent < 0) continue;
    total += static_cast<std::size_t>(sent);
    advance(left, static_cast<std::size_t>(sent));
  }
  return total;
}

std::size_t send_some(int fd, std::span<const std::byte> frames) {
  for (;;) {
    const ssize_t sent = ::send(fd, frames.data(), frames.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return static_cast<std::size_t>(sent);
    if (errno == EAGAIN) return 0;
    if (errno != EINTR) broken("cannot send", errno);
  }
}

bool send_now(int fd, const FrameHeader& header, Encoder& encoder) {
  const auto frame = encoder.with_header(header);
  const ssize_t sent = ::send(fd, frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  const auto whole = static_cast<ssize_t>(frame.size());
  // A cut frame would garble the stream; it cannot happen unless the buffer is all but full.
  if (sent > 0 && sent < whole) ::shutdown(fd, SHUT_RDWR);
  return sent == whole;
}

bool send_header_now(int fd, const FrameHeader& header) {
  Encoder nothing;
  return send_now(fd, header, nothing);
}

}  // namespace simhandle
