#include "outbox.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "error.hpp"

namespace shinar::wire {

std::byte* Outbox::add_copy(std::size_t size) {
  const auto copy = std::make_shared_for_overwrite<std::byte[]>(size);
  pieces_.push_back({{copy.get(), size}, copy, true});
  bytes_ += size;
  return copy.get();
}

void Outbox::add(std::span<const std::byte> bytes) {
  if (!bytes.empty()) std::memcpy(add_copy(bytes.size()), bytes.data(), bytes.size());
}

void Outbox::add(std::span<const std::byte> before, const FrameHeader& header,
                 const Encoder& encoder, std::size_t sent, Contents contents) {
  std::vector<std::uint64_t> table;
  for (const Bulk& each : encoder.segments()) table.push_back(each.size());
  const std::span<const std::byte> head[] = {before,
                                             std::as_bytes(std::span(&header, 1)),
                                             std::as_bytes(std::span(table)),
                                             {encoder.body(), encoder.body_size()}};
  for (std::span<const std::byte> each : head) {
    const std::size_t skipped = std::min(sent, each.size());
    add(each.subspan(skipped));
    sent -= skipped;
  }
  for (const Bulk& each : encoder.segments()) {
    const std::size_t skipped = std::min(sent, each.size());
    sent -= skipped;
    if (skipped == each.size()) continue;
    if (each.is_lent() || contents == Contents::may_change) {
      each.copy_to(add_copy(each.size() - skipped), skipped);
      continue;
    }
    Portion bytes{each.data(), each.size(), each.places().get()};
    bytes.step_over(skipped);
    pieces_.push_back({bytes, each.owner(), false, each.places()});
    bytes_ += bytes.size;
  }
}

void Outbox::drop_front() {
  copies_.forget();
  if (!pieces_.front().is_copy) spent_.add(std::move(pieces_.front().owner));
  pieces_.pop_front();
  if (pieces_.empty()) copies_.rest();
}

void Outbox::step_over(std::size_t sent) {
  bytes_ -= sent;
  while (!pieces_.empty() && sent >= pieces_.front().bytes.size) {
    sent -= pieces_.front().bytes.size;
    drop_front();
  }
  if (sent != 0) pieces_.front().bytes.step_over(sent);
}

std::size_t Outbox::send(ByteStream& stream, bool waits) {
  constexpr std::size_t most = std::size_t{4} << 20;  // be fair to other connections
  std::size_t total = 0;
  while (!pieces_.empty() && total < most) {
    Offer offer(copies_, most - total);
    for (const Piece& each : pieces_) {
      if (!offer.add(each.bytes)) break;
    }
    const ssize_t sent = stream.send_kept(offer.pieces(), waits);
    if (sent >= 0) {
      const auto bytes = static_cast<std::size_t>(sent);
      total += bytes;
      step_over(bytes);
      if (waits && bytes < offer.bytes()) break;  // it has waited as long as it may
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

}  // namespace shinar::wire
