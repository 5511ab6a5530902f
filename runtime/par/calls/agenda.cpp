#include "calls/agenda.hpp"

#include <algorithm>
#include <utility>

namespace shinar::par {
namespace {

// In the place of a call that is not to run.
const CallKey kNothing{"", 0};
// Between the numbers of two epochs, so that those of a client's calls seldom get into the next
// one.
constexpr std::int64_t kEpoch = std::int64_t{1} << 31;
// So that what is numbered within calls, and exchanges within that, have numbers of 63 bits.
constexpr std::int64_t kMostPlaces = std::int64_t{1} << 49;
// Numbers of a client that needs no positions: they do not use up those of others.
constexpr std::int64_t kMostAlone = kMostPlaces / 2;
// Of a client, since the last one that has run; the ranks of the client know as well.
constexpr std::size_t kMostGivenUp = 1000;

}  // namespace

void Agenda::welcome(const std::string& client) {
  clients_.try_emplace(client);
}

std::vector<CallKey> Agenda::earlier_than(const CallKey& key) const {
  std::vector<CallKey> found;
  const auto add = [&](const CallKey& each) {
    if (each.client == key.client && each < key && !has_run(each)) found.push_back(each);
  };
  if (owes_granted()) add(last_granted());
  for (const auto& [position, queued] : queue_) add(queued);
  return found;
}

void Agenda::enqueue(std::int64_t position, const CallKey& key) {
  last_position_ = std::max(last_position_, position);
  if (position < next_) return;
  const bool can_run = clients_.contains(key.client) && given_up(key) == nullptr;
  queue_.emplace(position, can_run ? key : kNothing);
  skip_nothing();
}

void Agenda::grant(const std::string& client) {
  granted_ = client;
  is_settled_ = false;
  is_stopped_ = false;
  ++epoch_;
}

std::int64_t Agenda::stop() {
  is_stopped_ = true;
  return last_run(granted_);
}

void Agenda::settle(std::int64_t number) {
  if (!clients_.contains(granted_)) granted_.clear();
  settled_ = number;
  is_settled_ = true;
  is_stopped_ = false;
  ++epoch_;
}

bool Agenda::is_granted(const CallKey& key) const {
  return !granted_.empty() && key.client == granted_ && (!is_settled_ || key.number <= settled_);
}

// Whether a call that needs no position has not run, although it has begun on other ranks.
bool Agenda::owes_granted() const {
  if (granted_.empty() || !is_settled_) return false;
  const CallKey last = last_granted();
  return settled_ > 0 && !has_run(last) && given_up(last) == nullptr;
}

bool Agenda::needs_position(const CallKey& key) const {
  return !is_stopped_ && !is_granted(key);
}

std::optional<CallKey> Agenda::first() const {
  if (is_running_ || is_stopped_) return std::nullopt;
  if (owes_granted()) return last_granted();
  const auto found = queue_.find(next_);
  return found == queue_.end() ? std::nullopt : std::optional(found->second);
}

bool Agenda::is_next(const CallKey& key) const {
  if (is_running_ || is_stopped_) return false;
  if (is_granted(key)) return true;
  const auto first = queue_.find(next_);
  return first != queue_.end() && first->second == key && !owes_granted();
}

std::int64_t Agenda::start(const CallKey& key) {
  is_running_ = true;
  runs_granted_ = is_granted(key);
  before_ = std::exchange(clients_[key.client].last_run, key.number);
  // In a chain the client's numbers may themselves be places in the order of its own group's calls.
  const std::int64_t number = runs_granted_ ? key.number : std::min(settled_, kMostAlone) + next_;
  const std::int64_t end = runs_granted_ ? kMostAlone : kMostPlaces;
  const bool can_tell = number < end && epoch_ < (kMostPlaces - number) / kEpoch;
  return can_tell ? (epoch_ * kEpoch + number) * kWithin : 0;
}

void Agenda::finish(const CallKey& key) {
  std::map<std::int64_t, Reason>& older = clients_[key.client].given_up;
  older.erase(older.begin(), older.upper_bound(key.number));
  end_turn();
}

void Agenda::withdraw(const CallKey& key, const Reason& why) {
  clients_[key.client].last_run = before_;
  end_turn();
  give_up(key, why);
}

void Agenda::end_turn() {
  is_running_ = false;
  if (!runs_granted_) queue_.erase(next_++);
  skip_nothing();
}

std::int64_t Agenda::last_run(const std::string& name) const {
  const auto client = clients_.find(name);
  return client == clients_.end() ? 0 : client->second.last_run;
}

bool Agenda::has_run(const CallKey& key) const {
  const auto client = clients_.find(key.client);
  return client != clients_.end() && key.number <= client->second.last_run;
}

bool Agenda::give_up(const CallKey& key, const Reason& why) {
  if (has_run(key)) return false;
  if (const auto client = clients_.find(key.client); client != clients_.end()) {
    std::map<std::int64_t, Reason>& given_up = client->second.given_up;
    given_up.emplace(key.number, why);
    if (given_up.size() > kMostGivenUp) given_up.erase(given_up.begin());
  }
  for (auto& [position, queued] : queue_) {
    if (queued == key) queued = kNothing;
  }
  skip_nothing();
  return true;
}

const Reason* Agenda::given_up(const CallKey& key) const {
  const auto client = clients_.find(key.client);
  if (client == clients_.end()) return nullptr;
  const auto found = client->second.given_up.find(key.number);
  return found == client->second.given_up.end() ? nullptr : &found->second;
}

void Agenda::forget(const std::string& client) {
  for (auto& [position, queued] : queue_) {
    if (queued.client == client) queued = kNothing;
  }
  clients_.erase(client);
  if (client == granted_) granted_.clear();
  skip_nothing();
}

void Agenda::skip_nothing() {
  if (is_running_) return;
  for (auto first = queue_.find(next_); first != queue_.end() && first->second == kNothing;
       first = queue_.find(next_)) {
    queue_.erase(first);
    ++next_;
  }
}

}  // namespace shinar::par
