#include "ledger.hpp"

#include <algorithm>
#include <utility>

#include "decoder.hpp"
#include "limits.hpp"

namespace simhandle {
namespace {

/** Enough of a session id to tell sessions apart in a log; the whole id is a secret. */
std::string short_name(const Id128& id) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto byte = static_cast<unsigned>(id[i]);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace

std::shared_ptr<Session> Ledger::open(const Id128& id, std::chrono::milliseconds lease) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Session>& session = sessions_[id];
  if (session == nullptr) {
    session = std::make_shared<Session>();
    session->id = id;
  }
  session->lease = lease;
  session->said_goodbye = false;
  ++session->connections;
  return session;
}

void Ledger::close(const std::shared_ptr<Session>& session) {
  Forgotten forgotten;
  const std::lock_guard lock(mutex_);
  if (--session->connections > 0) return;
  session->lost = Clock::now();
  if (!session->said_goodbye && !session->counts.empty()) return;
  drop(*session, forgotten);
  sessions_.erase(session->id);
}

void Ledger::say_goodbye(Session& session) {
  Forgotten forgotten;
  const std::lock_guard lock(mutex_);
  session.said_goodbye = true;
  drop(session, forgotten);
}

void Ledger::book(Session& session, const std::string& object, std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  if (session.counts.size() >= most_references_ && !session.counts.contains(object)) {
    throw Limits::exceeded("objects that one session holds", most_references_,
                           session.counts.size() + 1, "SIDL_RMI_MAX_REFERENCES");
  }
  session.counts[object] += count;
  totals_[object] += count;
}

Ledger::Forgotten Ledger::release(Session& session, const std::string& object,
                                  std::uint64_t count) {
  Forgotten forgotten;
  const std::lock_guard lock(mutex_);
  const auto found = session.counts.find(object);
  if (found == session.counts.end()) return forgotten;
  count = std::min(count, found->second);
  found->second -= count;
  if (found->second == 0) session.counts.erase(found);
  unbook(object, count, forgotten);
  return forgotten;
}

Ledger::Forgotten Ledger::change(Session& session, Message& message) {
  Decoder decoder(message);
  const std::string object(decoder.get_name());
  const auto count = decoder.get<std::uint32_t>();
  if (message.type() == FrameType::release) return release(session, object, count);
  book(session, object, count);
  return {};
}

/** `forgotten` is declared before the lock by every caller: it is destroyed after the unlock. */
void Ledger::unbook(const std::string& object, std::uint64_t count, Forgotten& forgotten) {
  const auto found = totals_.find(object);
  if (found == totals_.end()) return;
  found->second -= std::min(count, found->second);
  if (found->second != 0) return;
  totals_.erase(found);
  if (auto last = host_.forget(object)) forgotten.push_back(std::move(last));
}

std::size_t Ledger::drop(Session& session, Forgotten& forgotten) {
  const auto counts = std::exchange(session.counts, {});
  for (const auto& [object, count] : counts) unbook(object, count, forgotten);
  return counts.size();
}

Ledger::Forgotten Ledger::expire(Clock::time_point now) {
  Forgotten forgotten;
  std::vector<std::string> lines;
  {
    const std::lock_guard lock(mutex_);
    for (auto each = sessions_.begin(); each != sessions_.end();) {
      Session& session = *each->second;
      if (session.connections != 0 || now - session.lost < session.lease) {
        ++each;
        continue;
      }
      const std::size_t objects = drop(session, forgotten);
      lines.push_back("session " + short_name(session.id) + " lost: its lease of " +
                      std::to_string(session.lease.count()) + " ms is over, references to " +
                      std::to_string(objects) + " objects dropped");
      each = sessions_.erase(each);
    }
  }
  for (const std::string& line : lines) host_.log(line);
  return forgotten;
}

void Ledger::drop_all() {
  Forgotten forgotten;
  const std::lock_guard lock(mutex_);
  for (const auto& [id, session] : sessions_) drop(*session, forgotten);
}

std::size_t Ledger::session_count() {
  const std::lock_guard lock(mutex_);
  return sessions_.size();
}

std::uint64_t Ledger::reference_count() {
  const std::lock_guard lock(mutex_);
  std::uint64_t total = 0;
  for (const auto& [object, count] : totals_) total += count;
  return total;
}

}  // namespace simhandle
