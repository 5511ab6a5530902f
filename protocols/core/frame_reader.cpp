#include "frame_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace shinar::wire {

namespace {

/**
 * Copies the header of the frame at the front of the buffer; false if the frame is incomplete or
 * not small.
 */
bool has_small_frame(const ReceiveBuffer& buffer, FrameHeader& header) {
  if (buffer.size() < header_bytes) return false;
  std::memcpy(&header, buffer.front(), header_bytes);
  return header.segments == 0 && header.body < bulk_threshold &&
         header.body <= buffer.size() - header_bytes;
}

bool is_known(const FrameHeader& header) {
  return header.type >= static_cast<std::uint8_t>(FrameType::method) &&
         header.type <= static_cast<std::uint8_t>(FrameType::abandon);
}

}  // namespace

bool ReceiveBuffer::has_small_frame() const {
  FrameHeader header;
  return shinar::wire::has_small_frame(*this, header);
}

FrameReader::FrameReader(const Limits& limits, std::shared_ptr<Budget> budget)
    : inline_limit_(limits.inline_bytes),
      message_limit_(limits.message_bytes),
      budget_(std::move(budget)) {
  begin(Phase::header, header_, header_bytes);
}

void FrameReader::begin(Phase phase, std::byte* to, std::size_t size) {
  phase_ = phase;
  to_ = to;
  want_ = size;
  got_ = 0;
  lands_ = false;
}

FrameReader::Status FrameReader::next(Receiver& receiver, ReceiveBuffer& buffer, Message& message) {
  for (;;) {
    Status status = Status::message;
    if (!within_frame()) {
      if (buffer.empty() && !begin_frame(receiver, buffer, status)) return status;
      if (take_small(buffer, message)) return Status::message;
    }
    if (got_ < want_ && !fill(receiver, buffer, status)) return status;
    switch (advance(receiver)) {
      case Progress::more:
        continue;
      case Progress::no_room:
        return Status::nothing;
      case Progress::message:
        break;
    }
    message.clear();
    message.swap(pending_);
    begin(Phase::header, header_, header_bytes);
    return Status::message;
  }
}

/** The common case: a complete frame without segments in the buffer. */
bool FrameReader::take_small(ReceiveBuffer& buffer, Message& message) {
  FrameHeader header;
  if (!has_small_frame(buffer, header)) return false;
  if (!is_known(header) || header.body > inline_limit_ || header.bulk != 0) check(header);
  message.clear();
  message.header = header;
  const std::byte* const frame = buffer.take(header_bytes + header.body);
  if (header.body == 0) return true;
  std::memcpy(message.body.extend(header.body), frame + header_bytes, header.body);
  return true;
}

/** Receives the first bytes of a frame into the empty buffer; false if there were none. */
bool FrameReader::begin_frame(Receiver& receiver, ReceiveBuffer& buffer, Status& status) {
  buffer.allocate();
  const ssize_t got = receiver.receive(buffer.memory(), ReceiveBuffer::capacity, true);
  if (got > 0) [[likely]] {
    buffer.filled(static_cast<std::size_t>(got));
    return true;
  }
  status = got == 0 ? Status::closed : errno == EAGAIN ? Status::nothing : Status::failed;
  return false;
}

/** Puts bytes where those of this phase go. */
void FrameReader::land(std::span<const std::byte> bytes) {
  const bool lands =
      lands_ && landing_->use(segment_, [&](const Strided& place) { place.scatter(got_, bytes); });
  if (lands_ && !lands) give_up_place();
  if (!lands) std::memcpy(to_ + got_, bytes.data(), bytes.size());
  got_ += bytes.size();
}

/** As recv. Each copy there costs a lot: as many bytes at once as there are. */
ssize_t FrameReader::receive_elsewhere(Receiver& receiver) {
  constexpr std::size_t most = std::size_t{256} << 10;
  if (staging_ == nullptr) staging_ = std::make_unique_for_overwrite<std::byte[]>(most);
  const ssize_t got = receiver.receive(staging_.get(), std::min(want_ - got_, most), false);
  if (got > 0) land({staging_.get(), static_cast<std::size_t>(got)});
  return got;
}

/** Receives at least one byte into the empty buffer or the destination; false if there was none. */
bool FrameReader::receive(Receiver& receiver, ReceiveBuffer& buffer, Status& status) {
  const std::size_t missing = want_ - got_;
  const std::size_t in_one_piece = lands_ ? landing_->piece(segment_, got_) : missing;
  const bool direct = in_one_piece >= ReceiveBuffer::capacity;
  const bool staged =
      lands_ && missing >= ReceiveBuffer::capacity && landing_->is_elsewhere(segment_);
  ssize_t got = 0;
  if (staged) {
    got = receive_elsewhere(receiver);
    if (got > 0) return true;
  } else if (!direct) {
    buffer.allocate();
    got = receiver.receive(buffer.memory(), ReceiveBuffer::capacity, false);
  } else if (!lands_) {
    got = receiver.receive_kept(to_ + got_, missing);
  } else {
    bool is_there = true;
    got = receiver.receive(*landing_, segment_, got_, is_there);
    if (!is_there) {
      give_up_place();
      return true;
    }
  }
  if (got > 0) {
    direct ? void(got_ += static_cast<std::size_t>(got))
           : buffer.filled(static_cast<std::size_t>(got));
    return true;
  }
  if (got == 0) errno = 0;
  status = got < 0 && errno == EAGAIN ? Status::nothing : Status::failed;
  return false;
}

