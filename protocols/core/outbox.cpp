#include "outbox.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "error.hpp"

namespace simhandle {

void Outbox::add(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const auto copy = std::make_shared_for_overwrite<std::byte[]>(bytes.size());
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  pieces_.push_back({copy.get(), bytes.size(), copy, true});
  bytes_ += bytes.size();
}

void Outbox::add(std::span<const std::byte> before, const FrameHeader& header,
                 const Encoder& encoder, std::size_t sent) {
  add(before);
  add(std::as_bytes(std::span(&header, 1)));
  std::vector<std::uint64_t> table;
  for (const Bulk& each : encoder.segments()) table.push_back(each.size());
  add(std::as_bytes(std::span(table)));
  add({encoder.body(), encoder.body_size()});
  for (const Bulk& each : encoder.segments()) {
    if (each.is_lent()) {
      add({each.data(), each.size()});
      continue;
    }
    pieces_.push_back({each.data(), each.size(), each.owner(), false});
    bytes_ += each.size();
  }
  step_over(sent);
}

void Outbox::drop_front() {
  if (!pieces_.front().is_copy) spent_.add(std::move(pieces_.front().owner));
  pieces_.pop_front();
}

void Outbox::step_over(std::size_t sent) {
  bytes_ -= sent;
  while (!pieces_.empty() && sent >= pieces_.front().size) {
    sent -= pieces_.front().size;
    drop_front();
  }
  if (sent == 0) return;
  pieces_.front().data += sent;
  pieces_.front().size -= sent;
}

std::size_t Outbox::send(ByteStream& stream, bool waits) {
  constexpr std::size_t most = std::size_t{4} << 20;  // others want to be served, too
  std::size_t total = 0;
  while (!pieces_.empty() && total < most) {
    std::array<iovec, 64> some;
    std::size_t count = 0;
    std::size_t offered = 0;
    for (const Piece& each : pieces_) {
      if (count == some.size() || total + offered == most) break;
      const std::size_t size = std::min(each.size, most - total - offered);
      some[count++] = {const_cast<std::byte*>(each.data), size};
      offered += size;
    }
    const ssize_t sent = stream.send(std::span(some).first(count), waits);
    if (sent >= 0) {
      const auto bytes = static_cast<std::size_t>(sent);
      total += bytes;
      step_over(bytes);
      if (waits && bytes < offered) break;  // it has waited for long enough
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      throw Error(Failure::unexpected_close, std::string("cannot send: ") + std::strerror(errno),
                  Fate::not_sent, errno);
    }
  }
  return total;
}

void Outbox::clear() {
  while (!pieces_.empty()) drop_front();
  bytes_ = 0;
}

}  // namespace simhandle
