#include "stream.hpp"

#include <algorithm>
#include <iterator>

#include "limits.hpp"

namespace shinar::wire {
namespace {

/** Messages with references in transit from which on the peer is asked how far it has read. */
constexpr std::size_t many = 64;
/** References after which it is asked again, well below most_unconfirmed. */
constexpr std::uint64_t often = 4096;
/**
 * Ended connections that the peer has not settled and that have nothing in transit; beyond this
 * number the oldest is removed.
 */
constexpr std::size_t most_ended = 256;

/** What an entry takes, and each of its references beside a name of usual length. */
constexpr std::uint64_t entry_bytes = 128;
constexpr std::uint64_t entry_bytes_each = 64;
constexpr std::size_t usual_name = 32;

/** What has to be charged for the entry: releases have brought what they need. */
std::uint64_t cost_of(const Entry& entry) {
  const std::size_t count = entry.lent.size() + entry.settled.size();
  if (count == 0) return 0;
  std::uint64_t cost = entry_bytes + entry_bytes_each * count;
  for (const std::string& each : entry.lent) cost += std::max(each.size(), usual_name) - usual_name;
  return cost;
}

}  // namespace

Stream::~Stream() {
  for (const Noted& each : on_their_way_) give_back(each);
}

/** Under the lock. Throws Error if the peer does not confirm what it has read. */
void Stream::check_unconfirmed(std::uint64_t names) const {
  if (on_their_way_.size() > newest) {
    const auto older = on_their_way_[on_their_way_.size() - 1 - newest].total - confirmed_;
    if (older > most_unconfirmed) {
      throw Limits::exceeded("references of a connection that its peer does not confirm",
                             most_unconfirmed, older, nullptr);
    }
  }
  if (names != 0 && names_ + names > most_unconfirmed_bytes) {
    throw Limits::exceeded(
        "bytes of names in releases of a connection that its peer does not "
        "confirm",
        most_unconfirmed_bytes, names_ + names, nullptr);
  }
}

bool Stream::note(std::uint64_t position, Entry& entry) {
  const std::lock_guard lock(mutex_);
  if (settled_) return false;
  std::uint64_t names = 0;
  for (const Returned& each : entry.given_back) names += each.object.size();
  check_unconfirmed(names);
  const std::uint64_t cost = account == nullptr ? 0 : cost_of(entry);
  if (cost != 0) account->charge(cost);
  noted_ += entry.size();
  names_ += names;
  on_their_way_.push_back({position, std::move(entry), noted_, cost, names});
  entry = {};
  is_sending_ = true;
  return true;
}

bool Stream::commit(Entry& entry) {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(is_sending_, false) || !settled_) return true;
  entry = take_newest();
  return false;
}

Entry Stream::withdraw() {
  const std::lock_guard lock(mutex_);
  return std::exchange(is_sending_, false) ? take_newest() : Entry();
}

/** Under the lock. */
Entry Stream::take_newest() {
  Entry entry = std::move(on_their_way_.back().entry);
  noted_ -= entry.size();
  give_back(on_their_way_.back());
  on_their_way_.pop_back();
  return entry;
}

bool Stream::wants_confirmation() {
  const std::lock_guard lock(mutex_);
  if (on_their_way_.size() < std::max(most_, many) && noted_ - std::min(asked_, noted_) < often) {
    return false;
  }
  asked_ = noted_;
  most_ = 2 * on_their_way_.size();  // the ping, or its pong, may get lost
  return true;
}

void Stream::confirm(std::uint64_t position) {
  const std::lock_guard lock(mutex_);
  while (!on_their_way_.empty() && on_their_way_.front().position <= position) {
    confirmed_ = on_their_way_.front().total;
    give_back(on_their_way_.front());
    on_their_way_.pop_front();
  }
  is_sending_ = is_sending_ && !on_their_way_.empty();  // else it has arrived
  most_ = 0;
}

Entry Stream::settle(std::uint64_t position) {
  Entry lost;
  const std::lock_guard lock(mutex_);
  settled_ = true;
  is_sending_ = is_sending_ && on_their_way_.back().position > position;  // else it has arrived
  const std::size_t left = is_sending_ ? 1 : 0;
  for (; on_their_way_.size() > left; on_their_way_.pop_front()) {
    Noted& each = on_their_way_.front();
    give_back(each);
    if (each.position <= position) continue;
    std::ranges::move(each.entry.lent, std::back_inserter(lost.lent));
    std::ranges::move(each.entry.given_back, std::back_inserter(lost.given_back));
    std::ranges::move(each.entry.settled, std::back_inserter(lost.settled));
  }
  return lost;
}

std::vector<Settled> Stream::take_settled() {
  std::vector<Settled> all;
  const std::lock_guard lock(mutex_);
  for (Noted& each : on_their_way_) {
    std::ranges::move(std::exchange(each.entry.settled, {}), std::back_inserter(all));
  }
  return all;
}

bool Stream::is_settled() {
  const std::lock_guard lock(mutex_);
  return settled_;
}

bool Stream::is_clear() {
  const std::lock_guard lock(mutex_);
  return on_their_way_.empty();
}

bool Stream::close_if_clear() {
  const std::lock_guard lock(mutex_);
  if (on_their_way_.empty()) settled_ = true;
  return on_their_way_.empty();
}

void Streams::add(const std::shared_ptr<Stream>& stream) {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(streams_, stream) == streams_.end()) streams_.push_back(stream);
  const auto has_ended = [](const auto& each) { return each->has_ended() && each->is_clear(); };
  if (std::ranges::count_if(streams_, has_ended) <= std::ptrdiff_t{most_ended}) return;
  const auto oldest = std::ranges::find_if(streams_, has_ended);
  if ((*oldest)->close_if_clear()) streams_.erase(oldest);
}

void Streams::remove(const std::shared_ptr<Stream>& stream) {
  const std::lock_guard lock(mutex_);
  std::erase(streams_, stream);
}

std::shared_ptr<Stream> Streams::find(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::find(streams_, number, &Stream::number);
  return number == 0 || at == streams_.end() ? nullptr : *at;
}

Streams::Places Streams::not_passed(std::vector<Position> positions) {
  std::ranges::sort(positions);  // a peer may list many, with duplicates
  Places places;
  const std::lock_guard lock(mutex_);
  for (const auto& each : streams_) {
    if (each->number == 0) continue;
    const auto next = std::ranges::upper_bound(positions, each->number, {}, &Position::first);
    if (next == positions.begin() || std::prev(next)->first != each->number) continue;
    const std::uint64_t position = std::min(std::prev(next)->second, Stream::nothing - 1);
    if (!each->has_passed(position)) places.emplace_back(each, position);
  }
  return places;
}

std::vector<Streams::Position> Streams::positions(const Stream* own) {
  std::vector<Position> all;
  const std::lock_guard lock(mutex_);
  for (const auto& each : streams_) {
    if (each.get() == own || each->number == 0 || each->is_settled()) continue;
    if (const std::uint64_t sent = each->sent(); sent != 0) all.emplace_back(each->number, sent);
  }
  return all;
}

Entry Streams::settle(std::uint64_t number, std::uint64_t position) {
  const std::shared_ptr<Stream> stream = find(number);
  if (stream == nullptr) return {};
  Entry lost = stream->settle(position);
  tidy();
  return lost;
}

void Streams::tidy() {
  const std::lock_guard lock(mutex_);
  std::erase_if(streams_, [](const auto& each) {
    return each->has_ended() && (each->number == 0 || each->is_settled());
  });
}

void Streams::clear() {
  const std::lock_guard lock(mutex_);
  streams_.clear();
}

}  // namespace shinar::wire