/** Gets at least one byte for this phase; false if there was none. */
bool FrameReader::fill(Receiver& receiver, ReceiveBuffer& buffer, Status& status) {
  if (buffer.empty() && !receive(receiver, buffer, status)) return false;
  const std::size_t count = std::min(want_ - got_, buffer.size());
  if (count == 0) return true;
  land({buffer.take(count), count});
  return true;
}

/** Begins the next phase when one is complete. What exceeds the budget is retried later. */
FrameReader::Progress FrameReader::advance(Receiver& receiver) {
  if (got_ < want_) return Progress::more;
  switch (phase_) {
    case Phase::header:
      pending_.clear();
      std::memcpy(&pending_.header, header_, header_bytes);
      check(pending_.header);
      if (pending_.header.segments != 0) {
        table_.resize(pending_.header.segments);
        begin(Phase::table, reinterpret_cast<std::byte*>(table_.data()), table_.size() * 8);
        return Progress::more;
      }
      [[fallthrough]];
    case Phase::table:
      if (!take_table(receiver)) return Progress::no_room;
      begin(Phase::body, pending_.body.extend(pending_.header.body), pending_.header.body);
      return pending_.header.body == 0 ? begin_segments(receiver) : Progress::more;
    case Phase::body:
      return begin_segments(receiver);
    case Phase::segment:
      ++segment_;
      return next_segment();
  }
  return Progress::more;
}

void FrameReader::check(const FrameHeader& header) const {
  if (!is_known(header)) throw malformed("unknown type " + std::to_string(header.type));
  if (header.body > inline_limit_) {
    throw Limits::exceeded("bytes of the small arguments of a call", inline_limit_, header.body,
                           "SIDL_RMI_MAX_INLINE");
  }
  if (header.segments > max_segments) {
    throw Limits::exceeded("segments of a frame", max_segments, header.segments, nullptr);
  }
  if (header.bulk > message_limit_) {
    throw Limits::exceeded("bytes of the arrays of a call", message_limit_, header.bulk,
                           "SIDL_RMI_MAX_MESSAGE");
  }
  if (header.segments == 0 && header.bulk != 0) throw malformed("bulk data without segments");
}

bool FrameReader::has_capacity_ahead() const {
  constexpr std::uint64_t little = std::uint64_t{16} << 20;
  const std::uint64_t next = message_limit_ + inline_limit_;
  const std::uint64_t left = budget_->limit() > next ? budget_->limit() - next : 0;
  return budget_->used() <= std::min(little, left);
}

/** Checks the segment sizes and reserves the memory of the whole message; false if it must wait. */
bool FrameReader::take_table(Receiver& receiver) {
  const FrameHeader& header = pending_.header;
  if (header.segments == 0) table_.clear();
  std::uint64_t total = 0;
  for (const std::uint64_t size : table_) {
    if (size == 0 || size > header.bulk - total) throw malformed("segment table and header differ");
    total += size;
  }
  if (total != header.bulk) throw malformed("segment table and header differ");
  const std::uint64_t bytes = header.bulk + header.body;
  if (bytes < bulk_threshold) return true;
  if (bytes > budget_->most() && bytes <= budget_->limit()) {
    throw Limits::exceeded("bytes of a message, of the memory for those of all connections",
                           budget_->most(), bytes, "SIDL_RMI_TOTAL_MEMORY, two thirds of it");
  }
  for (;;) {
    const Budget::Taken taken = budget_->try_take(bytes);
    if (taken == Budget::Taken::yes) break;
    const bool never = bytes > budget_->limit();
    const Lack lack{taken == Budget::Taken::others_have ? budget_ : nullptr, bytes};
    switch (never ? Reading::Crowded::fail : receiver.crowded(lack)) {
      case Reading::Crowded::fail:
        throw Limits::exceeded("bytes held by the messages of a connection", budget_->limit(),
                               budget_->used() + bytes, "SIDL_RMI_MEMORY");
      case Reading::Crowded::again:
        break;
      case Reading::Crowded::stop:
        return false;
    }
  }
  pending_.share = Share(budget_, bytes);
  return true;
}

FrameReader::Progress FrameReader::begin_segments(Receiver& receiver) {
  segment_ = 0;
  if (!table_.empty()) landing_ = receiver.landing(pending_.header);
  if (landing_ != nullptr) landing_->begin(pending_, table_);
  return next_segment();
}

/** Begins the next segment, if there is one. */
FrameReader::Progress FrameReader::next_segment() {
  if (segment_ >= table_.size()) {
    landing_.reset();
    staging_.reset();
    return Progress::message;
  }
  if (landing_ != nullptr && landing_->has(segment_)) {
    pending_.segments.push_back(Block::elsewhere(table_[segment_]));
    begin(Phase::segment, nullptr, table_[segment_]);
    lands_ = true;
  } else {
    pending_.segments.push_back(Block::allocate(table_[segment_]));
    begin(Phase::segment, pending_.segments.back().data(), table_[segment_]);
  }
  return Progress::more;
}

/** The call is over: its data is not wanted, but must still be received. */
void FrameReader::give_up_place() {
  pending_.segments.back() = Block::allocate(table_[segment_]);
  to_ = pending_.segments.back().data();
  lands_ = false;
  landing_.reset();
}

}  // namespace shinar::wire
